// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{validation,complete,convert}.go
import { append } from '../../machinery/append.ts';
import { compileRegex } from '../../cel/regex.ts';
import { CelError } from '../../cel/values.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, invalid, required } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';

type Level = 'root' | 'item' | 'field';

/** Why a schema cannot even be looked at as a structural one; undefined when it can. */
export function structuralFault(schema: JSONSchemaProps): string | undefined {
  const unsupported = unsupportedField(schema);
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported}' is not supported`;
  for (const nested of junctors(schema)) {
    const fault = structuralFault(nested);
    if (fault !== undefined) return fault;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const children = [
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  for (const child of children) {
    const fault = structuralFault(child);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function unsupportedField(schema: JSONSchemaProps): string | undefined {
  const isFilled = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length > 0;
  if (schema.id) return 'id';
  if (schema.$schema) return 'schema';
  if (schema.$ref) return '$ref';
  if (isFilled(schema.patternProperties)) return 'patternProperties';
  if (isFilled(schema.dependencies)) return 'dependencies';
  if (schema.additionalItems !== undefined) return 'additionalItems';
  return isFilled(schema.definitions) ? 'definitions' : undefined;
}

function junctors({ not, allOf, anyOf, oneOf }: JSONSchemaProps): JSONSchemaProps[] {
  return [...(not === undefined ? [] : [not]), ...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? [])];
}

/** What keeps a schema from being structural, in the order of the messages. */
export function validateStructural(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors = [...validateInvariants(schema, 'root', path), ...validateCompleteness(schema, schema, path, path)];
  return errors
    .map((error) => ({ error, text: error.toString() }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateInvariants(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { items, additionalProperties, type = '' } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === 'array' && !items) errors.push(required(path.child('items'), 'must be specified'));
  if (items && !Array.isArray(items)) append(errors, validateInvariants(items, 'item', path.child('items')));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    append(errors, validateInvariants(property, 'field', path.child('properties').key(name)));
  }
  if (additionalProperties !== undefined) {
    const at = path.child('additionalProperties');
    if (level === 'root') errors.push(forbidden(at, 'must not be used at the root'));
    if (typeof additionalProperties === 'object') append(errors, validateInvariants(additionalProperties, 'field', at));
  }
  const conflict = 'must be false if x-kubernetes-int-or-string is true';
  if (isIntOrString && preserves) errors.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), true, conflict));
  if (isIntOrString && isEmbedded) errors.push(invalid(path.child('x-kubernetes-embedded-resource'), true, conflict));
  append(errors, validateJunctors(schema, isIntOrStringPattern(schema.anyOf), isIntOrStringPattern(schema.allOf?.[0]?.anyOf), path));

  const needsObject = 'must be object if x-kubernetes-embedded-resource is true';
  if (isEmbedded && type !== 'object') {
    errors.push(type === '' ? required(path.child('type'), needsObject) : invalid(path.child('type'), type, needsObject));
  } else if (type === '' && !isIntOrString && !preserves) {
    errors.push(required(path.child('type'), missingType[level]));
  }
  if (isEmbedded && additionalProperties !== undefined)
    errors.push(forbidden(path.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(path.child('type'), type, 'must be object at the root'));
  append(errors, validateMetaProperties(schema, level, path));
  if (isEmbedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(path.child('properties'), detail));
  }
  return errors;
}

/** apiVersion, kind and metadata are implied; a schema may only restrict the names. */
function validateMetaProperties(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const properties = path.child('properties');
  for (const name of ['kind', 'apiVersion']) {
    const property = schema.properties?.[name];
    if (isResource && property !== undefined && property.type !== 'string')
      errors.push(invalid(properties.key(name).child('type'), property.type ?? '', 'must be string'));
  }
  const metadata = schema.properties?.['metadata'];
  if (metadata === undefined) return errors;
  const at = properties.key('metadata');
  if (isResource && metadata.type !== 'object') errors.push(invalid(at.child('type'), metadata.type ?? '', 'must be object'));
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    errors.push(forbidden(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'));
  }
  return errors;
}

function restrictsNamesOnly({ type: _, default: __, properties, ...rest }: JSONSchemaProps): boolean {
  const names = Object.keys(properties ?? {});
  return Object.keys(rest).length === 0 && names.every((name) => name === 'name' || name === 'generateName');
}

/** The one place where types may be named below anyOf. */
function isIntOrStringPattern(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return deepEqual(anyOf, [{ type: 'integer' }, { type: 'string' }]);
}

function validateJunctors(schema: JSONSchemaProps, skipAnyOf: boolean, skipFirstAllOfAnyOf: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!skipAnyOf) schema.anyOf?.forEach((one, i) => append(errors, validateNested(one, false, path.child('anyOf').index(i))));
  schema.allOf?.forEach((one, i) => append(errors, validateNested(one, skipFirstAllOfAnyOf && i === 0, path.child('allOf').index(i))));
  schema.oneOf?.forEach((one, i) => append(errors, validateNested(one, false, path.child('oneOf').index(i))));
  if (schema.not !== undefined) append(errors, validateNested(schema.not, false, path.child('not')));
  if (schema.pattern) {
    const regex = compileRegex(schema.pattern);
    if (regex instanceof CelError)
      errors.push(invalid(path.child('pattern'), schema.pattern, `must be a valid regular expression, but isn't: ${regex.message}`));
  }
  return errors;
}

const nestedRules: readonly (readonly [keyof JSONSchemaProps, string, (schema: JSONSchemaProps) => boolean])[] = [
  ['type', 'must be empty to be structural', ({ type }) => Boolean(type)],
  [
    'additionalProperties',
    'must be undefined to be structural',
    ({ additionalProperties: value }) => value !== undefined && value !== false,
  ],
  ['default', 'must be undefined to be structural', (schema) => schema.default !== undefined && schema.default !== null],
  ['title', 'must be empty to be structural', ({ title }) => Boolean(title)],
  ['description', 'must be empty to be structural', ({ description }) => Boolean(description)],
  ['nullable', 'must be false to be structural', ({ nullable }) => nullable === true],
  [
    'x-kubernetes-preserve-unknown-fields',
    'must be false to be structural',
    (schema) => schema['x-kubernetes-preserve-unknown-fields'] === true,
  ],
  ['x-kubernetes-embedded-resource', 'must be false to be structural', (schema) => schema['x-kubernetes-embedded-resource'] === true],
  ['x-kubernetes-int-or-string', 'must be false to be structural', (schema) => schema['x-kubernetes-int-or-string'] === true],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural', (schema) => (schema['x-kubernetes-list-map-keys'] ?? []).length > 0],
  ['x-kubernetes-list-type', 'must be undefined to be structural', (schema) => schema['x-kubernetes-list-type'] !== undefined],
  ['x-kubernetes-map-type', 'must be undefined to be structural', (schema) => schema['x-kubernetes-map-type'] !== undefined],
  ['x-kubernetes-validations', 'must be empty to be structural', (schema) => (schema['x-kubernetes-validations'] ?? []).length > 0],
];

/** Below a junctor a schema may restrict values, and say nothing about their shape. */
function validateNested(schema: JSONSchemaProps, skipAnyOf: boolean, path: FieldPath): FieldError[] {
  const errors = validateJunctors(schema, skipAnyOf, false, path);
  const { items } = schema;
  if (items && !Array.isArray(items)) append(errors, validateNested(items, false, path.child('items')));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    append(errors, validateNested(property, false, path.child('properties').key(name)));
  }
  for (const [field, message, isViolated] of nestedRules) if (isViolated(schema)) errors.push(forbidden(path.child(field), message));
  if (schema.properties?.['metadata'] !== undefined)
    errors.push(forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
  return errors;
}

/** What is restricted below a junctor must be specified outside of it. */
function validateCompleteness(values: JSONSchemaProps, structure: JSONSchemaProps, at: FieldPath, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (nested: JSONSchemaProps, where: FieldPath): void => {
    append(errors, validateNestedCompleteness(nested, structure, at, where));
  };
  if (values.not !== undefined) check(values.not, path.child('not'));
  values.allOf?.forEach((one, i) => check(one, path.child('allOf').index(i)));
  values.anyOf?.forEach((one, i) => check(one, path.child('anyOf').index(i)));
  values.oneOf?.forEach((one, i) => check(one, path.child('oneOf').index(i)));
  return errors;
}

function validateNestedCompleteness(
  nested: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  at: FieldPath,
  path: FieldPath,
): FieldError[] {
  if (structure === undefined) return [required(at, `because it is defined in ${path.toString()}`)];
  const errors = validateCompleteness(nested, structure, at, path);
  const { items } = nested;
  if (items && !Array.isArray(items)) {
    const own = structure.items && !Array.isArray(structure.items) ? structure.items : undefined;
    append(errors, validateNestedCompleteness(items, own, at.child('items'), path.child('items')));
  }
  for (const [name, property] of Object.entries(nested.properties ?? {})) {
    const [own, where] = [at.child('properties').key(name), path.child('properties').key(name)];
    append(errors, validateNestedCompleteness(property, structure.properties?.[name], own, where));
  }
  return errors;
}

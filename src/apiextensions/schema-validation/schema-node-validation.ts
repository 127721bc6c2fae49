// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#ValidateCustomResourceDefinitionOpenAPISchema
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import type { Cardinality } from '../../cel/kubernetes/rule-costs.ts';
import { childCardinality } from '../../cel/kubernetes/rule-costs.ts';
import { normalizeFieldPath } from '../../cel/kubernetes/field-path.ts';
import type { OpenApiSchema } from '../../cel/schema-types.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, invalid, notSupported, required } from '../../machinery/field.ts';
import { asPrinted } from '../../machinery/go-distinctions.ts';
import type { JSONSchemaProps, ValidationRule } from '../../schema/types/apiextensions-v1.ts';
import { metaFields } from '../schema/node.ts';
import { structuralFault } from './structural-validation.ts';
import { validateListTypes } from './list-type-validation.ts';
import { itemSchema, schemaOf } from './schema-walk.ts';
import type { SchemaRules } from './schema-rules.ts';
import type { ValidationOptions } from './validation-options.ts';
import { openApiTypes } from './validation-options.ts';

/** What a node inherits from those above it. */
interface Inherited {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** why there may be no default here */
  readonly noDefaults: string | undefined;
  readonly uncorrelatable: FieldPath | undefined;
  /** undefined where rules are not compiled: below junctors, or because the schema is not structural */
  readonly rules: SchemaRules | undefined;
  readonly cardinality: Cardinality;
}

/** Errors of rules come after those of schemas. */
interface Found {
  readonly schema: FieldError[];
  readonly rules: Steps<FieldError[]>[];
}

/** Rules for every node of a schema, structural or not. */
export function* validateSchemaNode(
  schema: JSONSchemaProps,
  path: FieldPath,
  options: ValidationOptions,
  rules: SchemaRules | undefined,
): Steps<FieldError[]> {
  const root: Inherited = { isRoot: true, insideMeta: false, noDefaults: undefined, uncorrelatable: undefined, rules, cardinality: 1 };
  const found = new NodeValidation(options).visit(schema, path, root);
  const errors = [...found.schema];
  for (const compiling of found.rules) append(errors, yield* compiling);
  return errors;
}

class NodeValidation {
  readonly #options: ValidationOptions;

  constructor(options: ValidationOptions) {
    this.#options = options;
  }

  visit(schema: JSONSchemaProps, path: FieldPath, from: Inherited): Found {
    const found: Found = { schema: this.#validateStandard(schema, path, from), rules: [] };
    const below: Inherited = { ...from, isRoot: false, cardinality: childCardinality(from.cardinality, schema as OpenApiSchema) };
    const descend = (child: JSONSchemaProps | undefined, at: FieldPath, inherited: Inherited): void => {
      if (child === undefined) return;
      const nested = this.visit(child, at, inherited);
      append(found.schema, nested.schema);
      append(found.rules, nested.rules);
    };
    const uniqueMessage = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    if (schema.uniqueItems) found.schema.push(forbidden(path.child('uniqueItems'), uniqueMessage));
    this.#additionalProperties(schema, path, below, descend, found);
    this.#properties(schema, path, from, below, descend);
    const plain: Inherited = { ...below, rules: undefined };
    descend(schema.not, path.child('not'), plain);
    schema.allOf?.forEach((one, i) => descend(one, path.child('allOf').index(i), plain));
    schema.oneOf?.forEach((one, i) => descend(one, path.child('oneOf').index(i), plain));
    schema.anyOf?.forEach((one, i) => descend(one, path.child('anyOf').index(i), plain));
    for (const [name, one] of Object.entries(schema.definitions ?? {})) descend(one, path.child('definitions').key(name), plain);
    const isListMap = schema['x-kubernetes-list-type'] === 'map';
    const items: Inherited = isListMap ? below : { ...below, uncorrelatable: from.uncorrelatable ?? path };
    if (Array.isArray(schema.items)) schema.items.forEach((one, i) => descend(one, path.child('items').index(i), items));
    else descend(itemSchema(schema.items), path.child('items'), items);
    for (const [name, one] of Object.entries(schema.dependencies ?? {}))
      descend(Array.isArray(one) || one === null ? undefined : one, path.child('dependencies').key(name), plain);

    if (schema['x-kubernetes-preserve-unknown-fields'] === false)
      found.schema.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
    append(found.schema, validateListTypes(schema, path, this.#options));
    this.#rules(schema, path, from, found);
    return found;
  }

  #additionalProperties(
    { additionalProperties, properties }: JSONSchemaProps,
    path: FieldPath,
    below: Inherited,
    descend: (child: JSONSchemaProps | undefined, at: FieldPath, inherited: Inherited) => void,
    found: Found,
  ): void {
    if (additionalProperties === undefined) return;
    const at = path.child('additionalProperties');
    if (Object.keys(properties ?? {}).length > 0 && additionalProperties !== true)
      found.schema.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
    const noDefaults = below.insideMeta ? 'inside additionalProperties applying to object metadata' : below.noDefaults;
    descend(schemaOf(additionalProperties), at, { ...below, noDefaults });
  }

  #properties(
    schema: JSONSchemaProps,
    path: FieldPath,
    { isRoot, uncorrelatable }: Inherited,
    below: Inherited,
    descend: (child: JSONSchemaProps | undefined, at: FieldPath, inherited: Inherited) => void,
  ): void {
    const mapType = schema['x-kubernetes-map-type'];
    const isCorrelatable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const isMeta = isResource && metaFields.has(name);
      descend(property, path.child('properties').key(name), {
        ...below,
        insideMeta: below.insideMeta || isMeta,
        noDefaults: isMeta && isRoot ? `in top-level ${name}` : below.noDefaults,
        uncorrelatable: isCorrelatable ? below.uncorrelatable : (uncorrelatable ?? path),
      });
    }
  }

  #validateStandard(schema: JSONSchemaProps, path: FieldPath, { insideMeta, noDefaults }: Inherited): FieldError[] {
    const errors: FieldError[] = [];
    const refuse = (field: string, message: string): void => void errors.push(forbidden(path.child(field), message));
    if (this.#options.requireValidTypes && schema.type && !openApiTypes.includes(schema.type))
      errors.push(notSupported(path.child('type'), schema.type, openApiTypes));
    if (schema.default !== undefined && schema.default !== null && noDefaults !== undefined)
      refuse('default', `must not be set ${noDefaults}`);
    if (schema.id) refuse('id', 'id is not supported');
    if (schema.additionalItems !== undefined) refuse('additionalItems', 'additionalItems is not supported');
    if (Object.keys(schema.patternProperties ?? {}).length > 0) refuse('patternProperties', 'patternProperties is not supported');
    if (Object.keys(schema.definitions ?? {}).length > 0) refuse('definitions', 'definitions is not supported');
    if (asPrinted(schema, 'dependencies', {}) !== null) refuse('dependencies', 'dependencies is not supported');
    if (schema.$ref !== undefined) refuse('$ref', '$ref is not supported');
    if (schema.type === 'null') refuse('type', 'type cannot be set to null, use nullable as an alternative');
    if (Array.isArray(schema.items) && schema.items.length > 0) refuse('items', 'items must be a schema object and not an array');
    if (insideMeta && schema['x-kubernetes-embedded-resource'])
      refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
    return errors;
  }

  #rules(schema: JSONSchemaProps, path: FieldPath, { rules, isRoot, cardinality, uncorrelatable }: Inherited, found: Found): void {
    const validations = schema['x-kubernetes-validations'] ?? [];
    if (validations.length === 0) return;
    const at = path.child('x-kubernetes-validations');
    validations.forEach((rule, i) => append(found.schema, validateRule(rule, schema, at.index(i))));
    if (found.schema.length > 0 || rules === undefined) return;
    found.rules.push(rules.validate(schema, { path, isRoot, cardinality, uncorrelatable }));
  }
}

const reasons: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreaks = (text: string): boolean => /[\n\r]/.test(text);

function validateRule(validation: ValidationRule, schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { rule, message = '', messageExpression = '', reason, fieldPath = '' } = validation;
  const errors: FieldError[] = [];
  if (rule.trim() === '') errors.push(required(path.child('rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '') errors.push(invalid(path.child('message'), message, 'must be non-empty if specified'));
  else if (hasLineBreaks(message.trim())) errors.push(invalid(path.child('message'), message, 'must not contain line breaks'));
  else if (hasLineBreaks(rule.trim()) && message.trim() === '')
    errors.push(required(path.child('message'), 'message must be specified if rule contains line breaks'));
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(path.child('reason'), reason, reasons));
  if (fieldPath === '') return errors;
  const at = path.child('fieldPath');
  if (fieldPath.trim() === '') errors.push(invalid(at, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreaks(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'));
  const isUnreadable = structuralFault(schema) !== undefined;
  if (!isUnreadable && 'error' in normalizeFieldPath(fieldPath, schema as OpenApiSchema))
    errors.push(invalid(at, fieldPath, 'must be a valid path'));
  return errors;
}

// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#validateCustomResourceDefinitionValidation
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import { costExceededMessage } from '../../cel/kubernetes/rule-costs.ts';
import { staticSchemaLimit } from '../../cel/kubernetes/environments.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, invalid } from '../../machinery/field.ts';
import { isDistinct } from '../../machinery/go-distinctions.ts';
import type { CustomResourceValidation, JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { DefaultsValidation } from './defaults-validation.ts';
import { structuralFault, validateStructural } from './structural-validation.ts';
import { schemaValue } from './internal-form.ts';
import { SchemaRules } from './schema-rules.ts';
import { validateSchemaNode } from './schema-node-validation.ts';
import type { ValidationOptions } from './validation-options.ts';

/** Everything else says something about the whole object, and the status is not part of it where it is a subresource. */
const allowedWithStatus: readonly (readonly [string, keyof JSONSchemaProps])[] = [
  ['Description', 'description'],
  ['Type', 'type'],
  ['Format', 'format'],
  ['Title', 'title'],
  ['Maximum', 'maximum'],
  ['ExclusiveMaximum', 'exclusiveMaximum'],
  ['Minimum', 'minimum'],
  ['ExclusiveMinimum', 'exclusiveMinimum'],
  ['MaxLength', 'maxLength'],
  ['MinLength', 'minLength'],
  ['Pattern', 'pattern'],
  ['MaxItems', 'maxItems'],
  ['MinItems', 'minItems'],
  ['UniqueItems', 'uniqueItems'],
  ['MultipleOf', 'multipleOf'],
  ['Required', 'required'],
  ['Items', 'items'],
  ['Properties', 'properties'],
  ['ExternalDocs', 'externalDocs'],
  ['Example', 'example'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['XValidations', 'x-kubernetes-validations'],
];

export interface SchemaContext {
  readonly hasStatus: boolean;
  /** the schema is the one it was: costs that were accepted stay accepted */
  readonly isUnchanged: boolean;
}

export function* validateSchema(
  validation: CustomResourceValidation | undefined,
  { hasStatus, isUnchanged }: SchemaContext,
  options: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  const schema = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const errors = hasStatus ? validateRootWithStatus(schema, path) : [];
  const at = path.child('openAPIV3Schema');
  if (schema.nullable) errors.push(forbidden(path.child('openAPIV3Schema.nullable'), 'nullable cannot be true at the root'));
  let fault: string | undefined;
  let rules: SchemaRules | undefined;
  if (options.requireStructural) {
    fault = structuralFault(schema);
    yield;
    if (fault === undefined) {
      const structural = validateStructural(schema, at);
      yield;
      const defaults =
        structural.length > 0 ? [] : new DefaultsValidation(options.metas, options.requirePrunedDefaults).validate(schema, at);
      if (structural.length === 0 && defaults.length === 0) rules = new SchemaRules(options.knownRules, isUnchanged);
      append(errors, structural, defaults);
    }
  }
  yield;
  append(errors, yield* validateSchemaNode(schema, at, options, rules));
  yield;
  if (errors.length === 0 && fault !== undefined) errors.push(invalid(at, '', fault));
  if (rules !== undefined && rules.totalCost > staticSchemaLimit) {
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    for (const expensive of rules.mostExpensive) errors.push(forbidden(expensive, contributed));
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.push(forbidden(at, costExceededMessage(what, rules.totalCost, staticSchemaLimit)));
  }
  return errors;
}

/** Lists and maps that count even when they are empty. */
const refusedWhenEmpty = 'enum allOf oneOf anyOf patternProperties dependencies definitions x-kubernetes-list-map-keys'.split(' ');

function validateRootWithStatus(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const allowed = new Set<string>(allowedWithStatus.map(([, name]) => name));
  const names = allowedWithStatus.map(([name]) => name).join(' ');
  const refused = Object.keys(schema).some((name) => !allowed.has(name)) || refusedWhenEmpty.some((name) => isDistinct(schema, name));
  const isObject = schema.type === undefined || schema.type === 'object';
  if (!isObject) {
    const message = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(path.child('openAPIV3Schema.type'), schema.type, message)];
  }
  if (!refused) return [];
  const message = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path.child('openAPIV3Schema'), schemaValue(schema), message)];
}

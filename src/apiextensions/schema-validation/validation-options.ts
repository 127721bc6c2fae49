// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#validationOptions
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { FieldPath } from '../../machinery/field.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { DefaultsValidation } from './defaults-validation.ts';
import { structuralFault, validateStructural } from './structural-validation.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { caBundleProblem } from '../conditions/ca-bundle.ts';
import { isConditionTrue } from '../conditions/conditions.ts';
import { validateMapKeys } from './list-map-keys.ts';
import { itemSchema, schemasIn, someSchema } from './schema-walk.ts';

export const openApiTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
export const maxSelectableFields = 8;

/** What is asked of a definition. What was accepted once, by older and laxer rules, is not refused on update. */
export interface ValidationOptions {
  readonly metas: ObjectMetas;
  readonly requireRecognizedReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchema: boolean;
  readonly requireValidTypes: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapKeys: boolean;
  readonly allowInvalidCaBundle: boolean;
  /** rules that have been there before may use what only this release knows, and may cost what they cost */
  readonly knownRules: ReadonlySet<string>;
  readonly unchangedVersions: ReadonlySet<string>;
  /** versions that may keep more selectable fields than are allowed now */
  readonly manySelectableFields: ReadonlySet<string>;
}

export function optionsForCreate(metas: ObjectMetas): ValidationOptions {
  return {
    metas,
    requireRecognizedReviewVersion: true,
    requireImmutableNames: false,
    requireSchema: true,
    requireValidTypes: true,
    requireStructural: true,
    requirePrunedDefaults: true,
    requireAtomicSets: true,
    requireMapKeys: true,
    // It is not established then, and says why.
    allowInvalidCaBundle: true,
    knownRules: new Set(),
    unchangedVersions: new Set(),
    manySelectableFields: new Set(),
  };
}

export function optionsForUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  metas: ObjectMetas,
): ValidationOptions {
  const oldVersions = old.spec.versions ?? [];
  const schemas = oldVersions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const none = (matches: (schema: JSONSchemaProps) => boolean): boolean => !schemas.some((schema) => someSchema(schema, matches));
  const reviewVersions = old.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  const authorities = old.spec.conversion?.webhook?.clientConfig?.caBundle;
  const pairs = (definition.spec.versions ?? []).flatMap((version) => {
    const before = oldVersions.find(({ name }) => name === version.name);
    return before === undefined ? [] : [{ version, before }];
  });
  return {
    metas,
    requireRecognizedReviewVersion: reviewVersions.length === 0 || reviewVersions.some(isRecognizedReviewVersion),
    requireImmutableNames: isConditionTrue(old, 'Established'),
    requireSchema: oldVersions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireValidTypes: none(({ type }) => Boolean(type) && !openApiTypes.includes(type as string)),
    requireStructural: schemas.every(isStructural),
    requirePrunedDefaults: schemas.every((schema) => !isStructural(schema) || hasPrunedDefaults(schema, metas)),
    requireAtomicSets: none(isNonAtomicSet),
    allowInvalidCaBundle: !isConditionTrue(old, 'Established') || caBundleProblem(authorities) !== undefined,
    requireMapKeys: none((schema) => validateMapKeys(schema, FieldPath.root('')).length > 0),
    knownRules: new Set(schemas.flatMap((schema) => schemasIn(schema).flatMap(rulesOf))),
    unchangedVersions: new Set(
      pairs.filter(({ version, before }) => semanticDeepEqual(version.schema, before.schema)).map(({ version }) => version.name),
    ),
    manySelectableFields: new Set(
      pairs
        .filter(({ version, before }) => {
          const fields = before.selectableFields ?? [];
          return fields.length > maxSelectableFields && semanticDeepEqual(version.selectableFields, fields);
        })
        .map(({ version }) => version.name),
    ),
  };
}

export function isRecognizedReviewVersion(version: string): boolean {
  return version === 'v1' || version === 'v1beta1';
}

/** Items of a set are compared as wholes, so nothing in them may be merged. */
export function isNonAtomicSet(schema: JSONSchemaProps): boolean {
  const items = itemSchema(schema.items);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return false;
  if (items.type === 'array') return items['x-kubernetes-list-type'] !== undefined && items['x-kubernetes-list-type'] !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}

export function isStructural(schema: JSONSchemaProps): boolean {
  return structuralFault(schema) === undefined && validateStructural(schema, FieldPath.root('')).length === 0;
}

function hasPrunedDefaults(schema: JSONSchemaProps, metas: ObjectMetas): boolean {
  const errors = new DefaultsValidation(metas, true).validate(schema, FieldPath.root(''));
  return !errors.some(({ detail }) => detail === 'must not have unknown fields');
}

function rulesOf(schema: JSONSchemaProps): string[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, messageExpression }) => [
    rule,
    ...(messageExpression ? [messageExpression] : []),
  ]);
}

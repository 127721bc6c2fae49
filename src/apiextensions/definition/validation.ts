// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath, invalid, notSupported, required, typedValue } from '../../machinery/field.ts';
import { checkDns1035Label, checkDns1123Subdomain, nameIsDnsSubdomain } from '../../machinery/names.ts';
import { distinctErrors } from '../../machinery/distinct-errors.ts';
import { validateImmutable, validateObjectMeta, validateObjectMetaUpdate } from '../../machinery/object-meta-validation.ts';
import type { CustomResourceDefinitionVersion, JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { approvalAnnotation, approvalOf, isProtectedGroup } from '../conditions/approval.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { validateConversion } from './conversion-validation.ts';
import type { InternalSpec } from '../schema-validation/internal-form.ts';
import { internalSpec, versionsValue } from '../schema-validation/internal-form.ts';
import { validateNames } from './names-validation.ts';
import { validateSchema } from '../schema-validation/schema-validation.ts';
import { validateAmount } from '../schema-validation/schema-amount.ts';
import { someSchema } from '../schema-validation/schema-walk.ts';
import type { ValidationOptions } from '../schema-validation/validation-options.ts';
import { optionsForCreate, optionsForUpdate } from '../schema-validation/validation-options.ts';
import { structuralFault } from '../schema-validation/structural-validation.ts';
import { validateColumn, validateSelectableFields, validateSubresources } from './version-validation.ts';

const metadataPath = FieldPath.root('metadata');
const specPath = FieldPath.root('spec');
const statusPath = FieldPath.root('status');

export function* validateDefinition(definition: CustomResourceDefinition, metas: ObjectMetas): Steps<FieldError[]> {
  const { spec, metadata } = definition;
  const expected = `${spec.names.plural}.${spec.group}`;
  const nameRule = (name: string, prefix: boolean): readonly string[] => {
    const faults = nameIsDnsSubdomain(name, prefix);
    return name === expected ? faults : [...faults, 'must be spec.names.plural+"."+spec.group'];
  };
  const amount = validateAmount(schemasOf(spec.versions), specPath.child('versions'));
  if (amount.length > 0) return amount;
  yield;
  return [
    ...distinctErrors(validateObjectMeta(metadata, false, nameRule, metadataPath)),
    ...(yield* validateSpec(internalSpec(spec), optionsForCreate(metas))),
    ...validateStatus(definition),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, undefined),
    ...validatePreserveUnknown(definition, undefined),
  ];
}

export function* validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  metas: ObjectMetas,
): Steps<FieldError[]> {
  const { spec } = definition;
  const amount = validateAmount(schemasOf(spec.versions), specPath.child('versions'));
  // what is stored already may stay
  if (amount.length > 0 && validateAmount(schemasOf(old.spec.versions), specPath).length === 0) return amount;
  yield;
  const options = optionsForUpdate(definition, old, metas);
  yield;
  const immutable = [
    ...(options.requireImmutableNames
      ? [
          ...validateImmutable(spec.scope, old.spec.scope, specPath.child('scope')),
          ...validateImmutable(spec.names.kind, old.spec.names.kind, specPath.child('names', 'kind')),
        ]
      : []),
    ...validateImmutable(spec.group, old.spec.group, specPath.child('group')),
    ...validateImmutable(spec.names.plural, old.spec.names.plural, specPath.child('names', 'plural')),
  ];
  return [
    ...validateMetadataUpdate(definition, old),
    ...(yield* validateSpec(internalSpec(spec), options)),
    ...immutable,
    ...validateStatus(definition),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, old),
    ...validatePreserveUnknown(definition, old),
  ];
}

function validateMetadataUpdate({ metadata }: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  return distinctErrors(validateObjectMetaUpdate(metadata, old.metadata, metadataPath));
}

export function validateStatusUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  return [...validateMetadataUpdate(definition, old), ...validateStatus(definition)];
}

function validateStatus({ status }: CustomResourceDefinition): FieldError[] {
  return validateNames(status.acceptedNames, statusPath.child('acceptedNames'));
}

function schemasOf(versions: readonly CustomResourceDefinitionVersion[] | null | undefined): JSONSchemaProps[] {
  return (versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

function* validateSpec(spec: InternalSpec, given: ValidationOptions): Steps<FieldError[]> {
  const errors = validateGroupAndScope(spec);
  const preserves = spec.preserveUnknownFields === true;
  const versionsPath = specPath.child('versions');
  if (given.requireSchema || !preserves) {
    for (const [i, version] of spec.versions.entries()) {
      if (schemaFor(spec, version) !== undefined || (!given.requireSchema && !version.served)) continue;
      const at = versionsPath.index(i).child('schema', 'openAPIV3Schema');
      errors.push(required(at, given.requireSchema ? '' : 'because otherwise all fields are pruned'));
    }
  }
  const schemas = [spec.validation, ...spec.versions.map(({ schema }) => schema)].flatMap((one) => one?.openAPIV3Schema ?? []);
  const hasDefaults = schemas.some((schema) => someSchema(schema, (one) => one.default !== undefined && one.default !== null));
  if (hasDefaults && preserves)
    errors.push(invalid(specPath.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema'));
  const options: ValidationOptions = {
    ...given,
    requireStructural:
      given.requireStructural || !preserves || hasDefaults || schemas.some((schema) => someSchema(schema, hasKubernetesExtensions)),
  };
  yield;
  for (const [i, version] of spec.versions.entries()) append(errors, yield* validateVersion(version, i, spec, options));
  append(errors, validateVersions(spec));
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!spec.names[name]) errors.push(required(specPath.child('names', name), ''));
  append(errors, validateNames(spec.names, specPath.child('names')), yield* validateCommon(spec, options));
  const { conversion } = spec;
  if (conversion !== undefined) {
    const at = specPath.child('conversion');
    if (conversion.strategy !== 'None' && preserves)
      errors.push(invalid(at.child('strategy'), conversion.strategy, 'must be None if spec.preserveUnknownFields is true'));
    append(errors, validateConversion(conversion, options, at));
  }
  return errors;
}

function validateGroupAndScope({ group, scope }: InternalSpec): FieldError[] {
  const errors: FieldError[] = [];
  const groupPath = specPath.child('group');
  const faults = checkDns1123Subdomain(group);
  if (!group) errors.push(required(groupPath, ''));
  else if (faults.length > 0) errors.push(invalid(groupPath, group, faults.join(',')));
  else if (!group.includes('.')) errors.push(invalid(groupPath, group, 'should be a domain with at least one dot'));
  const scopes = ['Cluster', 'Namespaced'];
  if (!scope) errors.push(required(specPath.child('scope'), ''));
  else if (!scopes.includes(scope)) errors.push(notSupported(specPath.child('scope'), scope, scopes));
  return errors;
}

function schemaFor(spec: InternalSpec, version: CustomResourceDefinitionVersion): JSONSchemaProps | undefined {
  return version.schema?.openAPIV3Schema ?? spec.validation?.openAPIV3Schema;
}

function* validateVersion(
  version: CustomResourceDefinitionVersion,
  index: number,
  spec: InternalSpec,
  options: ValidationOptions,
): Steps<FieldError[]> {
  const path = specPath.child('versions').index(index);
  const errors: FieldError[] = [];
  const faults = checkDns1035Label(version.name);
  if (faults.length > 0) errors.push(invalid(path.child('name'), version.name, faults.join(',')));
  for (const fault of deprecationFaults(version))
    errors.push(invalid(path.child('deprecationWarning'), typedValue(version.deprecationWarning ?? ''), fault));
  const subresources = spec.subresources ?? version.subresources;
  const context = { hasStatus: subresources?.status !== undefined, isUnchanged: options.unchangedVersions.has(version.name) };
  append(errors, yield* validateSchema(version.schema, context, options, path.child('schema')));
  append(errors, validateSubresources(version.subresources, path.child('subresources')));
  version.additionalPrinterColumns?.forEach((column, i) =>
    append(errors, validateColumn(column, path.child('additionalPrinterColumns').index(i))),
  );
  const fields = version.selectableFields ?? [];
  if (fields.length > 0) {
    const at = path.child('selectableFields');
    const schema = version.schema?.openAPIV3Schema;
    const missing = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    if (schema === undefined) errors.push(invalid(at, '', missing));
    else {
      const fault = structuralFault(schema);
      if (fault !== undefined) errors.push(invalid(path.child('schema', 'openAPIV3Schema'), '', fault));
      append(errors, validateSelectableFields(fields, schema, at, options.manySelectableFields.has(version.name)));
    }
  }
  return errors;
}

function deprecationFaults({ deprecated, deprecationWarning }: CustomResourceDefinitionVersion): string[] {
  if (deprecationWarning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const faults: string[] = [];
  if (Buffer.byteLength(deprecationWarning) > 256) faults.push('must be <= 256 characters long');
  if (deprecationWarning === '') faults.push('must not be an empty string');
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (odd !== null) {
    const at = Buffer.byteLength(deprecationWarning.slice(0, odd.index));
    faults.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
  return faults;
}

/** What holds for the versions together. */
function validateVersions({ versions, hasVersions, version }: InternalSpec): FieldError[] {
  const errors: FieldError[] = [];
  const at = specPath.child('versions');
  if (new Set(versions.map(({ name }) => name)).size !== versions.length)
    errors.push(invalid(at, versionsValue(versions), 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalid(at, hasVersions ? versionsValue(versions) : null, 'must have exactly one version marked as storage version'));
  const faults = version === '' ? [] : checkDns1035Label(version);
  if (faults.length > 0) errors.push(invalid(specPath.child('version'), version, faults.join(',')));
  return errors;
}

/** What all versions have in common. */
function* validateCommon(spec: InternalSpec, options: ValidationOptions): Steps<FieldError[]> {
  const hasStatus = spec.subresources?.status !== undefined || spec.versions.some(({ subresources }) => subresources?.status !== undefined);
  const context = { hasStatus, isUnchanged: options.unchangedVersions.has(spec.version) };
  const errors = [
    ...(yield* validateSchema(spec.validation, context, options, specPath.child('validation'))),
    ...validateSubresources(spec.subresources, specPath.child('subresources')),
  ];
  spec.additionalPrinterColumns?.forEach((column, i) =>
    append(errors, validateColumn(column, specPath.child('additionalPrinterColumns').index(i))),
  );
  const fields = spec.selectableFields ?? [];
  if (fields.length === 0) return errors;
  const at = specPath.child('selectableFields');
  const schema = spec.validation?.openAPIV3Schema;
  if (spec.validation === undefined || schema === undefined)
    return [...errors, invalid(at, '', 'may only be set when validations.schema is included')];
  const fault = structuralFault(schema);
  if (fault !== undefined) errors.push(invalid(specPath.child('schema', 'openAPIV3Schema'), '', fault));
  return [...errors, ...validateSelectableFields(fields, schema, at, options.manySelectableFields.has(spec.version))];
}

/** Objects may still be stored in any version that was the storage version once. */
function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = statusPath.child('storedVersions');
  const stored = status.storedVersions ?? [];
  if (stored.length === 0) return [invalid(path, status.storedVersions, 'must have at least one stored version')];
  const versions = spec.versions ?? [];
  const errors: FieldError[] = [];
  // Each stored version stands for one version: a second one of the same name finds it taken.
  const left = new Map(stored.map((name, i) => [name, i]));
  for (const { name, storage } of versions) {
    if (!left.delete(name) && storage) errors.push(invalid(path, stored, `must have the storage version ${name}`));
  }
  for (const [name, i] of left) {
    const message = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(path.index(i), name, message));
  }
  return errors;
}

function validateApproval({ spec, metadata }: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (!isProtectedGroup(spec.group)) return [];
  const { state, reason } = approvalOf(metadata.annotations);
  if (old !== undefined && approvalOf(old.metadata.annotations).state === state) return [];
  const path = FieldPath.root('metadata', 'annotations').key(approvalAnnotation);
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalid(path, metadata.annotations?.[approvalAnnotation] ?? '', reason)] : [];
}

function validatePreserveUnknown({ spec }: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  const message = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid(specPath.child('preserveUnknownFields'), true, message)];
}

function hasKubernetesExtensions(schema: JSONSchemaProps): boolean {
  return Object.keys(schema).some((name) => name.startsWith('x-kubernetes-') && name !== 'x-kubernetes-map-type');
}

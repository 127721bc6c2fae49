// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePersistentVolumeClaimSpec, #ValidatePersistentVolumeClaimTemplate
import { append } from '../../machinery/append.ts';
import { FieldPath, LiteralValue, forbidden, invalid, notSupported, required, typedValue } from '../../machinery/field.ts';
import { isDistinct } from '../../machinery/go-distinctions.ts';
import type { FieldError } from '../../machinery/field.ts';
import { validateLabelSelector } from '../../machinery/label-selector.ts';
import { checkDns1123Subdomain, nameIsDnsLabel, nameIsDnsSubdomain } from '../../machinery/names.ts';
import { validateAnnotations, validateLabels } from '../../machinery/object-meta-validation.ts';
import { Quantity } from '../../machinery/quantity.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate, TypedObjectReference } from '../../schema/types/core-v1.ts';

export interface ClaimValidationOptions {
  readonly allowInvalidLabelValueInSelector: boolean;
  readonly allowInvalidApiGroupInDataSource: boolean;
  readonly volumeAttributesClass: boolean;
}

/** For claims that are made by others: of ephemeral volumes and stateful sets. */
export const newClaimOptions: ClaimValidationOptions = Object.freeze({
  allowInvalidLabelValueInSelector: false,
  allowInvalidApiGroupInDataSource: false,
  volumeAttributesClass: true,
});

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, options: ClaimValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  const modesPath = path.child('accessModes');
  if (modes.length === 0) errors.push(required(modesPath, 'at least 1 access mode is required'));
  if (spec.selector !== undefined) {
    const { allowInvalidLabelValueInSelector: allowInvalidLabelValue } = options;
    append(errors, validateLabelSelector(spec.selector, path.child('selector'), { allowInvalidLabelValue }));
  }
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(modesPath, typedValue(mode), accessModes));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.push(forbidden(modesPath, 'may not use ReadWriteOncePod with other access modes'));
  }
  append(errors, validateStorageRequest(spec.resources?.requests?.['storage'], path.child('resources').key('storage')));
  append(errors, validateClassName(spec.storageClassName, path.child('storageClassName')));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    errors.push(notSupported(path.child('volumeMode'), typedValue(spec.volumeMode), volumeModes));
  }
  append(errors, validateDataSources(spec, path, options));
  if (options.volumeAttributesClass) {
    append(errors, validateClassName(spec.volumeAttributesClassName, path.child('volumeAttributesClassName')));
  }
  return errors;
}

function validateStorageRequest(storage: string | undefined, path: FieldPath): FieldError[] {
  if (storage === undefined) return [required(path, '')];
  const quantity = Quantity.parse(storage);
  if (quantity.sign <= 0) return [invalid(path, storage, 'must be greater than zero')];
  return [];
}

function validateClassName(name: string | undefined, path: FieldPath): FieldError[] {
  return name ? nameIsDnsSubdomain(name, false).map((problem) => invalid(path, name, problem)) : [];
}

function validateDataSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  path: FieldPath,
  options: ClaimValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (dataSource !== undefined) append(errors, validateDataSource(dataSource, path.child('dataSource'), options));
  if (dataSourceRef !== undefined) {
    const at = path.child('dataSourceRef');
    append(errors, validateDataSource(dataSourceRef, at, options));
    const { namespace } = dataSourceRef;
    if (namespace)
      append(
        errors,
        nameIsDnsLabel(namespace, false).map((problem) => invalid(at.child('namespace'), namespace, problem)),
      );
  }
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  // Upstream gives the path of the field as the bad value; a path has no exported members, so it prints as an empty object.
  const value = new LiteralValue('{}');
  const same =
    (dataSource.apiGroup ?? null) === (dataSourceRef.apiGroup ?? null) &&
    dataSource.kind === dataSourceRef.kind &&
    dataSource.name === dataSourceRef.name;
  if (dataSourceRef.namespace) errors.push(invalid(path, value, 'may not be specified when dataSourceRef.namespace is specified'));
  else if (!same) errors.push(invalid(path, value, 'must match dataSourceRef'));
  return errors;
}

function validateDataSource(
  { name, kind, apiGroup }: Pick<TypedObjectReference, 'name' | 'kind' | 'apiGroup'>,
  path: FieldPath,
  options: ClaimValidationOptions,
): FieldError[] {
  const group = apiGroup ?? '';
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(path.child('name'), ''));
  if (kind === '') errors.push(required(path.child('kind'), ''));
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (group !== '' && !options.allowInvalidApiGroupInDataSource) {
    append(
      errors,
      checkDns1123Subdomain(group).map((problem) => invalid(path.child('apiGroup'), group, problem)),
    );
  }
  return errors;
}

export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, path: FieldPath): FieldError[] {
  const { metadata = {}, spec } = template;
  return [...validateTemplateMetadata(metadata, path.child('metadata')), ...validateClaimSpec(spec, path.child('spec'), newClaimOptions)];
}

/** What a template's metadata must not have, in upstream's order. */
const forbiddenMetadata = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/** A template's metadata is labels and annotations. */
export function validateTemplateMetadata(metadata: object, path: FieldPath): FieldError[] {
  const { annotations, labels, ...others } = metadata as {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    [field: string]: unknown;
  };
  // An empty list counts as set.
  const given = forbiddenMetadata.filter((key) => others[key] !== undefined || isDistinct(metadata, key));
  return [
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validateLabels(labels, path.child('labels')),
    // A quirk kept: paths are made from Go's names, with a small first letter.
    ...given.map((key) => forbidden(path.child(key === 'uid' ? 'uID' : key), 'cannot be set')),
  ];
}

/** Sizes in less than whole bytes. */
export function claimSpecWarnings({ resources }: Pick<PersistentVolumeClaimSpec, 'resources'>, path: FieldPath): string[] {
  const found: string[] = [];
  for (const list of ['requests', 'limits'] as const) {
    const storage = resources?.[list]?.['storage'];
    if (storage === undefined || Quantity.parse(storage).milliValue() % 1000n === 0n) continue;
    found.push(`${path.child('resources', list).key('storage')}: fractional byte value "${storage}" is invalid, must be an integer`);
  }
  return found;
}

// Upstream: k8s.io/apimachinery/pkg/api/validation/objectmeta.go, k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
//
// Upstream also declares rules for ObjectMeta in the schema; all are at the alpha level in v1.37, so what is written by hand decides.
import { append } from './append.ts';
import { semanticDeepEqual } from './deep-equal.ts';
import { forbidden, invalid, notSupported, required, tooLong, typedValue } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { goQuote } from './go-format.ts';
import { describeKind, parseGroupVersion } from './group-version.ts';
import { checkLabelValue, isLongerThan, checkQualifiedName, nameIsDnsLabel } from './names.ts';
import type { NameRule } from './names.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from './object-meta.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts';

export const fieldImmutableMessage = 'field is immutable';
export const annotationsMaxBytes = 256 * 1024;
const fieldManagerMaxBytes = 128;
const subresourceMaxBytes = 256;

/** Metadata of an object that is created; its name has been generated already. */
export function validateObjectMeta(meta: ObjectMeta, namespaced: boolean, nameRule: NameRule, path: FieldPath): FieldError[] {
  const errors = validateObjectName(meta, nameRule, path);
  const { namespace = '' } = meta;
  if (!namespaced) {
    if (namespace !== '') errors.push(forbidden(path.child('namespace'), 'not allowed on this type'));
  } else if (namespace === '') {
    errors.push(required(path.child('namespace'), ''));
  } else {
    for (const problem of nameIsDnsLabel(namespace, false)) errors.push(invalid(path.child('namespace'), namespace, problem));
  }
  append(errors, validateNonNegative(meta.generation, path.child('generation')));
  append(errors, validateLabels(meta.labels, path.child('labels')), validateAnnotations(meta.annotations, path.child('annotations')));
  if (meta.ownerReferences !== undefined) append(errors, validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')));
  if (meta.finalizers !== undefined) append(errors, validateFinalizers(meta.finalizers, path.child('finalizers')));
  append(errors, validateManagedFields(meta.managedFields, path.child('managedFields')));
  return errors;
}

/** The name alone, of metadata that has passed all rules but this one. */
export function validateObjectName({ name = '', generateName = '' }: ObjectMeta, nameRule: NameRule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const problem of nameRule(generateName, true)) errors.push(invalid(path.child('generateName'), generateName, problem));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else for (const problem of nameRule(name, false)) errors.push(invalid(path.child('name'), name, problem));
  return errors;
}

/** `isPassed`: the new metadata has passed `validateObjectMeta`, so that what both ask is not asked again. */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path: FieldPath, isPassed = false): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersion = '', generation = 0 } = meta;
  if (old.deletionTimestamp !== undefined) {
    append(errors, validateNoNewFinalizers(meta.finalizers, old.finalizers, path.child('finalizers')));
  }
  if (resourceVersion === '') errors.push(invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  append(errors, validateNonNegative(generation, path.child('generation')));
  if (generation < (old.generation ?? 0)) errors.push(invalid(path.child('generation'), generation, 'must not be decremented'));
  for (const member of ['name', 'namespace', 'uid'] as const) {
    const now = meta[member] ?? '';
    const before = old[member] ?? '';
    if (now !== before) append(errors, validateImmutable(now, before, path.child(member)));
  }
  for (const member of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (meta[member] !== old[member]) append(errors, validateImmutable(meta[member], old[member], path.child(member)));
  }
  if (isPassed) return errors;
  append(errors, validateLabels(meta.labels, path.child('labels')), validateAnnotations(meta.annotations, path.child('annotations')));
  append(errors, validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')));
  append(errors, validateManagedFields(meta.managedFields, path.child('managedFields')));
  return errors;
}

export function validateNonNegative(value: number | bigint | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || value >= 0) return [];
  return [invalid(path, value, 'must be greater than or equal to 0').withOrigin('minimum')];
}

export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return semanticDeepEqual(old, value) ? [] : [invalid(path, value, fieldImmutableMessage)];
}

export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem).withOrigin('format=k8s-label-key'));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    if (checkQualifiedName(key).length > 0) append(errors, validateLabelName(key, path));
    const value = labels[key]!;
    for (const problem of checkLabelValue(value)) errors.push(invalid(path, value, problem).withOrigin('format=k8s-label-value'));
  }
  return errors;
}

/** Keys follow the rule of labels, whatever their case; keys and values together have a limit. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    for (const problem of checkQualifiedName(key.toLowerCase())) {
      errors.push(invalid(path, key, problem).withOrigin('format=k8s-label-key'));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!);
  }
  if (size > annotationsMaxBytes) errors.push(tooLong(path, annotationsMaxBytes));
  return errors;
}

export function validateOwnerReferences(references: readonly OwnerReference[] | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let first: string | undefined;
  references?.forEach((reference, index) => {
    append(errors, validateOwnerReference(reference, path.index(index)));
    if (reference.controller !== true) return;
    const current = `${reference.kind}/${reference.name}`;
    if (first === undefined) {
      first = current;
      return;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${current}`;
    errors.push(invalid(path, references, detail));
  });
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '' } = reference;
  const groupVersion = parseGroupVersion(apiVersion);
  if (apiVersion === '') errors.push(required(path.child('apiVersion'), 'must not be empty'));
  else if (groupVersion === undefined || groupVersion.version === '') {
    errors.push(invalid(path.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>'));
  }
  for (const member of ['kind', 'name', 'uid'] as const) {
    if (!reference[member]) errors.push(required(path.child(member), 'must not be empty'));
  }
  if (apiVersion === 'v1' && kind === 'Event') {
    const shown = describeKind({ group: '', version: 'v1', kind });
    errors.push(invalid(path, reference, `${shown} is disallowed from being an owner`));
  }
  return errors;
}

export function validateFinalizerName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem));
}

export function validateFinalizers(finalizers: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = finalizers.flatMap((finalizer) => validateFinalizerName(finalizer, path));
  if (finalizers.includes(finalizerOrphanDependents) && finalizers.includes(finalizerDeleteDependents)) {
    const detail = `finalizer ${finalizerOrphanDependents} and ${finalizerDeleteDependents} cannot be both set`;
    errors.push(invalid(path, finalizers, detail));
  }
  return errors;
}

export function validateNoNewFinalizers(
  finalizers: readonly string[] | undefined,
  old: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const extra = [...new Set(finalizers).difference(new Set(old))].sort();
  if (extra.length === 0) return [];
  const shown = `[]string{${extra.map(goQuote).join(', ')}}`;
  return [forbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`)];
}

export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  entries?.forEach((entry, index) => {
    const at = path.index(index);
    // The wire may carry any string here; the type says what is valid.
    const operation: string = entry.operation ?? '';
    const { fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation === '') errors.push(required(at.child('operation'), 'must not be empty'));
    else if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(notSupported(at.child('operation'), typedValue(operation), ['Apply', 'Update']));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') errors.push(invalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    append(errors, validateFieldManager(manager, at.child('manager')));
    if (isLongerThan(subresource, subresourceMaxBytes)) errors.push(tooLong(at.child('subresource'), subresourceMaxBytes));
  });
  return errors;
}

const plainName = /^[ -~]*$/;
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isLongerThan(manager, fieldManagerMaxBytes)) errors.push(tooLong(path, fieldManagerMaxBytes));
  if (plainName.test(manager)) return errors;
  for (const match of manager.matchAll(unprintable)) {
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const position = Buffer.byteLength(manager.slice(0, match.index));
    errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
  }
  return errors;
}

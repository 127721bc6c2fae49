// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePersistentVolumeSpec
import { append } from '../../../machinery/append.ts';
import { writeSorted } from '../../../machinery/codec/json/write.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, LiteralValue, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { escapeForHtml } from '../../../machinery/html-escape.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { PersistentVolumeSpec } from '../../../schema/types/core-v1.ts';
import { validateNodeSelector } from '../pod-spec/affinity.ts';
import { validateSources } from './sources.ts';

export interface VolumeSpecOptions {
  readonly allowInvalidLabelValueInNodeAffinity: boolean;
  readonly volumeAttributesClass: boolean;
}

const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];
const volumeModes: readonly string[] = ['Block', 'Filesystem'];
const notInline = 'may not be specified in the context of inline volumes';

export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  volumeName: string,
  path: FieldPath,
  options: VolumeSpecOptions,
): FieldError[] {
  const errors = [
    ...validateAccessModes(spec.accessModes ?? [], path.child('accessModes')),
    ...validateCapacity(spec, path.child('capacity')),
  ];
  const policy = spec.persistentVolumeReclaimPolicy ?? '';
  const policyPath = path.child('persistentVolumeReclaimPolicy');
  if (policy !== '' && !reclaimPolicies.includes(policy)) errors.push(notSupported(policyPath, typedValue(policy), reclaimPolicies));
  if (spec.nodeAffinity !== undefined) {
    const at = path.child('nodeAffinity', 'required');
    const { required: selector } = spec.nodeAffinity;
    if (selector === undefined) errors.push(required(at, 'must specify required node constraints'));
    else append(errors, validateNodeSelector(selector, at, options.allowInvalidLabelValueInNodeAffinity));
  }
  append(errors, validateSources(spec, volumeName, path), validateRecycling(spec, policyPath));
  if (spec.storageClassName) append(errors, validateClassName(spec.storageClassName, path.child('storageClassName')));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    errors.push(notSupported(path.child('volumeMode'), typedValue(spec.volumeMode), volumeModes));
  }
  if (spec.volumeAttributesClassName !== undefined && options.volumeAttributesClass) append(errors, validateAttributesClass(spec, path));
  return errors;
}

/** A volume that stands in an attachment and not for itself: what only matters to claims cannot be said of it. */
export function validateInlineVolumeSpec(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const { claimRef, capacity = {}, csi, accessModes: modes = [], nodeAffinity, ...others } = spec;
  const policy = others.persistentVolumeReclaimPolicy;
  const policyPath = path.child('persistentVolumeReclaimPolicy');
  const errors: FieldError[] = [];
  if (claimRef !== undefined) errors.push(forbidden(path.child('claimRef'), notInline));
  if (Object.keys(capacity).length > 0) errors.push(forbidden(path.child('capacity'), notInline));
  if (csi === undefined) errors.push(required(path.child('csi'), 'has to be specified in the context of inline volumes'));
  append(errors, validateAccessModes(modes, path.child('accessModes')));
  if (policy && policy !== 'Retain') errors.push(forbidden(policyPath, 'may only be Retain in the context of inline volumes'));
  if (nodeAffinity !== undefined) errors.push(forbidden(path.child('nodeAffinity'), notInline));
  const { nodeAffinity: _, ...anywhere } = spec;
  append(errors, validateSources(anywhere, '', path), validateRecycling(spec, policyPath));
  if (others.storageClassName) errors.push(forbidden(path.child('storageClassName'), notInline));
  if (others.volumeMode !== undefined && others.volumeMode !== 'Filesystem') {
    errors.push(forbidden(path.child('volumeMode'), 'may not specify volumeMode other than Filesystem in the context of inline volumes'));
  }
  return errors;
}

function validateAccessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const errors = modes.length === 0 ? [required(path, '')] : [];
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, typedValue(mode), accessModes));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateCapacity(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const { capacity = {} } = spec;
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(path, '')] : [];
  if (capacity['storage'] === undefined || names.length > 1)
    errors.push(notSupported(path, inOrder(asPrinted(spec, 'capacity', {})), ['storage']));
  for (const name of names) {
    const amount = Quantity.parse(capacity[name] as string);
    const at = path.key(name);
    if (amount.value() < 0n) errors.push(invalid(at, amount.value(), 'must be a valid resource quantity'));
    if (amount.sign <= 0) errors.push(invalid(at, String(amount), 'must be greater than zero'));
  }
  return errors;
}

function validateRecycling({ hostPath, persistentVolumeReclaimPolicy }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const isRoot = hostPath !== undefined && /^\/[./]*$/.test(hostPath.path);
  return isRoot && persistentVolumeReclaimPolicy === 'Recycle' ? [forbidden(path, "may not be 'recycle' for a hostPath mount of '/'")] : [];
}

function validateAttributesClass({ volumeAttributesClassName: name = '', csi }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const at = path.child('volumeAttributesClassName');
  const errors = name === '' ? [required(at, 'an empty string is disallowed')] : validateClassName(name, at);
  if (csi === undefined) errors.push(required(path.child('csi'), 'has to be specified when using volumeAttributesClassName'));
  return errors;
}

function validateClassName(name: string, path: FieldPath): FieldError[] {
  return nameIsDnsSubdomain(name, false).map((problem) => invalid(path, name, problem));
}

/** Maps are shown with their keys in order, those that look like numbers too. */
function inOrder(amounts: Readonly<Record<string, string>> | null): LiteralValue {
  return new LiteralValue(escapeForHtml(writeSorted(amounts)));
}

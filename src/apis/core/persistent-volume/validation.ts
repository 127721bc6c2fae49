// Upstream: pkg/apis/core/validation/validation.go (ValidatePersistentVolume), pkg/volume/validation/pv_validation.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { isLabelValue, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { FIELD_IMMUTABLE_MESSAGE } from '../../../machinery/object-meta-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { NodeSelectorRequirement, PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateNodeSelector } from '../../common/pod-spec/affinity.ts';
import { internalSourceDiff, sourceOf } from './internal-source.ts';
import { validateSources } from './source-validation.ts';

type Volume = PersistentVolume & KubeObject;

const specPath = Path.root('spec');
const mountOptions = 'volume.beta.kubernetes.io/mount-options';
const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];
const volumeModes: readonly string[] = ['Block', 'Filesystem'];
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

export function validate(volume: Volume): FieldError[] {
  return [...validateSpec(volume, false), ...validateMountOptions(volume)];
}

export function validateUpdate(volume: Volume, old: Volume, { features }: WriteContext): FieldError[] {
  const terms = old.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const invalidValues = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => isLabelValue(value).length > 0)),
  );
  const errors = [
    ...validateMetadata(volume.metadata, false),
    ...validateSpec(volume, invalidValues),
    ...validateMountOptions(volume),
    ...validateSameSource(volume.spec, old.spec),
  ];
  if (volume.spec.volumeMode !== old.spec.volumeMode) {
    errors.push(invalid(Path.root('volumeMode'), typedValue(volume.spec.volumeMode ?? null), FIELD_IMMUTABLE_MESSAGE));
  }
  const affinity = volume.spec.nodeAffinity;
  if (
    !features.enabled('MutablePVNodeAffinity') &&
    old.spec.nodeAffinity !== undefined &&
    !semanticDeepEqual(affinity, old.spec.nodeAffinity)
  ) {
    errors.push(
      invalid(
        Path.root('nodeAffinity'),
        internalAffinity(affinity),
        `${FIELD_IMMUTABLE_MESSAGE}, except for updating from beta label to GA`,
      ),
    );
  }
  const path = specPath.child('volumeAttributesClassName');
  if (volume.spec.volumeAttributesClassName !== old.spec.volumeAttributesClassName) {
    if (!features.enabled('VolumeAttributesClass')) {
      errors.push(forbidden(path, 'update is forbidden when the VolumeAttributesClass feature gate is disabled'));
    }
    if (volume.spec.volumeAttributesClassName === undefined) errors.push(forbidden(path, 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

/** Where the data is never changes; only a secret for growing may be added. */
function validateSameSource(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): FieldError[] {
  let source = sourceOf(spec);
  const before = sourceOf(old);
  if (before.csi !== undefined && before.csi.controllerExpandSecretRef === undefined && source.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...csi } = source.csi;
    source = { ...source, csi };
  }
  const difference = internalSourceDiff(before, source);
  if (difference === '') return [];
  return [forbidden(specPath.child('persistentvolumesource'), `spec.persistentvolumesource is immutable after creation\n${difference}`)];
}

function validateMountOptions({ metadata, spec }: Volume): FieldError[] {
  if (metadata.annotations?.[mountOptions] === undefined || mountable.some((source) => spec[source] !== undefined)) return [];
  return [forbidden(Path.root('metadata', 'annotations', mountOptions), 'may not specify mount options for this volume type')];
}

function validateSpec({ metadata, spec }: Volume, allowInvalidValues: boolean): FieldError[] {
  const errors = [...validateAccessModes(spec.accessModes ?? []), ...validateCapacity(spec.capacity ?? {}, specPath.child('capacity'))];
  const policy = spec.persistentVolumeReclaimPolicy ?? '';
  const policyPath = specPath.child('persistentVolumeReclaimPolicy');
  if (policy !== '' && !reclaimPolicies.includes(policy)) errors.push(notSupported(policyPath, typedValue(policy), reclaimPolicies));
  if (spec.nodeAffinity !== undefined) {
    const path = specPath.child('nodeAffinity', 'required');
    const { required: selector } = spec.nodeAffinity;
    if (selector === undefined) errors.push(required(path, 'must specify required node constraints'));
    else errors.push(...validateNodeSelector(selector, path, allowInvalidValues));
  }
  errors.push(...validateSources(spec, metadata.name ?? '', specPath));
  if (spec.hostPath !== undefined && policy === 'Recycle' && /^\/+(\.?\/*)*$/.test(spec.hostPath.path)) {
    errors.push(forbidden(policyPath, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (spec.storageClassName) errors.push(...validateClassName(spec.storageClassName, specPath.child('storageClassName')));
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    errors.push(notSupported(specPath.child('volumeMode'), typedValue(spec.volumeMode), volumeModes));
  }
  if (spec.volumeAttributesClassName !== undefined)
    errors.push(...validateAttributesClass(spec, specPath.child('volumeAttributesClassName')));
  return errors;
}

function validateAccessModes(modes: readonly string[]): FieldError[] {
  const path = specPath.child('accessModes');
  const errors = modes.length === 0 ? [required(path, '')] : [];
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, typedValue(mode), accessModes));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateCapacity(capacity: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(path, '')] : [];
  if (capacity['storage'] === undefined || names.length > 1)
    errors.push(notSupported(path, names.length === 0 ? null : capacity, ['storage']));
  for (const name of names) {
    const amount = Quantity.parse(capacity[name] as string);
    const at = path.key(name);
    if (amount.value() < 0n) errors.push(invalid(at, amount.value(), 'must be a valid resource quantity'));
    if (amount.sign <= 0) errors.push(invalid(at, String(amount), 'must be greater than zero'));
  }
  return errors;
}

function validateAttributesClass({ volumeAttributesClassName: name = '', csi }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors = name === '' ? [required(path, 'an empty string is disallowed')] : validateClassName(name, path);
  if (csi === undefined) errors.push(required(specPath.child('csi'), 'has to be specified when using volumeAttributesClassName'));
  return errors;
}

function validateClassName(name: string, path: FieldPath): FieldError[] {
  return nameIsDnsSubdomain(name, false).map((problem) => invalid(path, name, problem));
}

/** The original shows its internal structs, which have no JSON names. */
function internalAffinity(affinity: VolumeNodeAffinity | undefined): unknown {
  if (affinity === undefined) return null;
  const requirements = (list: readonly NodeSelectorRequirement[] | undefined): unknown =>
    list?.map(({ key, operator, values }) => ({ Key: key, Operator: operator, Values: values ?? null })) ?? null;
  const terms = affinity.required?.nodeSelectorTerms?.map(({ matchExpressions, matchFields }) => ({
    MatchExpressions: requirements(matchExpressions),
    MatchFields: requirements(matchFields),
  }));
  return { Required: affinity.required === undefined ? null : { NodeSelectorTerms: terms ?? null } };
}

// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePersistentVolume, k8s.io/kubernetes/pkg/volume/validation/pv_validation.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, typedValue } from '../../../machinery/field.ts';
import { checkLabelValue } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { Type } from '../../../machinery/type-model.ts';
import type { PersistentVolume, PersistentVolumeSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateVolumeSpec } from '../../common/persistent-volume-spec/validation.ts';
import { isSameNodeAffinity } from './node-affinity.ts';
import { internalSourceDiff } from './internal-source.ts';

type Volume = PersistentVolume & KubeObject;

const specPath = FieldPath.root('spec');
const mountOptions = 'volume.beta.kubernetes.io/mount-options';
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

export function validate(volume: Volume, { features }: WriteContext): FieldError[] {
  return [
    ...validateVolumeSpec(volume.spec, volume.metadata.name ?? '', specPath, {
      allowInvalidLabelValueInNodeAffinity: false,
      volumeAttributesClass: features.enabled('VolumeAttributesClass'),
    }),
    ...validateMountOptions(volume),
  ];
}

export function validateUpdate(volume: Volume, old: Volume, { features, reader }: WriteContext): FieldError[] {
  const { spec } = volume;
  const specType = typeAt(reader.resource('', 'persistentvolumes').storage.type, 'spec');
  const volumeAttributesClass = features.enabled('VolumeAttributesClass') || old.spec.volumeAttributesClassName !== undefined;
  const errors = [
    ...validateMetadata(volume.metadata, false),
    ...validateVolumeSpec(spec, volume.metadata.name ?? '', specPath, {
      allowInvalidLabelValueInNodeAffinity: hasInvalidLabelValue(old.spec),
      volumeAttributesClass,
    }),
    ...validateMountOptions(volume),
    ...validateSameSource(spec, old.spec, specType),
  ];
  if (spec.volumeMode !== old.spec.volumeMode) {
    errors.push(invalid(FieldPath.root('volumeMode'), typedValue(spec.volumeMode ?? null), fieldImmutableMessage));
  }
  const affinityMayChange = features.enabled('MutablePVNodeAffinity') || old.spec.nodeAffinity === undefined;
  if (!affinityMayChange && !isSameNodeAffinity(spec.nodeAffinity, old.spec.nodeAffinity)) {
    const shown = spec.nodeAffinity && internalValue(typeAt(specType, 'nodeAffinity'), spec.nodeAffinity);
    const detail = `${fieldImmutableMessage}, except for updating from beta label to GA`;
    errors.push(invalid(FieldPath.root('nodeAffinity'), shown ?? null, detail));
  }
  if (spec.volumeAttributesClassName !== old.spec.volumeAttributesClassName) {
    const path = specPath.child('volumeAttributesClassName');
    if (!features.enabled('VolumeAttributesClass')) {
      errors.push(forbidden(path, 'update is forbidden when the VolumeAttributesClass feature gate is disabled'));
    }
    if (spec.volumeAttributesClassName === undefined) errors.push(forbidden(path, 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

function hasInvalidLabelValue({ nodeAffinity }: PersistentVolumeSpec): boolean {
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => checkLabelValue(value).length > 0)),
  );
}

/** Where the data is never changes; only a secret for growing may be added. */
function validateSameSource(spec: PersistentVolumeSpec, old: PersistentVolumeSpec, specType: Type): FieldError[] {
  let source = spec;
  if (old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined && spec.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...csi } = spec.csi;
    source = { ...spec, csi };
  }
  const difference = internalSourceDiff(old, source, specType);
  if (difference === '') return [];
  return [forbidden(specPath.child('persistentvolumesource'), `spec.persistentvolumesource is immutable after creation\n${difference}`)];
}

function validateMountOptions({ metadata, spec }: Volume): FieldError[] {
  if (metadata.annotations?.[mountOptions] === undefined || mountable.some((source) => spec[source] !== undefined)) return [];
  return [forbidden(FieldPath.root('metadata', 'annotations', mountOptions), 'may not specify mount options for this volume type')];
}

// Upstream: k8s.io/kubernetes/pkg/registry/core/persistentvolume/strategy.go, k8s.io/kubernetes/pkg/api/persistentvolume/util.go
import { append } from '../../../machinery/append.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { PersistentVolume } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { nodeSelectorTermWarnings } from '../../common/node-label-warnings.ts';
import { defaultVolumeSpec } from '../../common/persistent-volume-spec/defaults.ts';
import { columns } from './columns.ts';
import { validate, validateUpdate } from './validation.ts';

type Volume = PersistentVolume & KubeObject;

const deprecatedAnnotations: readonly (readonly [name: string, message: string])[] = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];
/** sources that nothing serves any more: how the field is called in the warning, and since when */
const deprecatedSources = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

export const persistentVolumes = defineResource<Volume>({
  group: '',
  plural: 'persistentvolumes',
  strategy: {
    returnDeletedObject: true,
    defaults({ spec, status }) {
      status.phase ||= 'Pending';
      spec.persistentVolumeReclaimPolicy ||= 'Retain';
      spec.volumeMode ??= 'Filesystem';
      defaultVolumeSpec(spec);
    },
    prepareForCreate(volume, { features, now }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: now };
      dropDisabledFields(volume, undefined, features);
    },
    prepareForUpdate: (volume, old, { features }) => dropDisabledFields(volume, old, features),
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  status: {
    /** A phase that changes without a time gets one; one that stays keeps its own. */
    prepareForUpdate({ status }, { status: old }, { now }) {
      const { lastPhaseTransitionTime: time } = status;
      if (status.phase !== old.phase) {
        if (time === undefined || time === old.lastPhaseTransitionTime) status.lastPhaseTransitionTime = now;
      } else if (time === undefined && old.lastPhaseTransitionTime !== undefined) {
        status.lastPhaseTransitionTime = old.lastPhaseTransitionTime;
      }
    },
  },
  selectableFields: { name: ({ metadata }) => metadata.name ?? '' },
  columns,
});

function dropDisabledFields({ spec }: Volume, old: Volume | undefined, features: FeatureGates): void {
  if (!features.enabled('VolumeAttributesClass') && old?.spec.volumeAttributesClassName === undefined) {
    delete spec.volumeAttributesClassName;
  }
}

function warnings({ metadata, spec }: Volume): readonly string[] {
  const path = FieldPath.root('spec');
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const termsPath = path.child('nodeAffinity', 'required', 'nodeSelectorTerms');
  const found = deprecatedAnnotations
    .filter(([name]) => metadata.annotations?.[name] !== undefined)
    .map(([name, message]) => `${FieldPath.root('metadata', 'annotations').key(name)}: ${message}`);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const message = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    found.push(`${path.child('persistentVolumeReclaimPolicy')}: ${message}`);
  }
  append(
    found,
    terms.flatMap((term, index) => nodeSelectorTermWarnings(term, termsPath.index(index), false)),
  );
  for (const [field, shown, message] of deprecatedSources) {
    if (spec[field] !== undefined) found.push(`${path.child(shown)}: ${message}`);
  }
  return found;
}

// Upstream: k8s.io/kubernetes/pkg/registry/storage/csidriver/strategy.go, k8s.io/kubernetes/pkg/apis/storage/v1/defaults.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { CSIDriverSpec } from '../../../schema/types/storage-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { columns } from './columns.ts';
import { validate, validateUpdate } from './validation.ts';
import type { CsiDriverObject } from './validation.ts';

const gatedFields = [
  ['seLinuxMount', 'SELinuxMountReadWriteOncePod'],
  ['nodeAllocatableUpdatePeriodSeconds', 'MutableCSINodeAllocatableCount'],
  ['serviceAccountTokenInSecrets', 'CSIServiceAccountTokenSecrets'],
  ['preventPodSchedulingIfMissing', 'VolumeLimitScaling'],
] as const;

export const csiDrivers = ({ features: gates }: { readonly features: FeatureGates }): ResourceDefinition =>
  defineResource<CsiDriverObject>({
    group: 'storage.k8s.io',
    plural: 'csidrivers',
    strategy: {
      allowUnconditionalUpdate: false,
      returnDeletedObject: true,
      defaults({ spec }) {
        if (spec === undefined) return;
        spec.attachRequired ??= true;
        spec.podInfoOnMount ??= false;
        spec.storageCapacity ??= false;
        spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
        if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
        spec.requiresRepublish ??= false;
        if (gates.enabled('SELinuxMountReadWriteOncePod')) spec.seLinuxMount ??= false;
        if (gates.enabled('VolumeLimitScaling')) spec.preventPodSchedulingIfMissing ??= false;
      },
      prepareForCreate: ({ spec }, { features }) => dropDisabledFields(spec, {}, features),
      prepareForUpdate({ metadata, spec }, old, { features }) {
        dropDisabledFields(spec, old.spec, features);
        // A driver has no generation until it changes.
        if (!semanticDeepEqual(spec, old.spec)) metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      },
      validate,
      validateUpdate,
      warningsOnCreate: ({ spec }, context) => tokenWarnings(spec, context),
      warningsOnUpdate({ spec }, old, context) {
        return semanticDeepEqual(spec.tokenRequests, old.spec.tokenRequests) ? [] : tokenWarnings(spec, context);
      },
    },
    columns,
  });

function dropDisabledFields(spec: CSIDriverSpec, old: CSIDriverSpec, features: FeatureGates): void {
  for (const [field, gate] of gatedFields) if (!features.enabled(gate) && old[field] === undefined) delete spec[field];
}

function tokenWarnings({ tokenRequests = [], serviceAccountTokenInSecrets }: CSIDriverSpec, { features }: WriteContext): readonly string[] {
  const told = serviceAccountTokenInSecrets !== undefined || tokenRequests.length === 0;
  if (told || !features.enabled('CSIServiceAccountTokenSecrets')) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

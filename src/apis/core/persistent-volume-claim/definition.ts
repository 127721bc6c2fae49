// Upstream: k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/strategy.go, k8s.io/kubernetes/pkg/api/persistentvolumeclaim/util.go
import { FieldPath } from '../../../machinery/field.ts';
import type { PersistentVolumeClaim } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { claimSpecWarnings } from '../../common/persistent-volume-claim-spec.ts';
import { roundResources } from '../../common/pod-spec/defaults.ts';
import { betaClassAnnotation } from '../../common/volume-columns.ts';
import { columns } from './columns.ts';
import { dropUnknownSource, matchSources } from './data-sources.ts';
import { validateStatusUpdate } from './status-validation.ts';
import { validate, validateUpdate } from './validation.ts';

type Claim = PersistentVolumeClaim & KubeObject;

export const persistentVolumeClaims = defineResource<Claim>({
  group: '',
  plural: 'persistentvolumeclaims',
  strategy: {
    returnDeletedObject: true,
    defaults({ spec, status }) {
      spec.volumeMode ??= 'Filesystem';
      status.phase ||= 'Pending';
      for (const list of [spec.resources.limits, spec.resources.requests, status.capacity, status.allocatedResources]) roundResources(list);
    },
    createdWithoutDefaults: true,
    prepareForCreate(claim, { features }) {
      // Not stored by upstream, but shown to every reader of the object.
      claim.status = { phase: 'Pending' };
      dropDisabledFields(claim, undefined, features);
      dropUnknownSource(claim.spec, undefined);
      matchSources(claim.spec);
    },
    prepareForUpdate(claim, old, { features }) {
      dropDisabledFields(claim, old, features);
      dropUnknownSource(claim.spec, old.spec);
      matchSources(claim.spec);
      // What was stored before both fields existed compares as if it had them.
      matchSources(old.spec);
    },
    validate,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  status: {
    prepareForUpdate({ status }, { status: old }, { features }) {
      const drop = (gate: string, ...fields: (keyof typeof status)[]): void => {
        if (features.enabled(gate)) return;
        for (const field of fields) if (old[field] === undefined) delete status[field];
      };
      drop('VolumeAttributesClass', 'currentVolumeAttributesClassName', 'modifyVolumeStatus');
      drop('RecoverVolumeExpansionFailure', 'allocatedResources', 'allocatedResourceStatuses');
      drop('CSIVolumeHealth', 'healthStatus');
    },
    validateUpdate: validateStatusUpdate,
  },
  selectableFields: { name: ({ metadata }) => metadata.name ?? '' },
  columns,
});

function dropDisabledFields({ spec }: Claim, old: Claim | undefined, features: FeatureGates): void {
  if (!features.enabled('VolumeAttributesClass') && old?.spec.volumeAttributesClassName === undefined) {
    delete spec.volumeAttributesClassName;
  }
  const crossesNamespaces = Boolean(spec.dataSourceRef?.namespace);
  if (!features.enabled('CrossNamespaceVolumeDataSource') && crossesNamespaces && old?.spec.dataSourceRef === undefined) {
    delete spec.dataSourceRef;
  }
}

function warnings({ metadata, spec }: Claim): readonly string[] {
  const found: string[] = [];
  if (metadata.annotations?.[betaClassAnnotation] !== undefined) {
    const path = FieldPath.root('metadata', 'annotations').key(betaClassAnnotation);
    found.push(`${path}: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  return [...found, ...claimSpecWarnings(spec, FieldPath.root('spec'))];
}

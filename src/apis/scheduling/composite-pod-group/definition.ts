// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/compositepodgroup/strategy.go
import { validateConditions } from '../../../machinery/conditions.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { CompositePodGroup, CompositePodGroupSpec } from '../../../schema/types/scheduling-v1alpha3.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject, ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { podGroupColumns } from '../../common/pod-group-columns.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';

type Group = CompositePodGroup & KubeObject;

export const compositePodGroups = ({ features: gates }: { readonly features: FeatureGates }): ResourceDefinition =>
  defineResource<Group>({
    group: 'scheduling.k8s.io',
    plural: 'compositepodgroups',
    strategy: {
      allowUnconditionalUpdate: false,
      defaults({ spec }) {
        if (gates.enabled('PodGroupPreemptionPolicy')) spec.preemptionPolicy ??= 'PreemptLowerPriority';
      },
      prepareForCreate: ({ spec }, { features }) => dropDisabledFields(spec, undefined, features),
      prepareForUpdate: ({ spec }, old, { features }) => dropDisabledFields(spec, old.spec, features),
    },
    status: {
      prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
      validateUpdate: ({ status }) =>
        validateConditions(status.conditions as Parameters<typeof validateConditions>[0], FieldPath.root('status', 'conditions')),
      resetFields: [['metadata'], ['spec']],
    },
    columns: [...podGroupColumns('io.k8s.api.scheduling.v1alpha3.CompositePodGroupSpec'), ageColumn],
  });

function dropDisabledFields(spec: CompositePodGroupSpec, old: CompositePodGroupSpec | undefined, features: FeatureGates): void {
  if (!features.enabled('PodGroupPreemptionPolicy') && old?.preemptionPolicy === undefined) delete spec.preemptionPolicy;
}

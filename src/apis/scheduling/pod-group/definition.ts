// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/podgroup/strategy.go
import { validateConditions } from '../../../machinery/conditions.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { PodGroup, PodGroupSpec } from '../../../schema/types/scheduling-v1beta1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject, ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { podGroupColumns } from '../../common/pod-group-columns.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';

type Group = PodGroup & KubeObject;

const specPath = FieldPath.root('spec');
const statusPath = FieldPath.root('status');
const gatedFields = [
  ['schedulingConstraints', 'TopologyAwareWorkloadScheduling'],
  ['resourceClaims', 'DRAWorkloadResourceClaims'],
  ['preemptionPolicy', 'PodGroupPreemptionPolicy'],
  ['parentCompositePodGroupName', 'CompositePodGroup'],
] as const;

export const podGroups = ({ features: gates }: { readonly features: FeatureGates }): ResourceDefinition =>
  defineResource<Group>({
    group: 'scheduling.k8s.io',
    plural: 'podgroups',
    strategy: {
      allowUnconditionalUpdate: false,
      defaults({ spec }) {
        if (gates.enabled('PodGroupPreemptionPolicy')) spec.preemptionPolicy ??= 'PreemptLowerPriority';
      },
      prepareForCreate: ({ spec }, { features }) => dropDisabledFields(spec, undefined, features),
      prepareForUpdate: ({ spec }, old, { features }) => dropDisabledFields(spec, old.spec, features),
      validate({ spec }) {
        if (spec.parentCompositePodGroupName === undefined || spec.workloadRef !== undefined) return [];
        const detail = 'must be set when parentCompositePodGroupName is set';
        return [required(specPath.child('workloadRef'), detail).withOrigin('dependentRequired')];
      },
    },
    status: {
      prepareForUpdate({ metadata, status }, old, { features }) {
        resetMetadataForStatus(metadata, old.metadata);
        if (!features.enabled('DRAWorkloadResourceClaims') && !old.spec.resourceClaims?.length) delete status.resourceClaimStatuses;
      },
      validateUpdate: validateStatus,
      resetFields: [['metadata'], ['spec']],
    },
    columns: [
      ...podGroupColumns('io.k8s.api.scheduling.v1beta1.PodGroupSpec'),
      { name: 'Status', type: 'string', description: 'Status of the PodGroup', cell: ({ status }) => statusText(status) },
      ageColumn,
    ],
  });

function dropDisabledFields(spec: PodGroupSpec, old: PodGroupSpec | undefined, features: FeatureGates): void {
  for (const [field, gate] of gatedFields) {
    if (!features.enabled(gate) && old?.[field] === undefined) delete spec[field];
  }
}

function validateStatus({ spec, status }: Group): FieldError[] {
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name));
  const path = statusPath.child('resourceClaimStatuses');
  return [
    ...validateConditions(status.conditions as Parameters<typeof validateConditions>[0], statusPath.child('conditions')),
    ...(status.resourceClaimStatuses ?? []).flatMap(({ name }, index) =>
      claims.has(name) ? [] : [invalid(path.index(index).child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')],
    ),
  ];
}

function statusText({ conditions = [] }: Group['status']): string {
  const disrupted = conditions.findLast(({ type }) => type === 'DisruptionTarget');
  if (disrupted !== undefined) return disrupted.reason;
  const scheduled = conditions.findLast(({ type }) => type === 'PodGroupInitiallyScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}

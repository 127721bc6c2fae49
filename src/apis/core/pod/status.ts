// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#podStatusStrategy, k8s.io/kubernetes/pkg/api/pod/util.go#dropDisabledPodStatusFields
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForIp } from '../../../machinery/ip-validation.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { StatusStrategy } from '../../../server/registry/definition.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { dropInitContainerAnnotations } from '../../common/pod-spec/disabled-fields.ts';
import type { PodObject } from './pod-object.ts';
import { validateStatusUpdate } from './status-validation.ts';

export const podStatus: StatusStrategy<PodObject> = {
  resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  prepareForUpdate(pod, old, { features }) {
    const before: core.PodStatus = old.status ?? {};
    pod.status ??= {};
    const { status, metadata } = pod;
    delete metadata.deletionTimestamp;
    // Old kubelets write them in a way that breaks garbage collection.
    setOrDelete(metadata, 'ownerReferences', old.metadata.ownerReferences);
    if (!status.qosClass) setOrDelete(status, 'qosClass', before.qosClass);
    // A client that does not know these fields does not mean to remove them; an empty list does.
    for (const field of ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'] as const) {
      if (status[field] === undefined && !isDistinct(status, field)) setOrDelete(status, field, before[field] as never);
    }
    keepObservedGenerations(status, before);
    dropDisabledStatusFields(status, before, old.spec, features);
    dropInitContainerAnnotations(metadata.annotations);
  },
  validateUpdate: (pod, old, context) => validateStatusUpdate(pod, old, context),
  warningsOnUpdate({ status }) {
    const path = FieldPath.root('status');
    return [
      ...(status.podIPs ?? []).flatMap(({ ip }, index) => warningsForIp(ip, path.child('podIPs').index(index).child('ip'))),
      ...(status.hostIPs ?? []).flatMap(({ ip }, index) => warningsForIp(ip, path.child('hostIPs').index(index).child('ip'))),
    ];
  },
};

/** Generations that a client leaves out stay, of the status and of each condition; there may be several of one type. */
function keepObservedGenerations(status: core.PodStatus, old: core.PodStatus): void {
  if (!status.observedGeneration) setOrDelete(status, 'observedGeneration', old.observedGeneration);
  const known = Map.groupBy(old.conditions ?? [], ({ type }) => type);
  for (const condition of status.conditions ?? []) {
    const before = known.get(condition.type)?.shift();
    if (!condition.observedGeneration) setOrDelete(condition, 'observedGeneration', before?.observedGeneration);
  }
}

function containersOf(status: core.PodStatus): core.ContainerStatus[] {
  return [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses].flatMap((list) => list ?? []);
}

interface GatedStatusField {
  readonly gate: string;
  readonly inUse: (old: core.PodStatus, spec: core.PodSpec) => boolean;
  readonly drop: (status: core.PodStatus) => void;
}

const gatedFields: readonly GatedStatusField[] = [
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    inUse: ({ resources, allocatedResources }) => resources !== undefined || allocatedResources !== undefined,
    drop(status) {
      delete status.resources;
      delete status.allocatedResources;
    },
  },
  {
    gate: 'DRAExtendedResource',
    inUse: ({ extendedResourceClaimStatus }) => extendedResourceClaimStatus !== undefined,
    drop: (status) => delete status.extendedResourceClaimStatus,
  },
  {
    gate: 'ResourceHealthStatus',
    inUse: (old) => containersOf(old).some(({ allocatedResourcesStatus }) => allocatedResourcesStatus !== undefined),
    drop: (status) => containersOf(status).forEach((container) => delete container.allocatedResourcesStatus),
  },
  {
    gate: 'ResourceHealthStatusMessage',
    inUse: (old) => healths(old).some(({ message }) => message !== undefined),
    drop: (status) => healths(status).forEach((health) => delete health.message),
  },
  {
    gate: 'ImageVolumeWithDigest',
    inUse: (old) => mounts(old).some(({ volumeStatus }) => volumeStatus?.image !== undefined),
    drop: (status) => mounts(status).forEach((mount) => delete mount.volumeStatus),
  },
  {
    gate: 'DRANodeAllocatableResources',
    inUse: ({ nodeAllocatableResourceClaimStatuses: statuses }) => (statuses?.length ?? 0) > 0,
    drop: (status) => delete status.nodeAllocatableResourceClaimStatuses,
  },
  { gate: 'CSIVolumeHealth', inUse: ({ volumeHealth }) => (volumeHealth?.length ?? 0) > 0, drop: (status) => delete status.volumeHealth },
];

function healths(status: core.PodStatus): core.ResourceHealth[] {
  return containersOf(status).flatMap(({ allocatedResourcesStatus }) =>
    (allocatedResourcesStatus ?? []).flatMap(({ resources }) => resources ?? []),
  );
}

function mounts(status: core.PodStatus): core.VolumeMountStatus[] {
  return containersOf(status).flatMap(({ volumeMounts }) => volumeMounts ?? []);
}

function dropDisabledStatusFields(status: core.PodStatus, old: core.PodStatus, spec: core.PodSpec, features: FeatureGates): void {
  for (const { gate, inUse, drop } of gatedFields) if (!features.enabled(gate) && !inUse(old, spec)) drop(status);
}

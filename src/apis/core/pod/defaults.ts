// Upstream: k8s.io/kubernetes/pkg/apis/core/v1/defaults.go#SetDefaults_Pod, #SetDefaults_PodStatus
import type { PodStatus } from '../../../schema/types/core-v1.ts';
import { defaultPodOnly, defaultPodSpec, roundResources } from '../../common/pod-spec/defaults.ts';
import type { PodObject } from './pod-object.ts';

export function defaultPod({ spec, status }: PodObject): void {
  defaultPodOnly(spec);
  defaultPodSpec(spec);
  if (status !== undefined) defaultStatus(status);
}

/** One address and the list of addresses say the same; the one is right where they differ. */
function defaultStatus(status: PodStatus): void {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (!podIP && first) status.podIP = first;
  const containers = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses].flatMap(
    (list) => list ?? [],
  );
  for (const { allocatedResources, resources } of [...containers, status]) {
    roundResources(allocatedResources);
    roundResources(resources?.limits);
    roundResources(resources?.requests);
  }
}

// Upstream: k8s.io/kubernetes/pkg/apis/core/helper/qos/qos.go
import { Quantity } from '../../../machinery/quantity.ts';
import type { PodQOSClass, PodSpec, ResourceRequirements } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { isPodLevelResource } from './pod-resources.ts';

/** How the pod is treated when its node runs short: by what its containers, or it as a whole, ask for. */
export function qosClassOf(spec: PodSpec, features: FeatureGates): PodQOSClass {
  if (features.enabled('PodLevelResources') && spec.resources !== undefined) {
    if (!features.enabled('PodLevelResourcesFixKubeletQOSClass') || hasPodLevelResources(spec)) return classOf(spec.resources);
  }
  let found: PodQOSClass | undefined;
  for (const { resources } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const its = classOf(resources);
    if (its !== (found ??= its)) return 'Burstable';
  }
  return found ?? 'BestEffort';
}

export function hasPodLevelResources({ resources }: PodSpec): boolean {
  return [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})].some(isPodLevelResource);
}

const zero = Quantity.of(0);

function classOf({ requests, limits }: ResourceRequirements = {}): PodQOSClass {
  const cpu = resourceClass(requests?.['cpu'], limits?.['cpu']);
  return cpu === resourceClass(requests?.['memory'], limits?.['memory']) ? cpu : 'Burstable';
}

function resourceClass(request: string | undefined, limit: string | undefined): PodQOSClass {
  if (request === undefined && limit === undefined) return 'BestEffort';
  const asked = request === undefined ? zero : Quantity.parse(request);
  const most = limit === undefined ? zero : Quantity.parse(limit);
  if (!asked.equals(most)) return 'Burstable';
  return asked.isZero ? 'BestEffort' : 'Guaranteed';
}

// Upstream: k8s.io/kubernetes/pkg/api/pod/util.go#DefaultPodLevelResources
import { Quantity } from '../../../machinery/quantity.ts';
import type { PodSpec, ResourceRequirements } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { allContainers } from '../../common/pod-spec/containers.ts';
import { aggregateContainers, isPodLevelResource } from '../../common/pod-spec/pod-resources.ts';
import { isHugePages, isOvercommitAllowed } from '../../common/resource-names.ts';

/** Completes the resources of the pod as a whole from those of its containers; order matters. */
export function defaultPodLevelResources(spec: PodSpec, features: FeatureGates): void {
  if (!features.enabled('PodLevelResources') || !features.enabled('PodLevelResourcesFixDefaulting')) return;
  const { resources } = spec;
  if (resources === undefined || isEmpty(resources)) return;
  defaultHugePagesLimits(spec, resources);
  defaultRequests(spec, resources);
  defaultLimits(spec, resources);
}

function isEmpty({ requests, limits }: ResourceRequirements): boolean {
  return Object.keys(requests ?? {}).length === 0 && Object.keys(limits ?? {}).length === 0;
}

function defaultHugePagesLimits(spec: PodSpec, resources: ResourceRequirements): void {
  for (const [name, limit] of aggregateContainers(spec, 'limits')) {
    if (!isHugePages(name) || resources.requests?.[name] !== undefined || resources.limits?.[name] !== undefined) continue;
    resources.limits = { ...resources.limits, [name]: limit.toString() };
  }
}

function defaultRequests(spec: PodSpec, resources: ResourceRequirements): void {
  for (const [name, request] of aggregateContainers(spec, 'requests')) {
    if (resources.requests?.[name] !== undefined || !isPodLevelResource(name) || !isOvercommitAllowed(name)) continue;
    resources.requests = { ...resources.requests, [name]: request.toString() };
  }
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    if (resources.requests?.[name] !== undefined || !isPodLevelResource(name)) continue;
    resources.requests = { ...resources.requests, [name]: limit };
  }
}

/** Where every container has a limit, the pod has their sum, or its request if that is more. */
function defaultLimits(spec: PodSpec, resources: ResourceRequirements): void {
  const candidates = Object.keys(resources.requests ?? {}).filter(
    (name) =>
      isPodLevelResource(name) &&
      resources.limits?.[name] === undefined &&
      allContainers(spec).every((container) => container.resources?.limits?.[name] !== undefined),
  );
  if (candidates.length === 0) return;
  const sums = aggregateContainers(spec, 'limits');
  for (const name of candidates) {
    const sum = sums.get(name);
    if (sum === undefined) continue;
    const request = Quantity.parse(resources.requests?.[name] as string);
    resources.limits = { ...resources.limits, [name]: (request.compare(sum) > 0 ? request : sum).toString() };
  }
}

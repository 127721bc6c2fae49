// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateContainerStatusUsers, #validateContainerStatusAllocatedResourcesStatus
import { duplicate, forbidden, invalid, required, tooLong, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkUnixId } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { problemsOf, validateOneOf } from '../../common/pod-spec/rules.ts';
import type { PodObject } from './pod-object.ts';

const maxUint32 = 2 ** 32 - 1;
const maxMessageLength = 1024;
const claimPrefix = 'claim:';

export function validateContainerStatuses({ spec, status }: PodObject, path: FieldPath): FieldError[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const [containersPath, initPath, ephemeralPath] = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].map(
    (name) => path.child(name),
  ) as [FieldPath, FieldPath, FieldPath];
  const os = spec.os?.name ?? 'linux';
  return [
    ...validateUsers(containerStatuses, containersPath, os),
    ...validateUsers(initContainerStatuses, initPath, os),
    ...validateUsers(ephemeralContainerStatuses, ephemeralPath, os),
    ...validateAllocated(containerStatuses, containersPath, spec.containers ?? [], status),
    ...validateAllocated(initContainerStatuses, initPath, spec.initContainers ?? [], status),
    ...ephemeralContainerStatuses.flatMap(({ allocatedResourcesStatus }, index) =>
      allocatedResourcesStatus?.length
        ? [forbidden(ephemeralPath.index(index).child('allocatedResourcesStatus'), 'must not be specified in container status')]
        : [],
    ),
  ];
}

function validateUsers(statuses: readonly core.ContainerStatus[], path: FieldPath, os: string): FieldError[] {
  return statuses.flatMap(({ user }, index) => {
    const linux = user?.linux;
    if (linux === undefined) return [];
    const at = path.index(index).child('user').child('linux');
    if (os === 'windows') return [forbidden(at, 'cannot be set for a windows pod')];
    if (os !== 'linux') return [];
    // What a runtime reports may be any user id that the system knows, more than a pod may ask for.
    const known = linux.uid >= 0 && linux.uid <= maxUint32;
    return [
      ...(known ? [] : [invalid(at.child('uid'), linux.uid, `must be between 0 and ${maxUint32}, inclusive`)]),
      ...problemsOf(checkUnixId(linux.gid), linux.gid, at.child('gid')),
      ...(linux.supplementalGroups ?? []).flatMap((group, position) =>
        problemsOf(checkUnixId(group), group, at.child('supplementalGroups').index(position)),
      ),
    ];
  });
}

function validateAllocated(
  statuses: readonly core.ContainerStatus[],
  path: FieldPath,
  containers: readonly core.Container[],
  podStatus: core.PodStatus,
): FieldError[] {
  // Those of one name are the same container to a status: the first counts.
  const byName = new Map(containers.toReversed().map((each) => [each.name, each]));
  return statuses.flatMap(({ name, allocatedResourcesStatus }, index) => {
    const container = byName.get(name);
    const claims = new Set(
      (container?.resources?.claims ?? []).map(({ name: claim, request }) => (request ? `${claim}/${request}` : claim)),
    );
    return (allocatedResourcesStatus ?? []).flatMap((allocated, position) => {
      const at = path.index(index).child('allocatedResourcesStatus').index(position);
      return [
        ...validateAllocatedName(allocated, container, claims, podStatus, at.child('name')),
        ...validateHealth(allocated, at.child('resources')),
      ];
    });
  });
}

/** Statuses of containers that the pod does not have are let pass. */
function validateAllocatedName(
  { name }: core.ResourceStatus,
  container: core.Container | undefined,
  claims: ReadonlySet<string>,
  podStatus: core.PodStatus,
  path: FieldPath,
): FieldError[] {
  if (container === undefined) return [];
  const { requests = {} } = container.resources;
  if (!name.startsWith(claimPrefix)) {
    return requests[name] !== undefined ? [] : [invalid(path, typedValue(name), "must match one of the container's resource requests")];
  }
  if (claims.has(name.slice(claimPrefix.length)) || isExtendedClaim(name, container, podStatus.extendedResourceClaimStatus)) return [];
  const detail =
    "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty";
  return [invalid(path, typedValue(name), detail)];
}

function isExtendedClaim(name: string, container: core.Container, claim: core.PodExtendedResourceClaimStatus | undefined): boolean {
  const [claimName, requestName] = name.slice(claimPrefix.length).split(/\/(.*)/s);
  if (claim === undefined || !requestName || claimName !== claim.resourceClaimName) return false;
  return (claim.requestMappings ?? []).some((mapping) => {
    if (mapping.containerName !== container.name || mapping.requestName !== requestName) return false;
    const request = container.resources.requests?.[mapping.resourceName];
    return request !== undefined && !Quantity.parse(request).isZero;
  });
}

function validateHealth({ resources = [] }: core.ResourceStatus, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return resources.flatMap(({ resourceID, health = '', message }, index) => {
    const at = path.index(index);
    const errors = validateOneOf(health, ['Healthy', 'Unhealthy', 'Unknown'], at.child('health'));
    if (message === '') errors.push(required(at.child('message'), 'must be non-empty if specified'));
    else if (message !== undefined && Buffer.byteLength(message) > maxMessageLength) {
      errors.push(tooLong(at.child('message'), maxMessageLength));
    }
    if (seen.has(resourceID)) errors.push(duplicate(at.child('resourceID'), typedValue(resourceID)));
    seen.add(resourceID);
    return errors;
  });
}

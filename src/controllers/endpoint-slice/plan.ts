// Upstream: k8s.io/endpointslice/reconciler.go
import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../../schema/types/core-v1.ts';
import type { Endpoint, EndpointPort } from '../../schema/types/discovery-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { PodObject, ServiceObject } from '../common/service-pods.ts';
import { addressesOf, familiesOf, hasClusterIp, headlessLabel, hostnameOf, isReachable, isReady, portIn } from '../common/service-pods.ts';
import { withHints } from './hints.ts';
import type { SliceObject } from '../common/service-slices.ts';
import { managedByLabel, serviceNameLabel } from '../common/service-slices.ts';

export const managedBy = 'endpointslice-controller.k8s.io';
const ownLabels: readonly string[] = [serviceNameLabel, managedByLabel, headlessLabel];

/** kube-controller-manager's default of --max-endpoints-per-slice */
const mostEndpoints = 100;

export interface SlicePlan {
  /** without a name */
  readonly create: SliceObject[];
  readonly update: SliceObject[];
  readonly delete: SliceObject[];
  /** Pods on nodes that are not known have been left out. */
  readonly nodesMissing: boolean;
}

export interface SliceSituation {
  readonly service: ServiceObject;
  /** those that the service selects */
  readonly pods: readonly PodObject[];
  /** those of the service that are the controller's own and are not being deleted */
  readonly slices: readonly SliceObject[];
  readonly nodeOf: (name: string) => (Node & KubeObject) | undefined;
}

/** What to do so that slices tell of a service's pods, with as few writes as can be. */
export function planSlices(situation: SliceSituation): SlicePlan {
  const { slices, service } = situation;
  const families = familiesOf(service);
  const plan: SlicePlan = {
    create: [],
    update: [],
    delete: slices.filter(({ addressType }) => !families.includes(addressType)),
    nodesMissing: false,
  };
  return families.map((family) => planFamily(situation, family)).reduce(merge, plan);
}

function merge(left: SlicePlan, right: SlicePlan): SlicePlan {
  return {
    create: [...left.create, ...right.create],
    update: [...left.update, ...right.update],
    delete: [...left.delete, ...right.delete],
    nodesMissing: left.nodesMissing || right.nodesMissing,
  };
}

function planFamily(situation: SliceSituation, family: string): SlicePlan {
  const { service } = situation;
  const slices = situation.slices.filter(({ addressType }) => addressType === family);
  const owned = Map.groupBy(
    slices.filter((slice) => isOwned(slice, service)),
    ({ ports }) => portsKey(ports ?? []),
  );
  const { groups, nodesMissing } = desired(situation, family);
  const changes: Changes = { create: [], update: [], delete: slices.filter((slice) => !isOwned(slice, service)) };
  for (const [key, { ports, endpoints }] of groups)
    place(changes, owned.get(key) ?? [], endpoints, () => newSlice(service, family, ports), service);
  for (const [key, group] of owned) if (!groups.has(key)) changes.delete.push(...group);
  if (slices.length === changes.delete.length && changes.create.length === 0) {
    const placeholder = newSlice(service, family, []);
    if (changes.delete.length === 1 && isPlaceholder(changes.delete[0] as SliceObject, placeholder)) changes.delete = [];
    else changes.create.push(placeholder);
  }
  const touched = new Set([...changes.update, ...changes.delete].map(({ metadata }) => metadata.name));
  for (const slice of slices.filter(({ metadata }) => !touched.has(metadata.name))) {
    const hinted = withHints(slice, service);
    if (!isDeepStrictEqual(hinted.endpoints ?? [], slice.endpoints ?? [])) changes.update.push(hinted);
  }
  changes.create = changes.create.map((slice) => withHints(slice, service));
  changes.update = changes.update.map((slice) => withHints(slice, service));
  return { ...reuse(changes, service), nodesMissing };
}

interface Changes {
  create: SliceObject[];
  update: SliceObject[];
  delete: SliceObject[];
}

interface PortGroup {
  readonly ports: EndpointPort[];
  /** by what makes an endpoint the same one after a change */
  readonly endpoints: Map<string, Endpoint>;
}

/** Endpoints that a service should have, by the ports that their pods have. */
function desired({ service, pods, nodeOf }: SliceSituation, family: string): { groups: Map<string, PortGroup>; nodesMissing: boolean } {
  const groups = new Map<string, PortGroup>();
  let nodesMissing = false;
  for (const pod of pods) {
    if (!isReachable(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map() };
    groups.set(key, group);
    const node = nodeOf(pod.spec.nodeName ?? '');
    if (node === undefined && !service.spec.publishNotReadyAddresses) {
      nodesMissing = true;
      continue;
    }
    const endpoint = endpointOf(pod, node, service, family);
    if (endpoint.addresses?.length) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return { groups, nodesMissing };
}

function endpointOf(pod: PodObject, node: (Node & KubeObject) | undefined, service: ServiceObject, family: string): Endpoint {
  const { name = '', namespace = '', uid = '', deletionTimestamp } = pod.metadata;
  const serving = isReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const hostname = hostnameOf(pod, service);
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
  return {
    addresses: addressesOf(pod, family),
    conditions: { ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  };
}

function portsOf({ spec }: ServiceObject, pod: PodObject): EndpointPort[] {
  return (spec.ports ?? []).flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol, appProtocol } = servicePort;
    return [{ name, ...(protocol !== undefined && { protocol }), port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function portsKey(ports: readonly EndpointPort[]): string {
  return JSON.stringify(
    ports.map(({ name, protocol, port, appProtocol }) => JSON.stringify([name, protocol, port, appProtocol])).toSorted(),
  );
}

function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([(addresses ?? []).toSorted(), hostname, targetRef?.namespace, targetRef?.name]);
}

/** Puts endpoints of one set of ports into slices: first where they are, then where something changes anyway, then where all of the rest has room. */
function place(
  changes: Changes,
  slices: SliceObject[],
  endpoints: Map<string, Endpoint>,
  empty: () => SliceObject,
  service: ServiceObject,
): void {
  const updated: SliceObject[] = [];
  let same: SliceObject[] = [];
  for (const slice of slices) {
    const before = slice.endpoints ?? [];
    const kept = before.flatMap((endpoint) => {
      const key = endpointKey(endpoint);
      const wanted = endpoints.get(key);
      endpoints.delete(key);
      return wanted === undefined ? [] : [isSame(wanted, endpoint) ? endpoint : wanted];
    });
    const isChanged = kept.length !== before.length || kept.some((endpoint, at) => endpoint !== before[at]);
    const labels = labelsOf(service);
    if (isChanged && kept.length === 0) changes.delete.push(slice);
    else if (isChanged || !hasLabels(slice, labels)) updated.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: kept });
    else same.push(slice);
  }
  const rest = [...endpoints.values()];
  for (const slice of updated.toSorted((left, right) => countOf(right) - countOf(left))) fill(slice, rest);
  while (rest.length > 0) {
    const roomy = rest.length < mostEndpoints ? fullest(same.filter((slice) => countOf(slice) + rest.length <= mostEndpoints)) : undefined;
    const slice = roomy === undefined ? empty() : { ...roomy, endpoints: [...(roomy.endpoints ?? [])] };
    fill(slice, rest);
    same = same.filter((one) => one !== roomy);
    (roomy === undefined ? changes.create : updated).push(slice);
  }
  changes.update.push(...updated);
}

function fill(slice: SliceObject, rest: Endpoint[]): void {
  slice.endpoints = [...(slice.endpoints ?? []), ...rest.splice(0, mostEndpoints - countOf(slice))];
}

function countOf({ endpoints }: SliceObject): number {
  return endpoints?.length ?? 0;
}

function fullest(slices: readonly SliceObject[]): SliceObject | undefined {
  return slices.toSorted((left, right) => countOf(right) - countOf(left))[0];
}

function isSame(left: Endpoint, right: Endpoint): boolean {
  const shown = ({ nodeName, zone, conditions, targetRef = {} }: Endpoint): string =>
    JSON.stringify([nodeName, zone, conditions.ready, conditions.serving, conditions.terminating, targetRef.kind, targetRef.uid]);
  return shown(left) === shown(right);
}

/** Slices that would go take the place of those that would come. */
function reuse(changes: Changes, service: ServiceObject): Changes {
  const create = [...changes.create];
  const update = [...changes.update];
  const gone = changes.delete.filter((slice) => {
    if (create.length === 0 || !isOwned(slice, service)) return true;
    const { name, resourceVersion } = slice.metadata;
    const { metadata, ...rest } = create.pop() as SliceObject;
    update.push({
      ...rest,
      metadata: { ...metadata, ...(name !== undefined && { name }), ...(resourceVersion !== undefined && { resourceVersion }) },
    });
    return false;
  });
  return { create, update, delete: gone };
}

function newSlice(service: ServiceObject, addressType: string, ports: EndpointPort[]): SliceObject {
  const { name = '', namespace = '', uid = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: labelsOf(service),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType,
    endpoints: [],
    ports,
  };
}

function isOwned({ metadata }: SliceObject, service: ServiceObject): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, uid }) => apiVersion === 'v1' && kind === 'Service' && uid === service.metadata.uid,
  );
}

/** A service's own labels, and those that say whose slice it is. */
function labelsOf(service: ServiceObject): Record<string, string> {
  const { name = '', labels = {} } = service.metadata;
  return {
    ...others(labels),
    ...(!hasClusterIp(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: name,
    [managedByLabel]: managedBy,
  };
}

function others(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !ownLabels.includes(key)));
}

function hasLabels({ metadata }: SliceObject, labels: Readonly<Record<string, string>>): boolean {
  return isDeepStrictEqual(others(metadata.labels ?? {}), others(labels));
}

function isPlaceholder(slice: SliceObject, placeholder: SliceObject): boolean {
  return (
    countOf(slice) === 0 && (slice.ports ?? []).length === 0 && isDeepStrictEqual({ ...slice.metadata.labels }, placeholder.metadata.labels)
  );
}

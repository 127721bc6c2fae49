// Upstream: k8s.io/kubernetes/pkg/controller/endpointslicemirroring/{reconciler,reconciler_helpers,utils}.go, k8s.io/kubernetes/pkg/api/v1/endpoints/util.go#RepackSubsets
import { isDeepStrictEqual } from 'node:util';
import { formatIp, isIpv4, parseIp } from '../../machinery/ip.ts';
import type { EndpointAddress, EndpointPort, Endpoints, EndpointSubset } from '../../schema/types/core-v1.ts';
import type { Endpoint, EndpointPort as SlicePort } from '../../schema/types/discovery-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { triggerTimeAnnotation } from '../common/service-pods.ts';
import type { SliceObject } from '../common/service-slices.ts';
import { managedByLabel, serviceNameLabel } from '../common/service-slices.ts';

export type EndpointsObject = Endpoints & KubeObject;

export const managedBy = 'endpointslicemirroring-controller.k8s.io';
/** not copied: they tell of the Endpoints themselves */
const ownAnnotations: ReadonlySet<string> = new Set([triggerTimeAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']);
/** kube-controller-manager's default of --mirroring-max-endpoints-per-subset */
const mostPerSubset = 1000;
/** of addresses, each counted once for every set of ports that it has */
const mostEntries = 100_000;

export interface MirrorPlan {
  /** without a name */
  readonly create: SliceObject[];
  readonly update: SliceObject[];
  readonly delete: SliceObject[];
}

interface Wanted {
  readonly addressType: string;
  readonly ports: SlicePort[];
  /** by what makes an endpoint the same one after a change */
  readonly endpoints: Map<string, Endpoint>;
}

/** What to do so that slices say what Endpoints say: one slice for each family of addresses and set of ports. */
export function planMirror(endpoints: EndpointsObject, slices: readonly SliceObject[]): MirrorPlan {
  const wanted = wantedOf(endpoints.subsets ?? []);
  const there = Map.groupBy(slices, ({ addressType, ports }) => sliceKey(addressType, ports ?? []));
  const plan: MirrorPlan = { create: [], update: [], delete: [] };
  for (const [key, one] of wanted) {
    const [first, ...others] = there.get(key) ?? [];
    if (one.endpoints.size === 0) {
      if (first !== undefined) plan.delete.push(first, ...others);
      continue;
    }
    plan.delete.push(...others);
    if (first !== undefined && isRight(first, endpoints, one)) continue;
    const slice = newSlice(endpoints, one, first?.metadata.name);
    if (first === undefined) plan.create.push(slice);
    else plan.update.push(slice);
  }
  for (const [key, group] of there) if (!wanted.has(key)) plan.delete.push(...group);
  return reuse(plan);
}

/** A slice that is to go takes the place of one of its family that is to come. */
function reuse({ create, update, delete: gone }: MirrorPlan): MirrorPlan {
  const left = [...gone];
  const created: SliceObject[] = [];
  const updated = [...update];
  for (const slice of create) {
    const index = left.findIndex(({ addressType }) => addressType === slice.addressType);
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (old === undefined) created.push(slice);
    else {
      const { generateName: _, ...metadata } = slice.metadata;
      updated.push({ ...slice, metadata: { ...metadata, name: old.metadata.name ?? '' } });
    }
  }
  return { create: created, update: updated, delete: left };
}

function wantedOf(subsets: readonly EndpointSubset[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { ports, addresses } of repacked(subsets)) {
    const slicePorts = ports.map(({ name = '', port, protocol, appProtocol }) => ({
      name,
      port,
      ...(protocol !== undefined && { protocol }),
      ...(appProtocol !== undefined && { appProtocol }),
    }));
    const byFamily = (['IPv4', 'IPv6'] as const).map((addressType) => {
      const key = sliceKey(addressType, slicePorts);
      const known = wanted.get(key) ?? { addressType, ports: slicePorts, endpoints: new Map<string, Endpoint>() };
      wanted.set(key, known);
      return [addressType, known.endpoints] as const;
    });
    let count = 0;
    for (const { address, ready } of addresses) {
      if (count >= mostPerSubset) break;
      const parsed = parseIp(address.ip);
      // As upstream: what is no address is left out.
      if (parsed === undefined) continue;
      const endpoint = endpointOf(address, formatIp(parsed.value), ready);
      byFamily.find(([family]) => family === (isIpv4(parsed) ? 'IPv4' : 'IPv6'))?.[1].set(endpointKey(endpoint), endpoint);
      count++;
    }
  }
  return wanted;
}

interface Repacked {
  readonly ports: readonly EndpointPort[];
  /** those that are ready first */
  readonly addresses: readonly { readonly address: EndpointAddress; readonly ready: boolean }[];
}

/** Thrown for Endpoints that would take more memory and time than is to be had: their ports and addresses multiply. */
export class TooManyAddressesError extends Error {
  override readonly name = 'TooManyAddressesError';
}

/** One subset for each set of addresses that have the same ports. An address that is ready and not ready for a port is not ready. */
function repacked(subsets: readonly EndpointSubset[]): Repacked[] {
  const subsetsOfPort = new Map<string, { readonly port: EndpointPort | undefined; readonly subsets: Set<EndpointSubset> }>();
  const numbers = new Map(subsets.map((subset, index) => [subset, index]));
  for (const subset of subsets) {
    const ports = subset.ports ?? [];
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = JSON.stringify(port ?? null);
      const known = subsetsOfPort.get(key) ?? { port, subsets: new Set() };
      subsetsOfPort.set(key, known.subsets.has(subset) ? known : { port, subsets: known.subsets.add(subset) });
    }
  }
  // Ports of the same subsets have the same addresses: those are gone through once.
  const groups = Map.groupBy(subsetsOfPort.values(), (entry) => [...entry.subsets].map((subset) => numbers.get(subset)).join());
  const offered: { readonly ports: EndpointPort[]; readonly ready: Map<string, boolean> }[] = [];
  const known = new Map<string, EndpointAddress>();
  let count = 0;
  for (const group of groups.values()) {
    const ready = new Map<string, boolean>();
    for (const { addresses = [], notReadyAddresses = [] } of group[0]?.subsets ?? []) {
      count += addresses.length + notReadyAddresses.length;
      if (count > mostEntries) throw new TooManyAddressesError(`more than ${mostEntries} addresses of ports`);
      for (const address of addresses) note(address, true);
      for (const address of notReadyAddresses) note(address, false);
    }
    offered.push({ ports: group.map(({ port }) => port).filter((port) => port !== undefined), ready });

    function note(address: EndpointAddress, isReady: boolean): void {
      const key = `${address.ip}/${address.targetRef?.uid ?? ''}`;
      if (!known.has(key)) known.set(key, address);
      if (ready.get(key) !== false) ready.set(key, isReady);
    }
  }
  const same = Map.groupBy(offered, ({ ready }) => JSON.stringify([...ready].toSorted()));
  return [...same.values()].map((group) => ({
    ports: group.flatMap(({ ports }) => ports),
    addresses: [...(group[0]?.ready ?? [])]
      .map(([key, ready]) => ({ address: known.get(key) as EndpointAddress, ready }))
      .toSorted((left, right) => Number(right.ready) - Number(left.ready)),
  }));
}

function endpointOf({ hostname, nodeName, targetRef }: EndpointAddress, ip: string, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(targetRef !== undefined && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
}

function endpointKey({ addresses, hostname = '', targetRef = {} }: Endpoint): string {
  return JSON.stringify([(addresses ?? []).toSorted(), hostname, targetRef.namespace ?? '', targetRef.name ?? '']);
}

function sliceKey(addressType: string, ports: readonly SlicePort[]): string {
  const texts = ports.map(({ name, port, protocol, appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]));
  return `${addressType} ${texts.toSorted().join()}`;
}

function isRight(slice: SliceObject, endpoints: EndpointsObject, { endpoints: wanted }: Wanted): boolean {
  const { labels = {}, annotations = {}, ownerReferences = [] } = slice.metadata;
  const { [managedByLabel]: _by, [serviceNameLabel]: _of, ...copied } = labels;
  const there = slice.endpoints ?? [];
  const isOfFormer = ownerReferences.some(
    ({ kind, name, uid }) => kind === 'Endpoints' && name === endpoints.metadata.name && uid !== endpoints.metadata.uid,
  );
  return (
    !isOfFormer &&
    there.length === wanted.size &&
    there.every((endpoint) => {
      const same = wanted.get(endpointKey(endpoint));
      return same !== undefined && isDeepStrictEqual(shown(same), shown(endpoint));
    }) &&
    isDeepStrictEqual(copied, { ...endpoints.metadata.labels }) &&
    isDeepStrictEqual(annotations, annotationsOf(endpoints))
  );
}

/** What may differ between endpoints of the same key. */
function shown({ nodeName, zone, conditions = {}, targetRef }: Endpoint): object {
  const { resourceVersion: _, ...reference } = targetRef ?? {};
  const { ready, serving, terminating } = conditions;
  return { nodeName, zone, ready, serving, terminating, reference };
}

function annotationsOf({ metadata }: EndpointsObject): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key)));
}

function newSlice(
  endpoints: EndpointsObject,
  { addressType, ports, endpoints: wanted }: Wanted,
  sliceName: string | undefined,
): SliceObject {
  const { name = '', namespace = '', uid = '', labels } = endpoints.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...(sliceName === undefined ? { generateName: `${name}-` } : { name: sliceName }),
      namespace,
      labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: managedBy },
      annotations: annotationsOf(endpoints),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType,
    endpoints: [...wanted.values()].slice(0, mostPerSubset),
    ports,
  };
}

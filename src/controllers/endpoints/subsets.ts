// Upstream: k8s.io/kubernetes/pkg/api/v1/endpoints/util.go, k8s.io/kubernetes/pkg/controller/endpoint/endpoints_controller.go
import type { Steps } from '../../base/steps.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../schema/types/core-v1.ts';
import type { PodObject, ServiceObject } from '../common/service-pods.ts';
import { addressesOf, familiesOf, hasClusterIp, hostnameOf, isReachable, isReady, portIn } from '../common/service-pods.ts';

/** how many addresses Endpoints have at most */
const mostAddresses = 1000;

/** A service may select any number of pods: others get their turn after so many. */
const podsInStep = 256;

interface PortAddresses {
  readonly port: EndpointPort | undefined;
  readonly addresses: Map<string, { readonly address: EndpointAddress; readonly ready: boolean }>;
}

/** Where the pods of a service are: one subset for each set of addresses that have the same ports. */
export function* subsetsOf(service: ServiceObject, pods: readonly PodObject[]): Steps<EndpointSubset[]> {
  const { publishNotReadyAddresses = false } = service.spec;
  const byPort = new Map<string, PortAddresses>();
  for (const [index, pod] of pods.entries()) {
    if (index % podsInStep === podsInStep - 1) yield;
    if (!isReachable(pod, publishNotReadyAddresses)) continue;
    const address = addressOf(service, pod);
    if (address === undefined) continue;
    const ready = publishNotReadyAddresses || isReady(pod);
    for (const port of portsOf(service, pod)) {
      const key = JSON.stringify(port ?? null);
      const known = byPort.get(key) ?? { port, addresses: new Map() };
      byPort.set(key, known);
      known.addresses.set(addressKey(address), { address, ready });
    }
  }
  yield;
  const groups = Map.groupBy(byPort.values(), ({ addresses }) =>
    JSON.stringify([...addresses].map(([key, { ready }]) => [key, ready]).toSorted()),
  );
  yield;
  return [...groups.values()].map((group) => {
    const all = [...(group[0]?.addresses.values() ?? [])];
    const those = (wanted: boolean): EndpointAddress[] =>
      all
        .filter(({ ready }) => ready === wanted)
        .map(({ address }) => address)
        .toSorted(inOrder);
    const [addresses, notReadyAddresses] = [those(true), those(false)];
    const ports = group.map(({ port }) => port).filter((port) => port !== undefined);
    return {
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
      ...(ports.length > 0 && { ports }),
    };
  });
}

function addressOf(service: ServiceObject, pod: PodObject): EndpointAddress | undefined {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const family = service.spec.ipFamilies?.length || hasClusterIp(service) ? familiesOf(service)[0] : familyOf(pod);
  const ip = addressesOf(pod, family ?? 'IPv4')[0];
  if (ip === undefined) return undefined;
  const hostname = hostnameOf(pod, service);
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    nodeName: pod.spec.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function familyOf({ status }: PodObject): string {
  return status.podIP?.includes(':') ? 'IPv6' : 'IPv4';
}

/** undefined stands for a headless service without ports. */
function portsOf({ spec }: ServiceObject, pod: PodObject): (EndpointPort | undefined)[] {
  const { ports = [] } = spec;
  if (ports.length === 0) return spec.clusterIP === 'None' ? [undefined] : [];
  return ports.flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name, protocol, appProtocol } = servicePort;
    return [{ ...(name && { name }), port, ...(protocol && { protocol }), ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function addressKey({ ip, targetRef }: EndpointAddress): string {
  return `${ip}/${targetRef?.uid ?? ''}`;
}

function inOrder(left: EndpointAddress, right: EndpointAddress): number {
  return compare(left.ip, right.ip) || compare(left.targetRef?.uid ?? '', right.targetRef?.uid ?? '');
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Whether subsets say the same, in whatever order. */
export function saySame(left: readonly EndpointSubset[], right: readonly EndpointSubset[]): boolean {
  return canonical(left) === canonical(right);
}

function canonical(subsets: readonly EndpointSubset[]): string {
  const port = ({ name = '', port: number, protocol, appProtocol }: EndpointPort): string =>
    JSON.stringify([name, number, protocol, appProtocol]);
  const address = ({ ip, hostname = '', nodeName, targetRef = {} }: EndpointAddress): string =>
    JSON.stringify([ip, hostname, nodeName, targetRef.kind, targetRef.namespace, targetRef.name, targetRef.uid]);
  const subset = ({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): string =>
    JSON.stringify([addresses.map(address).toSorted(), notReadyAddresses.map(address).toSorted(), ports.map(port).toSorted()]);
  return JSON.stringify(subsets.map(subset).toSorted());
}

/** No more addresses than Endpoints may have, those of ready pods first, each subset in proportion; undefined when there are not too many. */
export function truncated(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const ready = subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
  const notReady = subsets.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0);
  if (ready + notReady <= mostAddresses) return undefined;
  const cutReady = ready > mostAddresses;
  const room = cutReady ? mostAddresses : mostAddresses - ready;
  const total = cutReady ? ready : notReady;
  let left = room;
  const share = (addresses: readonly EndpointAddress[]): EndpointAddress[] => {
    const kept = addresses.slice(0, Math.min(left, Math.ceil((addresses.length / total) * room)));
    left -= kept.length;
    return kept;
  };
  return subsets.map(({ addresses = [], notReadyAddresses = [], ...rest }) =>
    cutReady ? { ...rest, addresses: share(addresses) } : { ...rest, addresses, notReadyAddresses: share(notReadyAddresses) },
  );
}

export function isOverCapacity(subsets: readonly EndpointSubset[]): boolean {
  return truncated(subsets) !== undefined;
}

// Upstream: k8s.io/kubernetes/pkg/api/service/util.go, k8s.io/kubernetes/pkg/registry/core/service/strategy.go
import { isIpv4, parseIp } from '../../../machinery/ip.ts';
import type { Service } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { IpFamily } from './cluster-ip-pool.ts';

export type ServiceObject = Service & KubeObject;

/** what stands in clusterIP when a service has no address of its own */
export const none = 'None';

export function needsClusterIp({ spec }: ServiceObject): boolean {
  return spec.type !== 'ExternalName';
}

/** By the list of addresses: what allocation and validation go by. */
export function isHeadless({ spec }: ServiceObject): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === none;
}

export function isSelectorlessHeadless({ spec }: ServiceObject): boolean {
  return spec.clusterIP === none && Object.keys(spec.selector ?? {}).length === 0;
}

export function mayHaveNodePorts({ spec }: ServiceObject): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Ports that the client did not ask for are allocated only then. */
export function wantsNodePorts({ spec }: ServiceObject): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheck({ spec }: ServiceObject): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

export function isExternallyAccessible(service: ServiceObject): boolean {
  return mayHaveNodePorts(service) || (service.spec.type === 'ClusterIP' && (service.spec.externalIPs?.length ?? 0) > 0);
}

export function sameList<T>(left: readonly T[] = [], right: readonly T[] = []): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

export function familyOf(address: string): IpFamily {
  const ip = parseIp(address);
  return ip !== undefined && !isIpv4(ip) ? 'IPv6' : 'IPv4';
}

export function otherFamily(family: string): IpFamily {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}

/** Ports of nodes that the service has, the health check's aside. */
export function nodePortsOf({ spec }: ServiceObject): number[] {
  return (spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

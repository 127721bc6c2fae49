// Upstream: k8s.io/kubernetes/pkg/registry/core/service/{strategy.go,storage/storage.go}
// Fields of a service depend on each other. Clients that know only some of them must get what they mean.
import type { ServiceSpec } from '../../../schema/types/core-v1.ts';
import type { IpFamily } from './cluster-ip-pool.ts';
import {
  none,
  familyOf,
  isExternallyAccessible,
  isSelectorlessHeadless,
  mayHaveNodePorts,
  needsClusterIp,
  needsHealthCheck,
  nodePortsOf,
  otherFamily,
  sameList,
  wantsNodePorts,
} from './service-object.ts';
import type { ServiceObject } from './service-object.ts';

/** clusterIP is older than clusterIPs: who writes only the one means the other too. */
export function normalizeClusterIps({ spec }: ServiceObject, old: ServiceObject | undefined): void {
  const { clusterIP = '' } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && !spec.clusterIPs?.length) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: oldIp = '', clusterIPs: oldIps = [] } = old.spec;
  if (oldIps.length > 0 && !spec.clusterIPs?.length && clusterIP === oldIp) spec.clusterIPs = [...oldIps];
  if (clusterIP === oldIp || !sameList(oldIps, spec.clusterIPs)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** A client may leave out what the server once filled in, and keeps it. */
export function keepAllocated(service: ServiceObject, old: ServiceObject): void {
  const { spec } = service;
  if (needsClusterIp(old) && needsClusterIp(service)) {
    if (!spec.clusterIP && old.spec.clusterIP) spec.clusterIP = old.spec.clusterIP;
    if (!spec.clusterIPs?.length && old.spec.clusterIPs?.length) spec.clusterIPs = [...old.spec.clusterIPs];
  }
  if (wantsNodePorts(old) && wantsNodePorts(service)) {
    const kept = new Set(nodePortsOf(old)).intersection(new Set(nodePortsOf(service)));
    const byName = new Map((old.spec.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
    for (const port of spec.ports ?? []) {
      const before = byName.get(port.name ?? '') ?? 0;
      if (!port.nodePort && before !== 0 && !kept.has(before)) port.nodePort = before;
    }
  }
  if (needsHealthCheck(old) && needsHealthCheck(service) && !spec.healthCheckNodePort && old.spec.healthCheckNodePort) {
    spec.healthCheckNodePort = old.spec.healthCheckNodePort;
  }
}

/** What the new type has no use for goes, unless the client changed it in the same breath: then validation objects. */
export function dropFieldsOfOldType(service: ServiceObject, old: ServiceObject): void {
  const { spec } = service;
  const before = old.spec;
  const dropIf = (condition: boolean, ...names: readonly (keyof ServiceSpec)[]): void => {
    if (condition) for (const name of names) delete spec[name];
  };
  if (needsClusterIp(old) && !needsClusterIp(service)) {
    dropIf((before.clusterIP ?? '') === (spec.clusterIP ?? '') && sameList(before.clusterIPs, spec.clusterIPs), 'clusterIP', 'clusterIPs');
    dropIf(sameList(before.ipFamilies, spec.ipFamilies), 'ipFamilies');
    dropIf((before.ipFamilyPolicy ?? '') === (spec.ipFamilyPolicy ?? ''), 'ipFamilyPolicy');
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service) && new Set(nodePortsOf(old)).isSupersetOf(new Set(nodePortsOf(service)))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  dropIf(
    needsHealthCheck(old) && !needsHealthCheck(service) && (before.healthCheckNodePort ?? 0) === (spec.healthCheckNodePort ?? 0),
    'healthCheckNodePort',
  );
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropIf(before.allocateLoadBalancerNodePorts === spec.allocateLoadBalancerNodePorts, 'allocateLoadBalancerNodePorts');
    dropIf(before.loadBalancerClass === spec.loadBalancerClass, 'loadBalancerClass');
  }
  dropIf(
    isExternallyAccessible(old) &&
      !isExternallyAccessible(service) &&
      (before.externalTrafficPolicy ?? '') === (spec.externalTrafficPolicy ?? ''),
    'externalTrafficPolicy',
  );
  if (spec.type !== 'LoadBalancer') service.status = { ...service.status, loadBalancer: {} };
}

/** Services that were stored before addresses and families became lists. */
export function completeStored(service: ServiceObject, primary: IpFamily): void {
  const { spec } = service;
  normalizeClusterIps(service, undefined);
  if (!needsClusterIp(service) || spec.ipFamilies?.length) return;
  if (spec.clusterIP === none) {
    const both = isSelectorlessHeadless(service);
    spec.ipFamilyPolicy = both ? 'RequireDualStack' : 'SingleStack';
    spec.ipFamilies = both ? [primary, otherFamily(primary)] : [primary];
    return;
  }
  spec.ipFamilies = (spec.clusterIPs ?? []).map(familyOf);
  if (spec.ipFamilies.length > 0) spec.ipFamilyPolicy = spec.ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack';
}

// Upstream: k8s.io/endpointslice/util/controller_utils.go, k8s.io/endpointslice/utils.go
import { formatIp, isIpv4, parseIp } from '../../machinery/ip.ts';
import { Selector } from '../../machinery/labels.ts';
import type { Pod, PodCondition, Service, ServicePort } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { IndexOf } from './index-of.ts';

export type PodObject = Pod & KubeObject;
export type ServiceObject = Service & KubeObject;

export const headlessLabel = 'service.kubernetes.io/headless';
export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

export function namespaceOf({ metadata }: KubeObject): string | undefined {
  return metadata.namespace;
}

/** Whether endpoints of a service are those of the pods that it selects; those of other services are of their users. */
export function selectsPods({ spec }: ServiceObject): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0;
}

export function podsOf({ metadata, spec }: ServiceObject, pods: IndexOf<PodObject>): PodObject[] {
  const selector = Selector.fromLabels(spec.selector ?? {});
  return [...pods.get(metadata.namespace ?? '').filter((pod) => selector.matches(pod.metadata.labels ?? {}))];
}

/** Services whose endpoints may be different after a pod has changed, has come (no `old`) or has gone (no `now`). */
export function servicesOf(now: PodObject | undefined, old: PodObject | undefined, services: IndexOf<ServiceObject>): string[] {
  const pods = [now, old].filter((pod) => pod !== undefined);
  if (now !== undefined && old !== undefined && !isDifferent(now, old)) return [];
  const namespace = pods[0]?.metadata.namespace ?? '';
  return [...services.get(namespace)].flatMap((service) => {
    if (!selectsPods(service)) return [];
    const selector = Selector.fromLabels(service.spec.selector ?? {});
    return pods.some(({ metadata }) => selector.matches(metadata.labels ?? {})) ? [keyOf(service)] : [];
  });
}

/** What endpoints are made of. Quirk: a phase alone is not, so that a pod that ends and stays ready leaves with the next change. */
function isDifferent(now: PodObject, old: PodObject): boolean {
  // Quirk: upstream compares pointers, so that every update of a pod that is being deleted counts.
  if (now.metadata.deletionTimestamp !== undefined || old.metadata.deletionTimestamp !== undefined) return true;
  const shown = ({ metadata, spec, status }: PodObject): string =>
    JSON.stringify([metadata.labels, spec.hostname, spec.subdomain, status.podIPs, isReady({ status })]);
  return shown(now) !== shown(old);
}

function readyCondition({ status }: Pick<Pod, 'status'>): PodCondition | undefined {
  return (status.conditions ?? []).find(({ type }) => type === 'Ready');
}

export function isReady(pod: Pick<Pod, 'status'>): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** Whether a pod has an address that a service can have as an endpoint. */
export function isReachable({ metadata, status }: PodObject, withTerminating: boolean): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return false;
  if (!status.podIP && (status.podIPs ?? []).length === 0) return false;
  return withTerminating || metadata.deletionTimestamp === undefined;
}

/** A pod's addresses of one family, in their usual form. */
export function addressesOf({ status }: PodObject, family: string): string[] {
  return (status.podIPs ?? []).flatMap(({ ip }) => {
    const parsed = parseIp(ip ?? '');
    if (parsed === undefined || isIpv4(parsed) !== (family === 'IPv4')) return [];
    return [formatIp(parsed.value)];
  });
}

/** The families of a service's endpoints, the first one first. */
export function familiesOf({ spec }: ServiceObject): string[] {
  if ((spec.ipFamilies ?? []).length > 0) return [...new Set(spec.ipFamilies)];
  if (!hasClusterIp({ spec })) return ['IPv4', 'IPv6'];
  const address = parseIp(spec.clusterIP ?? '');
  return [address !== undefined && !isIpv4(address) ? 'IPv6' : 'IPv4'];
}

export function hasClusterIp({ spec }: Pick<Service, 'spec'>): boolean {
  return spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';
}

/** A pod's own name under a headless service that it names as its subdomain. */
export function hostnameOf({ metadata, spec }: PodObject, service: ServiceObject): string | undefined {
  if (!spec.hostname || spec.subdomain !== service.metadata.name || metadata.namespace !== service.metadata.namespace) return undefined;
  return spec.hostname;
}

/** The number of the port in a pod; undefined when no container has a port of that name. */
export function portIn({ spec }: PodObject, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
}

/** Since when endpoints of services are not right: the first change after those that have been dealt with. */
export class TriggerTimes {
  readonly #known = new Map<string, { readonly service: number; readonly pods: ReadonlyMap<string, number> }>();

  /** undefined: nothing that has a time has changed since the last call for this service. */
  next(service: ServiceObject, pods: readonly PodObject[]): string | undefined {
    const key = keyOf(service);
    const known = this.#known.get(key);
    const created = Date.parse(service.metadata.creationTimestamp ?? '');
    const times = new Map<string, number>();
    for (const pod of pods) {
      const time = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
      if (!Number.isNaN(time)) times.set(pod.metadata.name ?? '', time);
    }
    this.#known.set(key, { service: created, pods: times });
    if (known === undefined) return service.metadata.creationTimestamp ?? undefined;
    const later = [...times].filter(([name, time]) => time > (known.pods.get(name) ?? -Infinity)).map(([, time]) => time);
    if (created > known.service) later.push(created);
    if (later.length === 0) return undefined;
    return `${new Date(later.reduce((first, time) => Math.min(first, time))).toISOString().slice(0, -5)}Z`;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

// Upstream: k8s.io/kubernetes/pkg/controlplane/reconcilers/endpointsadapter.go
import { isReason } from '../../machinery/errors.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isIpv4, parseIp } from '../../machinery/ip.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { EndpointSubset, Endpoints } from '../../schema/types/core-v1.ts';
import type { Endpoint, EndpointSlice } from '../../schema/types/discovery-v1.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';

export type EndpointsObject = Endpoints & KubeObject;
type EndpointSliceObject = EndpointSlice & KubeObject;
export type Subset = EndpointSubset;

const discovery = 'discovery.k8s.io';
const where = { namespace: 'default', name: 'kubernetes' };
/** this server writes the slice itself */
const skipMirror = 'endpointslice.kubernetes.io/skip-mirror';

/** The Endpoints of the `kubernetes` Service and the EndpointSlice that says the same. */
export class KubernetesEndpoints {
  readonly #reader: ObjectReader;
  readonly #writer: ServerWriter;

  constructor(reader: ObjectReader, writer: ServerWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async read(): Promise<EndpointsObject | undefined> {
    const { store } = this.#reader.resource('', 'endpoints');
    const entry = await store.getCurrent(where.namespace, where.name);
    return entry && (store.parse(entry) as EndpointsObject);
  }

  /** Gives them these subsets; fails with a conflict when they are no longer as they were `read`. */
  async write(read: EndpointsObject | undefined, subsets: readonly Subset[]): Promise<void> {
    if (read === undefined) {
      const metadata = { ...where, labels: { [skipMirror]: 'true' } };
      await this.#writer.ensure('', 'endpoints', { metadata, subsets });
    } else if (read.metadata.labels?.[skipMirror] !== 'true' || !deepEqual(read.subsets ?? [], subsets)) {
      const resource = this.#reader.resource('', 'endpoints');
      const edit = (object: EndpointsObject): void => {
        object.metadata.labels = { ...object.metadata.labels, [skipMirror]: 'true' };
        if (subsets.length === 0) delete object.subsets;
        else object.subsets = structuredClone([...subsets]);
        resource.storage.applyDefaults(object);
      };
      const { resourceVersion = '' } = read.metadata;
      await this.#writer.update<EndpointsObject>(resource, where.namespace, where.name, edit, { preconditions: { resourceVersion } });
    }
    await this.#writeSlice(sliceOf(subsets[0]));
  }

  async #writeSlice(slice: EndpointSliceObject): Promise<void> {
    const resource = this.#reader.resource(discovery, 'endpointslices');
    const entry = await resource.store.getCurrent(where.namespace, where.name);
    if (entry === undefined) return this.#writer.ensure(discovery, 'endpointslices', slice);
    const stored = resource.store.parse(entry) as EndpointSliceObject;
    if (stored.addressType !== slice.addressType) {
      // It cannot be changed.
      await this.#writer.delete(resource, where.namespace, where.name);
      return this.#writer.ensure(discovery, 'endpointslices', slice);
    }
    const same =
      deepEqual(stored.endpoints, slice.endpoints) &&
      deepEqual(stored.ports, slice.ports) &&
      deepEqual(stored.metadata.labels, slice.metadata.labels);
    if (same) return;
    await this.#writer.change<EndpointSliceObject>(discovery, 'endpointslices', where, (object) => {
      const { labels } = slice.metadata;
      object.metadata.labels = { ...labels };
      delete object.metadata.annotations;
      object.endpoints = slice.endpoints;
      object.ports = slice.ports;
    });
  }
}

function sliceOf(subset: Subset | undefined): EndpointSliceObject {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset ?? {};
  const all = [...addresses, ...notReadyAddresses];
  const family = all.length > 0 && all.every(({ ip }) => isIpv6(ip)) ? 'IPv6' : 'IPv4';
  const endpointsOf = (list: typeof addresses, ready: boolean): Endpoint[] =>
    list
      .filter(({ ip }) => isIpv6(ip) === (family === 'IPv6'))
      .map(({ ip, targetRef, nodeName }) => ({
        addresses: [ip],
        conditions: { ready },
        ...(targetRef !== undefined && { targetRef }),
        ...(nodeName !== undefined && { nodeName }),
      }));
  return {
    metadata: { ...where, labels: { 'kubernetes.io/service-name': where.name } },
    addressType: family,
    endpoints: orNull([...endpointsOf(addresses, true), ...endpointsOf(notReadyAddresses, false)]),
    ports: orNull(ports.map(({ name = '', port, protocol = 'TCP' }) => ({ name, port, protocol }))),
  };
}

/** As an empty list is stored. */
function orNull<T>(list: T[]): T[] | null {
  return list.length === 0 ? null : list;
}

function isIpv6(text: string): boolean {
  const ip = parseIp(text);
  return ip !== undefined && !isIpv4(ip);
}

/** Repeats `attempt` after a conflict; another server may be at the same work. */
export async function onConflictAgain(attempt: () => Promise<void>): Promise<void> {
  for (let left = 5; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isReason(error, 'Conflict')) throw error;
    }
  }
}

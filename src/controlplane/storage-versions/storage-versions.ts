// Upstream: k8s.io/apiserver/pkg/storageversion/{manager,updater}.go, k8s.io/apiserver/pkg/endpoints/filters/storageversion.go
// Upstream: k8s.io/kube-aggregator/pkg/apiserver/apiserver.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import { groupResourceName, isReason, serviceUnavailable } from '../../machinery/errors.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { ServedGroupVersion } from '../../schema/resources.ts';
import type { StorageVersion, StorageVersionCondition } from '../../schema/types/apiserverinternal-v1alpha1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { Filter } from '../../server/http/response.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { AuthenticatedRequest } from '../../server/request/stages.ts';
import { timestamp } from '../../machinery/time.ts';
import type { StoredResourceVersions } from './stored-resources.ts';
import { storedResources } from './stored-resources.ts';

export interface StorageVersionsOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** of this server: the name of its lease */
  readonly serverId: string;
  readonly served: readonly ServedGroupVersion[];
  /** what could be served */
  readonly known: readonly ServedGroupVersion[];
}

type StorageVersionObject = StorageVersion & KubeObject;

const group = 'internal.apiserver.k8s.io';
const plural = 'storageversions';
const leasePollMs = 100;
const retryMs = 1000;
const attempts = 3;
const roundMs = 10 * 60_000;
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Says in StorageVersions how this server stores built-in resources, and lets nothing be written of a resource before it is said. */
export class StorageVersions {
  readonly #options: StorageVersionsOptions;
  readonly #stored: readonly StoredResourceVersions[];
  /** resources that wait to be said, by name, and what was in the way last */
  readonly #pending = new Map<string, string | undefined>();

  constructor(options: StorageVersionsOptions) {
    this.#options = options;
    if (!options.served.some(({ group: served, resources }) => served === group && resources.some(({ name }) => name === plural)))
      throw new Error('--feature-gates: StorageVersionAPI needs internal.apiserver.k8s.io/v1alpha1=true of --runtime-config');
    this.#stored = storedResources(options.served, options.known);
    for (const { resources } of this.#stored) for (const name of resources) this.#pending.set(name, undefined);
  }

  get startHook(): PostStartHook {
    return { name: 'built-in-resources-storage-version-updater', run: (signal) => this.#start(signal) };
  }

  get filter(): Filter<AuthenticatedRequest> {
    return (next) => (request) => {
      if (this.#pending.size > 0) this.#check(request);
      return next(request);
    };
  }

  #check({ info, user }: AuthenticatedRequest): void {
    const { group: apiGroup, resource, namespace, verb } = info;
    if (!info.isResource || readVerbs.has(verb)) return;
    const name = groupResourceName({ group: apiGroup, resource });
    if (!this.#pending.has(name)) return;
    // Without these the first server of a cluster would wait for itself.
    if (apiGroup === group && resource === plural) return;
    if (name === 'leases.coordination.k8s.io' && namespace === 'kube-system') return;
    const isServer = user.name === 'system:apiserver' && user.groups.includes('system:masters');
    if (name === 'namespaces' && verb === 'create' && isServer) return;
    const seen = this.#pending.get(name) ?? '<nil>';
    throw serviceUnavailable(`wait for storage version registration to complete for resource: ${name}, last seen error: ${seen}`);
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await this.#identified(signal);
    while (!signal.aborted && !(await this.#update(signal))) await pause(clock, roundMs, signal);
    void this.#repeat(signal);
  }

  /** A collector takes away what is said by a server without a lease. */
  async #identified(signal: AbortSignal): Promise<void> {
    const { reader, clock, serverId } = this.#options;
    const { store } = reader.resource('coordination.k8s.io', 'leases');
    while (!signal.aborted && (await store.getCurrent('kube-system', serverId)) === undefined) await pause(clock, leasePollMs, signal);
  }

  /** What was altered or deleted comes back. */
  async #repeat(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#options.clock, roundMs, signal);
      if (signal.aborted) return;
      await this.#update(signal);
    }
  }

  /** Resolves with whether all were written. */
  async #update(signal: AbortSignal): Promise<boolean> {
    const written = await Promise.all(this.#stored.map((one) => this.#updateOne(one, signal)));
    return written.every(Boolean);
  }

  async #updateOne(stored: StoredResourceVersions, signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.#options;
    for (let failures = 0; failures < attempts && !signal.aborted; await pause(clock, retryMs, signal)) {
      try {
        await this.#write(stored);
        for (const name of stored.resources) this.#pending.delete(name);
        return true;
      } catch (error) {
        log.error('a StorageVersion could not be written', { name: stored.name, err: error });
        if (!isReason(error, 'Conflict')) failures++;
        for (const name of stored.resources) if (this.#pending.has(name)) this.#pending.set(name, (error as Error).message);
      }
    }
    return false;
  }

  async #write({ name, encodingVersion, decodableVersions, servedVersions }: StoredResourceVersions): Promise<void> {
    const { writer, clock, serverId: apiServerID } = this.#options;
    const own = { apiServerID, encodingVersion, decodableVersions: [...decodableVersions], servedVersions: [...servedVersions] };
    await writer.ensure(group, plural, { metadata: { name }, spec: {} });
    await writer.updateStatus(group, plural, '', name, (object) => {
      const { status } = object as StorageVersionObject;
      const others = status.storageVersions ?? [];
      const at = others.findIndex((one) => one.apiServerID === apiServerID);
      status.storageVersions = at < 0 ? [...others, own] : others.with(at, own);
      agree(object as StorageVersionObject, timestamp(clock.now()));
    });
  }
}

/** Says whether all servers store the same. */
export function agree({ status, metadata }: StorageVersionObject, now: string): void {
  const encodings = new Set(status.storageVersions?.map(({ encodingVersion }) => encodingVersion));
  const before = status.commonEncodingVersion;
  const [common] = encodings.size === 1 ? encodings : [];
  if (common === undefined) delete status.commonEncodingVersion;
  else status.commonEncodingVersion = common;
  const said = common === undefined ? 'unset' : 'set';
  const condition: StorageVersionCondition = {
    type: 'AllEncodingVersionsEqual',
    status: common === undefined ? 'False' : 'True',
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    lastTransitionTime: now,
    reason: common === undefined ? 'CommonEncodingVersionUnset' : 'CommonEncodingVersionSet',
    message: `Common encoding version ${said}`,
  };
  const conditions = status.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const known = conditions[at];
  if (known === undefined) {
    status.conditions = [...conditions, condition];
    return;
  }
  const isOther = before !== undefined && common !== undefined && before !== common;
  const since = known.status === condition.status && !isOther ? known.lastTransitionTime : now;
  status.conditions = conditions.with(at, { ...condition, lastTransitionTime: since });
}

// Upstream: k8s.io/apiserver/pkg/util/peerproxy/peer_discovery.go
import type { Clock } from '../../base/clock.ts';
import { readBounded } from '../../base/https/bounded-body.ts';
import type { Logger } from '../../base/log.ts';
import type { APIGroupDiscoveryList } from '../../schema/types/apidiscovery-v2.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { Lease } from '../../schema/types/coordination-v1.ts';
import type { ApiGroupDiscoveryList } from '../../server/discovery/documents.ts';
import type { DiscoveredPeers } from '../../server/discovery/install.ts';
import type { DiscoveryRegistry } from '../../server/discovery/registry.ts';
import { follow } from '../../server/registry/follow.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import { userHeaders } from '../proxy-headers.ts';
import type { Backend } from '../backend.ts';
import { Exclusions } from './exclusions.ts';
import type { Groups } from './merged-groups.ts';
import { mergedGroups, nameOf } from './merged-groups.ts';
import type { PeerMetrics } from './peer-metrics.ts';

export interface PeerDiscoveryOptions {
  readonly reader: ObjectReader;
  /** of this server itself */
  readonly discovery: DiscoveryRegistry;
  /** this server among its peers */
  readonly serverId: string;
  /** Where a peer is. Rejects when it does not say. */
  readonly locate: (serverId: string) => Promise<Backend>;
  readonly metrics: PeerMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

type LeaseObject = Lease & KubeObject;

interface PeerDocument {
  readonly groups: Groups;
  /** `group/version/resource` */
  readonly resources: ReadonlySet<string>;
}

const identityLabel = 'apiserver.kubernetes.io/identity';
const component = 'kube-apiserver';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const asked = `${aggregated};profile=nopeer,${aggregated},application/json`;
const name = 'system:apiserver';
const self = { name, uid: name, groups: ['system:authenticated'], extra: {} };
const timeoutMs = 30_000;
const firstRetryMs = 5;
const longestRetryMs = 60_000;
const maxRetries = 20;

/** What other API servers of the store serve, asked whenever one of them comes, is replaced or goes. */
export class PeerDiscovery implements DiscoveredPeers, Disposable {
  readonly #options: PeerDiscoveryOptions;
  readonly #exclusions: Exclusions;
  readonly #stopping = new AbortController();
  /** holder of each peer's identity Lease, by its identity */
  readonly #holders = new Map<string, string>();
  #known: ReadonlyMap<string, PeerDocument> = new Map();
  #shown: ReadonlyMap<string, PeerDocument> = new Map();
  #isSyncing = false;
  #isDirty = false;
  #retries = 0;
  #retry: Disposable | undefined;
  #generation = 0;

  constructor(options: PeerDiscoveryOptions) {
    this.#options = options;
    this.#exclusions = new Exclusions(options.discovery, options.clock, () => this.#filter());
  }

  /** Changes whenever what is shown of peers does. */
  get generation(): number {
    return this.#generation;
  }

  merged(own: ApiGroupDiscoveryList): ApiGroupDiscoveryList {
    if (this.#shown.size === 0) return own;
    const peers = [...this.#shown].map(([id, { groups }]) => [id, groups] as const);
    return { ...own, items: mergedGroups(new Map([...peers, [this.#options.serverId, own.items as Groups]])) };
  }

  asked(which: 'merged' | 'known' | 'own'): void {
    const { cacheHits, cacheMisses, ownRequests } = this.#options.metrics;
    ({ merged: cacheMisses, known: cacheHits, own: ownRequests })[which].with().inc();
  }

  /** Identities of peers that serve a resource. */
  serving(group: string, version: string, resource: string): string[] {
    const key = `${group}/${version}/${resource}`;
    return [...this.#shown].flatMap(([id, { resources }]) => (resources.has(key) ? [id] : []));
  }

  /** Follows the identity Leases of API servers from now on. Resolves when those that are there are known. */
  async start(): Promise<void> {
    const { reader, clock, log } = this.#options;
    const resource = reader.resource('coordination.k8s.io', 'leases');
    const prefix = `${resource.keyPrefix}kube-system/`;
    await follow({
      name: 'identity Leases of API servers',
      resource,
      initialEvents: true,
      event: (type, entry) => {
        if (entry.key.startsWith(prefix) && entry.labels?.[identityLabel] === component)
          this.#event(
            entry.key.slice(prefix.length),
            type === 'DELETED' ? undefined : (resource.store.parse(entry) as LeaseObject).spec.holderIdentity,
          );
      },
      // Deletions between two watches bring no event.
      caughtUp: (keys) => {
        for (const id of this.#holders.keys()) if (!keys.has(prefix + id)) this.#event(id, undefined);
      },
      signal: this.#stopping.signal,
      clock,
      log,
    });
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
    this.#retry?.[Symbol.dispose]();
    this.#exclusions[Symbol.dispose]();
  }

  #event(id: string, holder: string | undefined): void {
    if (id === this.#options.serverId || this.#holders.get(id) === holder) return;
    if (holder === undefined) this.#holders.delete(id);
    else this.#holders.set(id, holder);
    this.#retries = 0;
    this.#request();
  }

  /** One at a time; what changes meanwhile makes another one. */
  #request(): void {
    this.#retry?.[Symbol.dispose]();
    this.#isDirty = true;
    if (!this.#isSyncing) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isSyncing = true;
    while (this.#isDirty && !this.#stopping.signal.aborted) {
      this.#isDirty = false;
      await this.#sync();
    }
    this.#isSyncing = false;
  }

  async #sync(): Promise<void> {
    const { clock, log } = this.#options;
    const asking = [...this.#holders.keys()].map(async (id) => [id, await this.#read(id)] as const);
    const answers = await Promise.allSettled(asking);
    this.#known = new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
    this.#filter();
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed === undefined || this.#isDirty || this.#stopping.signal.aborted) return;
    log.info('what another API server serves could not be found out', { err: failed.reason as unknown, attempt: this.#retries });
    if (this.#retries >= maxRetries) return;
    this.#retry = clock.setTimeout(() => this.#request(), Math.min(firstRetryMs * 2 ** this.#retries++, longestRetryMs));
  }

  async #read(id: string): Promise<PeerDocument> {
    const { locate, metrics } = this.#options;
    const backend = await locate(id).catch((error: unknown) => {
      metrics.discoveryFailures.with('hostport_resolution').inc();
      throw error;
    });
    try {
      const [core, named] = await Promise.all([this.#fetch(backend, '/api'), this.#fetch(backend, '/apis')]);
      return documentOf([...core, ...named]);
    } catch (error) {
      metrics.discoveryFailures.with('fetch_discovery').inc();
      throw error;
    }
  }

  async #fetch(backend: Backend, target: string): Promise<Groups> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
    const headers = { ...userHeaders(self), accept: asked, 'x-kubernetes-peer-proxied': 'true' };
    const answer = await backend.exchange({ method: 'GET', target, headers, signal });
    const incoming = 'response' in answer ? answer.response : answer;
    const body = await readBounded(incoming);
    this.#options.metrics.passedOn.with(String(incoming.statusCode), '', '', '').inc();
    if (incoming.statusCode !== 200) throw new Error(`discovery request failed with status: ${incoming.statusCode}`);
    const { kind, items } = JSON.parse(body.toString()) as APIGroupDiscoveryList;
    if (kind !== 'APIGroupDiscoveryList') throw new Error(`error decoding discovery response: it is no APIGroupDiscoveryList`);
    return items ?? [];
  }

  #filter(): void {
    const excluded = this.#exclusions;
    const kept = (groups: Groups): Groups =>
      groups.flatMap((group) => {
        const versions = (group.versions ?? []).filter(({ version }) => !excluded.has(nameOf(group), version));
        return versions.length === 0 ? [] : [{ ...group, versions }];
      });
    const isKept = (resource: string): boolean => {
      const [group = '', version = ''] = resource.split('/');
      return !excluded.has(group, version);
    };
    this.#shown = new Map(
      [...this.#known].map(([id, { groups, resources }]) => [
        id,
        { groups: kept(groups), resources: new Set([...resources].filter(isKept)) },
      ]),
    );
    this.#generation++;
  }
}

/** The core group is served to peers, and shown by each server itself: it is not part of `/apis`. */
function documentOf(groups: Groups): PeerDocument {
  const resources = groups.flatMap((group) =>
    (group.versions ?? []).flatMap(({ version, resources: ofVersion = [] }) =>
      ofVersion.map(({ resource }) => `${nameOf(group)}/${version}/${resource}`),
    ),
  );
  return { groups: groups.filter((group) => nameOf(group) !== ''), resources: new Set(resources) };
}

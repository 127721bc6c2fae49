// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/leaderelection/{leaderelection_controller,leasecandidategc_controller}.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { whenAborted } from '../../base/pause.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import { microTimestamp } from '../../machinery/time.ts';
import type { Lease, LeaseSpec } from '../../schema/types/coordination-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { follow } from '../../server/registry/follow.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { Resource } from '../../server/registry/resource.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import { periodically } from '../bootstrap/periodically.ts';
import type { Candidate } from './choice.ts';
import {
  isAsked,
  isCandidateExpired,
  isCandidateOld,
  isLeaseExpired,
  oldestCandidate,
  oldestEmulationVersion,
  strategyOf,
} from './choice.ts';

export interface ElectionControllerOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
}

type LeaseObject = Lease & KubeObject;

const group = 'coordination.k8s.io';
const lookAgainMs = 5000;
/** candidates that are asked respond within it */
const electionMs = 5000;
const leaseDurationSeconds = 5;
const collectMs = 30 * 60_000;

/**
 * Elects who of the LeaseCandidates of a Lease holds it. All state is in the objects: candidates are asked by their pingTime, respond by
 * their renewTime, and once they have, one of them is written into the Lease; a better one than the present holder as its preferred holder.
 */
export class ElectionController {
  readonly #options: ElectionControllerOptions;
  readonly #signal: AbortSignal;
  readonly #leases: Resource;
  readonly #candidates: Resource;
  /** by key, and below it by the key of their Lease */
  readonly #leaseOf = new Map<string, string>();
  readonly #known = new Map<string, Map<string, Candidate>>();
  readonly #pending = new Set<string>();
  readonly #timers = new Map<string, Disposable>();
  #isWorking = false;

  constructor(options: ElectionControllerOptions, signal: AbortSignal) {
    const { reader } = options;
    this.#options = options;
    this.#signal = signal;
    this.#leases = reader.resource(group, 'leases');
    this.#candidates = reader.resource(group, 'leasecandidates');
  }

  /** Resolves at the signal, when nothing is under way. */
  async run(): Promise<void> {
    const { clock, log } = this.#options;
    const signal = this.#signal;
    const { store } = this.#candidates;
    await follow({
      name: 'LeaseCandidates',
      resource: this.#candidates,
      initialEvents: true,
      event: (type, entry) => this.#candidateEvent(entry.key, store.parse(entry) as Candidate, type === 'DELETED'),
      // Deletions between two watches bring no event.
      caughtUp: (keys) => {
        for (const key of this.#leaseOf.keys()) if (!keys.has(key)) this.#forget(key);
      },
      signal,
      clock,
      log,
    });
    await follow({
      name: 'Leases that are elected for',
      resource: this.#leases,
      event: (_type, entry) => this.#request(entry.key),
      signal,
      clock,
      log,
    });
    const failed = (error: unknown): void => log.error('LeaseCandidates could not be collected', { err: error });
    const collect = (): Promise<void> => this.#collect();
    await collect().catch(failed);
    periodically(collect, { everyMs: collectMs, clock, signal, failed });
    await whenAborted(signal);
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
  }

  #candidateEvent(key: string, candidate: Candidate, isDeleted: boolean): void {
    const { metadata, spec } = candidate;
    const lease = this.#leases.store.key(metadata.namespace ?? '', spec.leaseName);
    this.#forget(key);
    if (!isDeleted) {
      this.#leaseOf.set(key, lease);
      const ofLease = this.#known.get(lease) ?? new Map<string, Candidate>();
      this.#known.set(lease, ofLease.set(key, candidate));
    }
    // One that has just been asked changes nothing.
    if (!isAsked(candidate)) this.#request(lease);
  }

  #forget(key: string): void {
    const lease = this.#leaseOf.get(key);
    if (lease === undefined) return;
    this.#leaseOf.delete(key);
    const ofLease = this.#known.get(lease);
    ofLease?.delete(key);
    if (ofLease?.size === 0) this.#known.delete(lease);
  }

  #request(lease: string): void {
    if (!this.#known.has(lease) || this.#signal.aborted) return;
    this.#pending.add(lease);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    const { log } = this.#options;
    this.#isWorking = true;
    for (const lease of this.#pending) {
      this.#pending.delete(lease);
      let again = true;
      try {
        again = await this.#step(lease);
      } catch (error) {
        log.error('an election of coordinated leader election failed', { lease, err: error });
      }
      if (again) this.#lookAgain(lease);
    }
    this.#isWorking = false;
  }

  /** What is to be looked at sooner already stays so: those who were asked have their time from then on. */
  #lookAgain(lease: string): void {
    if (this.#timers.has(lease) || this.#signal.aborted) return;
    const timer = this.#options.clock.setTimeout(() => {
      this.#timers.delete(lease);
      this.#request(lease);
    }, lookAgainMs);
    this.#timers.set(lease, timer);
  }

  /** Resolves with whether to look again in a while, even if nothing changes. */
  async #step(key: string): Promise<boolean> {
    const now = this.#options.clock.now();
    const candidates = [...(this.#known.get(key)?.values() ?? [])].filter((candidate) => !isCandidateExpired(candidate, now));
    const [first] = candidates;
    if (first === undefined) return false;
    const { namespace = '' } = first.metadata;
    const name = first.spec.leaseName;
    const lease = await this.#read(namespace, name);
    if (!isElectionNeeded(lease, candidates, now)) return true;
    const isAsking = await this.#ask(candidates, now);
    if (isAsking) return true;
    const responded = candidates.filter((candidate) => isPresent(candidate, now));
    if (responded.length === 0) throw new Error('no available candidates');
    const strategy = strategyOf(responded);
    const electee = strategy === oldestEmulationVersion ? oldestCandidate(responded)?.metadata.name : undefined;
    if (strategy === oldestEmulationVersion && electee === undefined) throw new Error('should not happen, could not find suitable electee');
    await this.#elect(namespace, name, strategy, electee);
    return true;
  }

  /** Asks candidates that have not said for a while that they are there. Resolves with whether some are still to respond. */
  async #ask(candidates: readonly Candidate[], now: number): Promise<boolean> {
    const { writer } = this.#options;
    let isWaiting = false;
    const asking: Promise<unknown>[] = [];
    for (const candidate of candidates) {
      if (isAsked(candidate) && isWithin(candidate.spec.pingTime, now)) isWaiting = true;
      else if (!isPresent(candidate, now) && !isAsked(candidate)) {
        const { namespace = '', name = '', resourceVersion = '' } = candidate.metadata;
        const edit = (object: Candidate): void => void (object.spec.pingTime = microTimestamp(now));
        asking.push(writer.update<Candidate>(this.#candidates, namespace, name, edit, { preconditions: { resourceVersion } }));
        isWaiting = true;
      }
    }
    await Promise.all(asking);
    return isWaiting;
  }

  async #elect(namespace: string, name: string, strategy: string, electee: string | undefined): Promise<void> {
    const { writer, clock, log } = this.#options;
    const fresh = (): LeaseSpec => ({ leaseDurationSeconds, renewTime: microTimestamp(clock.now()) });
    const existing = await this.#read(namespace, name);
    if (existing === undefined) {
      const spec = { strategy, ...fresh(), ...(electee !== undefined && { holderIdentity: electee }) };
      log.info('coordinated leader election: Lease created', { lease: `${namespace}/${name}`, holder: electee });
      return writer.ensure(group, 'leases', { metadata: { namespace, name }, spec } as KubeObject);
    }
    const next = elected(existing.spec ?? {}, strategy, electee, clock.now(), fresh);
    if (deepEqual(next, existing.spec)) return;
    const { resourceVersion = '' } = existing.metadata;
    const { holderIdentity: holder, preferredHolder: preferred } = next;
    log.info('coordinated leader election: Lease updated', { lease: `${namespace}/${name}`, holder, preferred });
    const edit = (object: LeaseObject): void => void (object.spec = next);
    await writer.update<LeaseObject>(this.#leases, namespace, name, edit, { preconditions: { resourceVersion } });
  }

  async #read(namespace: string, name: string): Promise<LeaseObject | undefined> {
    const { store } = this.#leases;
    const entry = await store.getCurrent(namespace, name);
    return entry && (store.parse(entry) as LeaseObject);
  }

  /** Takes away candidates that have not been heard of for long. */
  async #collect(): Promise<void> {
    const { clock, writer } = this.#options;
    const { store } = this.#candidates;
    for (const candidate of [...this.#known.values()].flatMap((ofLease) => [...ofLease.values()])) {
      if (!isCandidateExpired(candidate, clock.now())) continue;
      const { namespace = '', name = '' } = candidate.metadata;
      const entry = await store.getCurrent(namespace, name);
      if (entry === undefined || !isCandidateExpired(store.parse(entry) as Candidate, clock.now())) continue;
      await writer.delete(this.#candidates, namespace, name).catch((error: unknown) => {
        if (!isReason(error, 'NotFound')) throw error;
      });
    }
  }
}

function isWithin(time: string | undefined, now: number, ms = electionMs): boolean {
  return time !== undefined && Date.parse(time) + ms > now;
}

/** Said so a moment ago, or when it was last asked: others that were asked with it may take their time. */
function isPresent(candidate: Candidate, now: number): boolean {
  const { pingTime, renewTime } = candidate.spec;
  return isWithin(renewTime, now) || (!isAsked(candidate) && isWithin(pingTime, now, 2 * electionMs));
}

function isElectionNeeded(lease: LeaseObject | undefined, candidates: readonly Candidate[], now: number): boolean {
  const spec = lease?.spec;
  if (spec === undefined || isLeaseExpired(spec, now) || !spec.holderIdentity) return true;
  if (candidates.some((candidate) => isCandidateOld(candidate, now))) return true;
  if (strategyOf(candidates) !== oldestEmulationVersion) return false;
  const best = oldestCandidate(candidates);
  return best !== undefined && best.metadata.name !== spec.holderIdentity;
}

/** A holder that lives is not put out: it learns who would be better, and gives way by itself. */
function elected(spec: LeaseSpec, strategy: string, electee: string | undefined, now: number, fresh: () => LeaseSpec): LeaseSpec {
  const next: LeaseSpec = { ...spec, strategy };
  if (electee === undefined || electee === spec.holderIdentity) return next;
  if (spec.holderIdentity && !isLeaseExpired(spec, now)) return { ...next, preferredHolder: electee };
  const { preferredHolder: _preferred, acquireTime: _acquired, ...rest } = next;
  return { ...rest, ...fresh(), holderIdentity: electee };
}

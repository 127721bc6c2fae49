// Upstream: k8s.io/client-go/tools/leaderelection/leaderelection.go, k8s.io/client-go/tools/leaderelection/resourcelock/leaselock.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import { microTimestamp } from '../../machinery/time.ts';
import type { Lease } from '../../schema/types/coordination-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { follow } from '../../server/registry/follow.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { Resource } from '../../server/registry/resource.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import { ensureNamespace } from '../bootstrap/system-namespaces.ts';
import type { LeaderElectionTimers } from './timers.ts';
import { defaultTimers } from './timers.ts';

export interface LeaderElectionOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** of the Lease in kube-system that candidates compete for */
  readonly lease: string;
  /** of this candidate; no two have the same */
  readonly identity: string;
  readonly timers?: LeaderElectionTimers;
}

type LeaseObject = Lease & KubeObject;
type LeaseSpec = NonNullable<Lease['spec']>;

const group = 'coordination.k8s.io';
const namespace = 'kube-system';
const jitter = 1.2;
/** A store that does not respond must not keep a server from stopping: the lease runs out by itself. */
const releaseLimitMs = 5000;

/** One of several servers on one store does the work: the holder of a Lease, which others take over when it is given up or runs out. */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #timers: LeaderElectionTimers;
  readonly #resource: Resource;
  /** What the lease was when it last changed, and when that was seen here: clocks of other machines are not relied upon. */
  #observed: LeaseSpec | undefined;
  #observedAt = 0;
  #wake = (): void => {};

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timers = options.timers ?? defaultTimers;
    this.#resource = options.reader.resource(group, 'leases');
  }

  /** Works whenever this candidate leads, until the signal. The lease is given up only when the work has ended. */
  async run(signal: AbortSignal, work: (leading: AbortSignal) => Promise<void>): Promise<void> {
    const { lease, identity, log } = this.#options;
    this.#followReleases(signal);
    while (!signal.aborted) {
      await this.#acquire(signal);
      if (signal.aborted) break;
      log.info('leader election: this server leads', { lease, identity });
      const ended = new AbortController();
      const working = work(ended.signal);
      await this.#hold(signal);
      ended.abort();
      await working;
      if (!signal.aborted) log.warn('leader election: the Lease was lost', { lease, identity });
    }
    await this.#release();
  }

  /** A candidate need not wait for its next attempt when the holder gives up. */
  #followReleases(signal: AbortSignal): void {
    const { store } = this.#resource;
    const key = store.key(namespace, this.#options.lease);
    void follow({
      ...this.#options,
      name: `Lease ${this.#options.lease}`,
      resource: this.#resource,
      event: (type, entry) => {
        if (entry.key === key && (type === 'DELETED' || !(store.parse(entry) as LeaseObject).spec?.holderIdentity)) this.#wake();
      },
      signal,
    });
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted && !(await this.#attempt(signal))) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await pause(clock, this.#timers.retryMs * (1 + Math.random() * jitter), AbortSignal.any([signal, woken.signal]));
    }
  }

  /** Resolves when the lease is another's, could not be renewed in time, or at the signal. */
  async #hold(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const { renewDeadlineMs, retryMs } = this.#timers;
    let renewedAt = clock.elapsed();
    for (;;) {
      await pause(clock, retryMs, signal);
      const begun = clock.elapsed();
      const late = new AbortController();
      // An attempt may never end while the store is away.
      const limit = pause(clock, renewedAt + renewDeadlineMs - begun, AbortSignal.any([signal, late.signal])).then(() => false);
      const renewed = await Promise.race([this.#attempt(signal), limit]);
      late.abort();
      if (signal.aborted || this.#isAnothers()) return;
      if (renewed) renewedAt = begun;
      else if (clock.elapsed() - renewedAt >= renewDeadlineMs) return;
    }
  }

  /** Whether the lease is this candidate's now. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#acquireOrRenew(signal);
    } catch (error) {
      const { log, lease } = this.#options;
      if (!isReason(error, 'Conflict')) log.error('leader election: the Lease could not be written', { lease, err: error });
      return false;
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { writer, clock, lease, identity } = this.#options;
    const known = await this.#read();
    if (known === undefined) {
      await ensureNamespace(writer, namespace);
      await writer.ensure(group, 'leases', { metadata: { name: lease, namespace }, spec: this.#record({}) } as KubeObject);
      return (await this.#read())?.spec?.holderIdentity === identity;
    }
    const { metadata, spec = {} } = known;
    const runsOutAt =
      this.#observedAt + (spec.leaseDurationSeconds === undefined ? this.#timers.leaseDurationMs : spec.leaseDurationSeconds * 1000);
    if (this.#isAnothers() && runsOutAt > clock.elapsed()) return false;
    if (signal.aborted) return false;
    const edit = (object: LeaseObject): void => void (object.spec = this.#record(spec));
    const { resourceVersion = '' } = metadata;
    const written = await writer.update<LeaseObject>(this.#resource, namespace, lease, edit, { preconditions: { resourceVersion } });
    this.#observe(written.spec);
    return true;
  }

  async #read(): Promise<LeaseObject | undefined> {
    const { store } = this.#resource;
    const entry = await store.getCurrent(namespace, this.#options.lease);
    const lease = entry && (store.parse(entry) as LeaseObject);
    this.#observe(lease?.spec);
    return lease;
  }

  #observe(spec: LeaseSpec | undefined): void {
    if (deepEqual(spec, this.#observed)) return;
    this.#observed = spec;
    this.#observedAt = this.#options.clock.elapsed();
  }

  #isAnothers(): boolean {
    const { holderIdentity } = this.#observed ?? {};
    return Boolean(holderIdentity) && holderIdentity !== this.#options.identity;
  }

  #record(before: LeaseSpec): LeaseSpec {
    const { clock, identity } = this.#options;
    const now = microTimestamp(clock.now());
    const isRenewal = before.holderIdentity === identity;
    return {
      ...before,
      holderIdentity: identity,
      leaseDurationSeconds: Math.floor(this.#timers.leaseDurationMs / 1000),
      acquireTime: isRenewal ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (isRenewal || before.acquireTime === undefined ? 0 : 1),
    };
  }

  /** The next one may lead at once. */
  async #release(): Promise<void> {
    const { writer, clock, log, lease, identity } = this.#options;
    if (this.#observed?.holderIdentity !== identity) return;
    const edit = ({ spec = {} }: LeaseObject): void => {
      const now = microTimestamp(clock.now());
      delete spec.holderIdentity;
      Object.assign(spec, { leaseDurationSeconds: 1, acquireTime: now, renewTime: now });
    };
    const release = async (): Promise<void> => {
      const known = await this.#read();
      // Another has it by now, or it was deleted.
      if (known?.spec?.holderIdentity !== identity) return;
      const { resourceVersion = '' } = known.metadata;
      await writer.update<LeaseObject>(this.#resource, namespace, lease, edit, { preconditions: { resourceVersion } });
    };
    const done = new AbortController();
    const failed = (error: unknown): void => log.error('leader election: the Lease could not be released', { lease, err: error });
    const released = release().catch(failed);
    await Promise.race([released, pause(clock, releaseLimitMs, done.signal)]);
    done.abort();
  }
}

// Upstream: k8s.io/apiserver/pkg/storage/cacher/{cacher,watch_cache}.go
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Steps } from '../../base/steps.ts';
import { stepByStep } from '../../base/steps.ts';
import { nextTurn } from '../../base/turns.ts';
import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import type { KeyValue, Storage, WatchItem } from '../storage.ts';
import { CompactedError, FutureRevisionError } from '../storage.ts';
import { abortable } from './abortable.ts';
import { Backfill } from './backfill.ts';
import { BookmarkSchedule } from './bookmarks.ts';
import type { CacheMetrics, CacheState } from './cache-metrics.ts';
import { cacheMetrics } from './cache-metrics.ts';
import { CatchUp } from './catch-up.ts';
import { Pace } from './pace.ts';
import { Portions } from './portions.ts';
import { follow } from './feed.ts';
import { Freshness } from './freshness.ts';
import { History } from './history.ts';
import { listing } from './listing.ts';
import type { Change } from './state.ts';
import { State } from './state.ts';
import type {
  CacheEntry,
  CacheListOptions,
  CacheListResult,
  CacheLog,
  CacheOptions,
  CacheStats,
  CacheWatchOptions,
  CorruptEntry,
  WatchCache,
  WatchHandle,
} from './types.ts';
import { CacheClosedError, CacheNotReadyError } from './types.ts';
import { asError, Watcher } from './watcher.ts';
import { WatcherRegistry } from './watcher-registry.ts';

/** More changes than these are of one transaction that is no request's: a store that is put back. */
const manyItems = 1_000;
const dispatchedAtOnce = 64;
/** What is older than this, and half as much again, is forgotten: a store that is compacted every five minutes cannot tell of it any more, either. */
const keptMilliseconds = 600_000;

const silent: CacheLog = { info: () => undefined, warn: () => undefined };

/** Costs nothing until it is first asked for something; then it follows the prefix until disposed of. */
export function createWatchCache<T extends CacheEntry>(storage: Storage, options: CacheOptions<T>): WatchCache<T> {
  return new StorageWatchCache(storage, options);
}

class StorageWatchCache<T extends CacheEntry> implements WatchCache<T> {
  readonly #storage: Storage;
  readonly #options: CacheOptions<T>;
  readonly #clock: Clock;
  readonly #log: CacheLog;
  readonly #state: State<T>;
  readonly #history: History<T>;
  readonly #freshness: Freshness;
  readonly #backfill: Backfill<T>;
  readonly #bookmarks: BookmarkSchedule<T>;
  /** watchers that have caught up with the present: parts of the server, and clients */
  readonly #parts: WatcherRegistry<T>;
  readonly #clients: WatcherRegistry<T>;
  readonly #watchers = new Set<Watcher<T>>();
  readonly #loaded = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  #feed: Promise<void> | undefined;
  #metrics: CacheMetrics | undefined;
  #startedAt = 0;
  #ready = false;
  #revision = 0;
  /** live watchers have been given everything up to here, and those among them that are parts of the server */
  #dispatched = 0;
  #followed = 0;
  /** armed while the history is long */
  #forgetting: Disposable | undefined;
  /** resolves when many changes are applied and parts of the server have them */
  #applying: Promise<readonly Change<T>[]> | undefined;

  readonly #pace: Pace;
  readonly #portions = new Portions();

  constructor(storage: Storage, options: CacheOptions<T>) {
    this.#storage = storage;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silent;
    this.#state = new State(options);
    this.#history = new History(options.historySize, options.bytesOf);
    this.#freshness = new Freshness(
      storage,
      options.prefix,
      this.#clock,
      () => this.#applying !== undefined || this.#dispatched < this.#revision,
    );
    this.#backfill = new Backfill(storage, options, this.#history, this.#clock, this.#stop.signal);
    this.#bookmarks = new BookmarkSchedule(this.#clock, (due) => this.#sendBookmarks(due));
    this.#pace = options.pace ?? new Pace();
    this.#parts = new WatcherRegistry(options.prefix, options.indexedFields);
    this.#clients = new WatcherRegistry(options.prefix, options.indexedFields);
    // Those that wait for it get a rejection; without any, it is no failure.
    this.#loaded.promise.catch(() => undefined);
  }

  get revision(): number {
    return this.#revision;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** It is asked for, and not there yet. */
  get isLoading(): boolean {
    return this.#startedAt > 0 && !this.#ready;
  }

  get oldestRevision(): number {
    return this.#history.floor;
  }

  get stats(): CacheStats {
    return {
      entries: this.#state.size,
      corrupt: this.#state.corruptCount,
      watchers: this.#watchers.size,
      history: this.#history.length,
      historyCapacity: this.#history.capacity,
    };
  }

  ready(signal?: AbortSignal): Promise<void> {
    this.#start();
    return this.#ready ? this.#loaded.promise : abortable(this.#loaded.promise, signal);
  }

  async waitFor(revision: number, signal?: AbortSignal): Promise<void> {
    this.#stop.signal.throwIfAborted();
    if (!this.#ready) await this.ready(signal);
    if (revision > this.#followed) await this.#waited(revision, signal);
  }

  async #waited(revision: number, signal: AbortSignal | undefined): Promise<void> {
    const began = performance.now();
    await this.#freshness.waitFor(revision, signal);
    // Parts of the server that follow the cache have been given what readers see.
    if (this.#applying !== undefined) await abortable(this.#applying, signal);
    this.#metrics?.readWait.observe((performance.now() - began) / 1000);
  }

  async fresh(signal?: AbortSignal): Promise<void> {
    if (!this.#ready) await this.ready(signal);
    const revision = await abortable(this.#freshness.currentRevision(), signal);
    this.#stop.signal.throwIfAborted();
    if (revision > this.#followed) await this.#waited(revision, signal);
    this.#metrics?.consistentReads.inc();
  }

  get(key: string): T | undefined {
    this.#assertReady();
    return this.#state.get(key);
  }

  corrupt(key: string): CorruptEntry | undefined {
    return this.#state.corrupt(key);
  }

  corruptIn(prefix: string): readonly CorruptEntry[] {
    return this.#state.corruptIn(prefix);
  }

  list(options: CacheListOptions): CacheListResult<T> {
    this.#assertReady();
    const revision = options.revision ?? this.#revision;
    if (revision !== this.#revision) return listing(this.#stateAt(revision), revision, options, undefined);
    const state = this.#state.snapshot();
    if (options.limit !== undefined) this.#history.keepNewest(state);
    return listing(state, revision, options, options.fieldEquals && this.#state.candidates(options.fieldEquals));
  }

  watch(options: CacheWatchOptions<T>): WatchHandle {
    const watcher = new Watcher(options, this.#options.tombstone);
    this.#watchers.add(watcher);
    watcher.onClose(() => this.#watchers.delete(watcher));
    const from = options.from === 'now' && this.#ready ? this.#revision : options.from;
    // Nothing reaches the sink before the caller has the handle to close the watch with.
    this.waitFor(options.initialEventsAtLeast ?? 0).then(
      () => this.#begin(watcher, from),
      (error: unknown) => watcher.end(asError(error)),
    );
    return watcher;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new CacheClosedError();
    this.#stop.abort(closed);
    this.#loaded.reject(closed);
    this.#freshness.close(closed);
    this.#bookmarks[Symbol.dispose]();
    this.#forgetting?.[Symbol.dispose]();
    for (const watcher of this.#watchers) watcher.end(closed);
    this.#metrics?.forget();
    await this.#feed;
  }

  #start(): void {
    if (this.#stop.signal.aborted || this.#feed !== undefined) return;
    this.#startedAt = performance.now();
    const { metrics, resource = { group: '', resource: '' } } = this.#options;
    const state = (): CacheState => {
      const { capacity, length: history } = this.#history;
      let unread = 0;
      for (const { pending } of this.#watchers) unread += pending;
      return { revision: this.#revision, capacity, history, unread };
    };
    if (metrics !== undefined) this.#metrics = cacheMetrics(metrics, resource, state);
    this.#feed = follow(
      {
        storage: this.#storage,
        prefix: this.#options.prefix,
        clock: this.#clock,
        log: this.#log,
        loaded: (values, revision) => this.#load(values, revision),
        changed: (items) => this.#apply(items),
        failed: () => this.#metrics?.initializationErrors().inc(),
        revision: () => this.#revision,
      },
      this.#stop.signal,
    );
  }

  #assertReady(): void {
    if (this.#ready) return;
    this.#start();
    throw new CacheNotReadyError();
  }

  #stateAt(revision: number): ReadonlyOrderedMap<T> {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    const state = this.#history.stateAt(revision);
    if (state === undefined) throw new CompactedError(this.#history.floor);
    return state;
  }

  async #load(values: readonly KeyValue[], revision: number): Promise<void> {
    const staged = await stepByStep(this.#untilStopped(this.#state.load(values)));
    // What happened since they last heard is not known (a list does not show what came and went), and after a step back in time
    // what they saw may never have happened.
    for (const watcher of this.#ready ? this.#watchers : []) watcher.end(new CompactedError(revision));
    staged.adopt();
    this.#metrics?.initializations.inc();
    this.#metrics?.initializationSeconds.observe((performance.now() - this.#startedAt) / 1000);
    for (const { key, error } of this.#state.corruptIn(this.#options.prefix)) {
      this.#metrics?.decodeErrors().inc();
      this.#log.warn('a stored value cannot be read', { key, err: error });
    }
    this.#history.reset(revision, this.#state.snapshot());
    this.#revision = revision;
    this.#dispatched = revision;
    this.#followed = revision;
    this.#ready = true;
    this.#freshness.reached(revision, true);
    this.#loaded.resolve();
  }

  #apply(items: readonly WatchItem[]): Promise<void> | undefined {
    const isMany = items.length > manyItems;
    const changes: Change<T>[] = [];
    let revision = this.#revision;
    let stored = 0;
    let progress = false;
    for (const item of items) {
      revision = Math.max(revision, item.type === 'put' ? item.kv.modRevision : item.revision);
      if (item.type === 'progress') {
        progress = true;
        this.#metrics?.progress.inc();
        continue;
      }
      stored++;
      if (isMany) continue;
      const change = this.#state.apply(item);
      if (change === undefined) continue;
      this.#record(change);
      changes.push(change);
    }
    if (stored > 0) this.#metrics?.storageEvents.inc(stored);
    if (isMany) return this.#applyMany(items, revision, progress);
    this.#advance(changes, revision, progress);
    const arrived = performance.now();
    for (const watchers of [this.#parts, this.#clients]) this.#dispatch(changes, watchers, arrived);
    this.#followed = revision;
    this.#dispatched = revision;
    return undefined;
  }

  /** Others get their turns meanwhile: readers see all of it or nothing, watchers get one event after the other. */
  async #applyMany(items: readonly WatchItem[], revision: number, progress: boolean): Promise<void> {
    this.#applying = this.#followMany(items, revision, progress);
    const changes = await this.#applying;
    this.#followed = revision;
    this.#applying = undefined;
    // Those who have waited for the changes go first.
    if (this.#clients.size > 0) await nextTurn();
    await this.#dispatchInSteps(changes, this.#clients);
    this.#dispatched = revision;
  }

  /** Until parts of the server have the changes. */
  async #followMany(items: readonly WatchItem[], revision: number, progress: boolean): Promise<readonly Change<T>[]> {
    const { changes, adopt } = await stepByStep(this.#untilStopped(this.#state.stage(items)));
    adopt();
    for (const change of changes) this.#warnIfCorrupt(change);
    this.#history.recordAll(changes, this.#clock.now(), this.#snapshot);
    this.#forgetLater();
    this.#advance(changes, revision, progress);
    await this.#dispatchInSteps(changes, this.#parts);
    return changes;
  }

  #dispatchInSteps(changes: readonly Change<T>[], watchers: WatcherRegistry<T>): Promise<void> {
    return stepByStep(this.#untilStopped(this.#dispatchSteps(changes, watchers)));
  }

  *#dispatchSteps(changes: readonly Change<T>[], watchers: WatcherRegistry<T>): Steps<void> {
    const arrived = performance.now();
    for (let at = 0; at < changes.length && watchers.size > 0; at += dispatchedAtOnce) {
      this.#dispatch(changes.slice(at, at + dispatchedAtOnce), watchers, arrived);
      yield;
    }
  }

  *#untilStopped<R>(steps: Steps<R>): Steps<R> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      yield;
      this.#stop.signal.throwIfAborted();
    }
  }

  #record(change: Change<T>): void {
    this.#warnIfCorrupt(change);
    this.#history.record(change, this.#clock.now(), this.#snapshot);
    this.#forgetLater();
  }

  /** A window that grew in a busy hour, with all the values before its changes, would stay for as long as nothing happens. */
  #forgetLater(): void {
    if (this.#forgetting !== undefined || !this.#history.isLong) return;
    this.#forgetting = this.#clock.setTimeout(() => {
      this.#forgetting = undefined;
      this.#history.forget(this.#clock.now() - keptMilliseconds);
      this.#forgetLater();
    }, keptMilliseconds / 2);
  }

  #warnIfCorrupt({ key, entry, event }: Change<T>): void {
    const corrupt = entry === undefined && event === undefined ? this.#state.corrupt(key) : undefined;
    if (corrupt !== undefined) this.#log.warn('a stored value cannot be read', { key, err: corrupt.error });
  }

  readonly #snapshot = (): ReadonlyOrderedMap<T> => this.#state.snapshot();

  /** For readers, who only learn of it in the next microtask: before watchers, who may read what they learn of. */
  #advance(changes: readonly Change<T>[], revision: number, progress: boolean): void {
    this.#revision = revision;
    this.#freshness.reached(revision, progress);
    this.#metrics?.received.inc(changes.length);
    this.#metrics?.dispatched.inc(changes.length);
  }

  /** To the watchers, one event after the other. */
  #dispatch(changes: readonly Change<T>[], watchers: WatcherRegistry<T>, arrived: number): void {
    if (watchers.size === 0) return;
    for (const { event } of changes) {
      const sent = event === undefined ? 0 : watchers.dispatch(event);
      // One look at the clock for all that get the event: they have it within one turn of the loop.
      if (sent > 0) this.#metrics?.dispatchSeconds.observe((performance.now() - arrived) / 1000, sent);
    }
  }

  #begin(watcher: Watcher<T>, from: CacheWatchOptions<T>['from']): void {
    if (watcher.closed) return;
    const { bookmarks, forClient, initialEventsAtLeast } = watcher.options;
    const source = {
      pace: this.#pace,
      portions: this.#portions,
      history: this.#history,
      backfill: this.#backfill,
      revision: () => this.#revision,
    };
    const catchUp = new CatchUp(watcher, source, (sent) => {
      if (sent > 0) this.#metrics?.initEvents().inc(sent);
      (forClient ? this.#clients : this.#parts).add(watcher);
      watcher.live();
      if (!bookmarks) return;
      this.#bookmarks.add(watcher);
      watcher.onClose(() => this.#bookmarks.remove(watcher));
    });
    if (initialEventsAtLeast !== undefined || from === 'any') {
      catchUp.fromState(this.#state.snapshot(), this.#revision, bookmarks && initialEventsAtLeast !== undefined);
    } else {
      catchUp.fromRevision(from === 'now' ? this.#revision : from);
    }
  }

  /** Learns first how far the storage has come, so that watchers of a quiet resource advance, too. */
  #sendBookmarks(due: readonly Watcher<T>[]): void {
    const send = (): void => {
      for (const watcher of due) {
        if (this.#dispatched > watcher.since) watcher.bookmark(this.#dispatched, false);
        if (!watcher.closed) this.#bookmarks.add(watcher);
      }
    };
    this.fresh().then(send, (error: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.#log.warn('bookmarks may be old', { prefix: this.#options.prefix, err: error });
      send();
    });
  }
}

/**
 * The watch cache of one resource: current state, a window of history, and watchers, over any storage driver.
 * It keeps entries, not objects: what an entry holds besides these fields is known to its decoder only.
 */
import type { Clock } from '../../base/clock.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { KeyValue } from '../storage.ts';
import type { Pace } from './pace.ts';

export interface CacheEntry {
  readonly key: string;
  /** modRevision of the stored value */
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** the kind's selectable fields, metadata.name and metadata.namespace among them */
  readonly fields: Readonly<Record<string, string>>;
}

export interface CacheOptions<T extends CacheEntry> {
  /** e.g. `/registry/configmaps/` */
  readonly prefix: string;
  /**
   * Throws when the value cannot be read (corrupt, no key to decrypt it): the key is then reported by reads and can be deleted.
   * `kv.value` may be a view of a larger buffer; an entry that keeps the bytes copies them if its driver says so.
   */
  readonly decode: (kv: KeyValue) => T;
  /** the entry as a DELETED event shows it: the last state, at the revision of the deletion */
  readonly tombstone: (last: T, revision: number) => T;
  /** selectable fields to keep an equality index of, e.g. spec.nodeName */
  readonly indexedFields?: readonly string[];
  /**
   * How many events the history window holds at least, 100 by default (grows under load, as upstream's does). A zero in
   * `--watch-cache-sizes` switches upstream's cache of that resource off and any other number changes nothing; here 0 keeps the
   * smallest window instead, and a watch that needs more history gets it from the storage: clients cannot tell the difference.
   */
  readonly historySize?: number;
  /** Called with an entry that is not current any more: what is kept beside it can go. Changes that watchers catch up with may still show it. */
  readonly replaced?: ((entry: T) => void) | undefined;
  /** of the value of an entry, which the history holds */
  readonly bytesOf?: (entry: T) => number;
  readonly clock?: Clock;
  readonly log?: CacheLog;
  /** shared by the caches of a server; without it the cache has its own */
  readonly pace?: Pace;
  /** where it counts, and as what; without them it does not */
  readonly metrics?: MetricsRegistry;
  readonly resource?: { readonly group: string; readonly resource: string };
}

/** Where the cache tells of trouble with its storage, and of the end of it. */
export interface CacheLog {
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

export type CacheEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change. The same object goes to every watcher, so that encodings can be kept on it. */
export interface CacheEvent<T extends CacheEntry> {
  readonly type: CacheEventType;
  /** the new state; for DELETED the tombstone */
  readonly object: T;
  /** the state before, absent for ADDED */
  readonly previous: T | undefined;
  readonly revision: number;
  /** encodings of this event, by whatever key the encoder likes; filled lazily, shared by all watchers */
  readonly encodings: Map<unknown, unknown>;
}

export interface CacheListOptions {
  /** key prefix below the cache's: a namespace's, or the cache's own */
  readonly prefix: string;
  readonly limit?: number;
  /** first key (inclusive) */
  readonly from?: string;
  /** exact state at this revision; throws CompactedError when the window does not reach it */
  readonly revision?: number;
  /** field = value pairs that an index may serve; the caller still filters */
  readonly fieldEquals?: Readonly<Record<string, string>>;
}

export interface CacheListResult<T extends CacheEntry> {
  /** lazily walked, in key order; stable even if writes happen meanwhile (a snapshot) */
  readonly items: Iterable<T>;
  /** the same as they are stored, where it takes something to show them otherwise */
  readonly stored?: Iterable<T>;
  /** the same in parts, where there are many, made when they are asked for, since all of them are walked: but for the first and the last they are the same arrays until something in them has changed */
  readonly parts?: (() => readonly (readonly T[])[]) | undefined;
  readonly revision: number;
  /** entries in the prefix at or after `from`, in this snapshot; cheap (not by walking) */
  readonly total: number;
}

export interface CacheWatchOptions<T extends CacheEntry> {
  readonly prefix: string;
  /** label and field selection; transitions in and out become ADDED and DELETED */
  readonly matches: (entry: T) => boolean;
  /** field = value pairs that `matches` requires; with metadata.name or an indexed field among them, other events never reach this watch */
  readonly fieldEquals?: Readonly<Record<string, string>>;
  /** events after this revision; 'now': from the current state on; 'any': current state as ADDED events, then on (resourceVersion 0 and unset) */
  readonly from: number | 'now' | 'any';
  /** sendInitialEvents: state at least this fresh as ADDED events, then a bookmark that says initial events are over */
  readonly initialEventsAtLeast?: number;
  /** about one a minute, and the one that ends the initial events */
  readonly bookmarks: boolean;
  /**
   * A client's: where a transaction has very many changes, those who read do not wait until it has them all. Parts of the server have them
   * before a request reads them, so that they decide by what is there.
   */
  readonly forClient?: boolean;
  /** when the caller is going to close the watch, in the clock's milliseconds: a last bookmark goes out two seconds before */
  readonly deadline?: number;
  readonly sink: WatchSink<T>;
}

/** Push, synchronous: the receiver owns its buffer and closes the watch when it cannot keep up. */
export interface WatchSink<T extends CacheEntry> {
  /**
   * `type` is this watcher's view of the event (selector transitions), which may differ from `event.type`; `event.object` is what to
   * show. An object that stopped matching comes as an event of its own: DELETED, with the last matching state as the tombstone.
   */
  event(type: CacheEventType, event: CacheEvent<T>): void;
  /** everything up to `revision` has been sent */
  bookmark(revision: number, initialEventsEnd: boolean): void;
  /** initial and past events were sent: what comes from now on is live */
  live?(): void;
  /** the watch is over: CompactedError, FutureRevisionError, CacheClosedError, or what the sink itself threw */
  end(error: Error): void;
  /** Back-pressure for initial and past events: bytes that wait for the client. Live events do not wait. */
  readonly pending?: number;
  /** a promise holds initial and past events back until it resolves, where more than `limit` bytes wait */
  drained?(limit: number): Promise<void> | undefined;
  /** for sinks that want everything, and send initial events as all others with the same `form` do */
  readonly shared?: SharedForm<T> | undefined;
}

/** Initial events as bytes that several sinks send. */
export interface SharedForm<T extends CacheEntry> {
  readonly form: string;
  /** As many of the entries, at least one, as fit into a write. */
  encode(entries: Iterable<T>): { readonly bytes: Buffer; readonly sizes: readonly number[] };
  /** Sends what was encoded; `revision` is that of its last entry, `sizes` are the bytes of each. */
  send(bytes: Buffer, revision: number, sizes: readonly number[]): void;
}

export interface WatchHandle {
  close(): void;
}

/** One key whose value cannot be read. */
export interface CorruptEntry {
  readonly key: string;
  readonly revision: number;
  readonly error: Error;
  /** what it was before, where it became corrupt under way; undefined: it was never read */
  readonly last?: unknown;
}

export interface WatchCache<T extends CacheEntry> extends AsyncDisposable {
  /** Loads the prefix on first use; resolves when the state is complete. Reads before that reject or wait as upstream's do. */
  ready(signal?: AbortSignal): Promise<void>;
  /** whether the state is complete; `get` and `list` throw CacheNotReadyError before */
  readonly isReady: boolean;
  /** whether it is asked for and not complete yet */
  readonly isLoading: boolean;
  /** revision up to which the cache has seen everything */
  readonly revision: number;
  /** Resolves when `revision` has been reached; rejects with FutureRevisionError after about three seconds, as upstream. */
  waitFor(revision: number, signal?: AbortSignal): Promise<void>;
  /** waitFor(the storage's current revision): after it, get and list are linearizable. Concurrent callers share one question. */
  fresh(signal?: AbortSignal): Promise<void>;
  /** Current state; synchronous. */
  get(key: string): T | undefined;
  corrupt(key: string): CorruptEntry | undefined;
  /** all corrupt keys in the prefix, oldest key first; a list that contains one responds as upstream does */
  corruptIn(prefix: string): readonly CorruptEntry[];
  list(options: CacheListOptions): CacheListResult<T>;
  /**
   * Makes what `get` of a key, or `list` or `watch` of so many entries that are wanted, would otherwise make at once, in slices. Not there where
   * entries are read as they are.
   */
  readonly prepare?: {
    get(key: string): Promise<void>;
    list(options: CacheListOptions, wanted: (entry: T) => boolean, limit: number): Promise<void>;
  };
  watch(options: CacheWatchOptions<T>): WatchHandle;
  /** oldest revision from which a watch can start without asking the storage for its history */
  readonly oldestRevision: number;
  readonly stats: CacheStats;
}

export interface CacheStats {
  readonly entries: number;
  readonly corrupt: number;
  readonly watchers: number;
  /** events in the history window, and how many it would hold now */
  readonly history: number;
  readonly historyCapacity: number;
}

/** The state is not loaded yet. */
export class CacheNotReadyError extends Error {
  constructor() {
    super('storage is (re)initializing');
    this.name = 'CacheNotReadyError';
  }
}

/** The cache was disposed of; a watch simply ends. */
export class CacheClosedError extends Error {
  constructor() {
    super('the watch cache is closed');
    this.name = 'CacheClosedError';
  }
}

/**
 * The watch cache of one resource: current state, a window of history, and watchers, over any storage driver.
 * It keeps entries, not objects: what an entry holds besides these fields is the business of whoever decodes it.
 */
import type { KeyValue } from '../storage.ts';

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
  /** Throws when the value cannot be read (corrupt, no key to decrypt it): the key is then reported by reads and can be deleted. */
  readonly decode: (kv: KeyValue) => T;
  /** the entry as a DELETED event shows it: the last state, at the revision of the deletion */
  readonly tombstone: (last: T, revision: number) => T;
  /** selectable fields to keep an equality index of, e.g. spec.nodeName */
  readonly indexedFields?: readonly string[];
  /** how many events the history window holds at least (grows under load, as upstream's does) */
  readonly historySize?: number;
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
  /** field = value pairs that an index may answer; the caller still filters */
  readonly fieldEquals?: Readonly<Record<string, string>>;
}

export interface CacheListResult<T extends CacheEntry> {
  /** lazily walked, in key order; stable even if writes happen meanwhile (a snapshot) */
  readonly items: Iterable<T>;
  readonly revision: number;
  /** entries in the prefix at or after `from`, in this snapshot; cheap (not by walking) */
  readonly total: number;
}

export interface CacheWatchOptions<T extends CacheEntry> {
  readonly prefix: string;
  /** label and field selection; transitions in and out become ADDED and DELETED */
  readonly matches: (entry: T) => boolean;
  /** events after this revision; 'now': from the current state on; 'any': current state as ADDED events, then on (resourceVersion 0 and unset) */
  readonly from: number | 'now' | 'any';
  /** sendInitialEvents: state at least this fresh as ADDED events, then a bookmark that says initial events are over */
  readonly initialEventsAtLeast?: number;
  readonly bookmarks: boolean;
  readonly sink: WatchSink<T>;
}

/** Push, synchronous: the receiver owns its buffer and closes the watch when it cannot keep up. */
export interface WatchSink<T extends CacheEntry> {
  /** `type` is this watcher's view of the event (selector transitions), which may differ from `event.type`. */
  event(type: CacheEventType, event: CacheEvent<T>): void;
  /** everything up to `revision` has been sent */
  bookmark(revision: number, initialEventsEnd: boolean): void;
  /** the watch is over: CompactedError, or the storage failed */
  end(error: Error): void;
}

export interface WatchHandle {
  close(): void;
}

/** One key whose value cannot be read. */
export interface CorruptEntry {
  readonly key: string;
  readonly revision: number;
  readonly error: Error;
}

export interface WatchCache<T extends CacheEntry> extends AsyncDisposable {
  /** Loads the prefix on first use; resolves when the state is complete. Reads before that reject or wait as upstream's do. */
  ready(signal?: AbortSignal): Promise<void>;
  /** revision up to which the cache has seen everything */
  readonly revision: number;
  /** Resolves when `revision` has been reached; rejects with FutureRevisionError after about three seconds, as upstream. */
  waitFor(revision: number, signal?: AbortSignal): Promise<void>;
  /** waitFor(the storage's current revision): after it, get and list are linearizable. Concurrent callers share one question. */
  fresh(signal?: AbortSignal): Promise<void>;
  /** Current state; synchronous. */
  get(key: string): T | undefined;
  corrupt(key: string): CorruptEntry | undefined;
  /** all corrupt keys in the prefix, oldest key first; a list that contains one answers as upstream does */
  corruptIn(prefix: string): readonly CorruptEntry[];
  list(options: CacheListOptions): CacheListResult<T>;
  watch(options: CacheWatchOptions<T>): WatchHandle;
  /** oldest revision from which a watch can start */
  readonly oldestRevision: number;
}

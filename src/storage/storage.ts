/**
 * What everything above sees of a store: ordered keys, opaque values, one revision counter, and a history to watch.
 * Revisions grow by one per transaction and never repeat. Every driver passes the one behaviour suite in `behaviour/`.
 */
export interface Storage extends AsyncDisposable {
  /** The newest value of a key, or undefined. Sees every write acknowledged before the call. */
  get(key: string, options?: ReadOptions): Promise<GetResult>;

  /** Keys that start with `prefix`, in byte order. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>;

  count(prefix: string, options?: ReadOptions): Promise<number>;

  /**
   * Applies all operations or none, at one new revision. Resolves after the write is durable.
   * A failed expectation resolves with `succeeded: false` and the current values; it writes nothing.
   * No key may occur twice. Deleting what does not exist changes nothing and makes no revision.
   * The value's bytes are kept, not copied: do not change them afterwards.
   */
  transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult>;

  /**
   * Changes with revision greater than `revision` (undefined: from now), in revision order, no gap, no duplicate.
   * Throws `CompactedError` (also in mid-stream) when history no longer reaches back that far. Changes of one transaction come in
   * one batch. A revision that is yet to come is waited for. The iteration ends quietly when the signal aborts, and throws
   * `StorageUnavailableError` when the store is closed.
   */
  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]>;

  /**
   * Makes every open watch of exactly this prefix that asked for progress yield a `progress` item soon: right after the changes it
   * has yet to deliver. Drivers whose watches report every new revision by themselves may leave it out.
   */
  requestProgress?(prefix: string): void;

  /** The newest revision that is durable here (etcd: asks the cluster). A read at this revision sees all acknowledged writes. */
  currentRevision(options?: ReadOptions): Promise<number>;

  /**
   * Forgets history before `revision`: the state at `revision` can still be listed, and watched from. Values that are current stay.
   * Does nothing when that much has been forgotten already; `FutureRevisionError` when the revision is ahead.
   */
  compact(revision: number): Promise<void>;

  /** Resolves when the store can serve reads and writes; rejects with the reason why it cannot. */
  health(options?: HealthOptions): Promise<void>;
}

export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  /** revision of the last change */
  readonly modRevision: number;
  /** revision at which the key came into being */
  readonly createRevision: number;
  /** number of changes since then, 1 for a new key */
  readonly version: number;
  /** why the value cannot be read, where values are decrypted on the way; `value` is then empty. The rest of a list is not affected. */
  readonly error?: Error;
  /** at rest in another form than new values get (an older key): the next update must write, even when nothing changed */
  readonly stale?: boolean;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface HealthOptions extends ReadOptions {
  /** how long a store that is elsewhere may take */
  readonly timeoutMs?: number;
}

export interface GetResult {
  readonly kv: KeyValue | undefined;
  /** the store's revision when it responded */
  readonly revision: number;
}

export interface ListOptions extends ReadOptions {
  /** at this revision instead of the newest; `CompactedError` when history does not reach it, `FutureRevisionError` when it is ahead */
  readonly revision?: number;
  readonly limit?: number;
  /** first key to return (inclusive), for paging; must start with the prefix */
  readonly from?: string;
}

export interface ListResult {
  readonly items: readonly KeyValue[];
  readonly revision: number;
  /** keys in the prefix at or after `from`, counted before `limit` cut them */
  readonly total: number;
}

/** `expect`: the modRevision that the key must have now; 0: the key must not exist; absent: anything. */
export type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: Buffer; readonly expect?: number; readonly ttlSeconds?: number }
  | { readonly type: 'delete'; readonly key: string; readonly expect?: number };

export interface TransactResult {
  readonly succeeded: boolean;
  /** the new revision, or the current one when nothing was written */
  readonly revision: number;
  /**
   * Succeeded: per operation, the value before it (undefined: there was none). Failed: per operation, the current value.
   * Drivers that cannot tell the previous value cheaply may leave it undefined when `expect` was given.
   */
  readonly values: readonly (KeyValue | undefined)[];
}

export interface WatchOptions {
  /** events after this revision; absent: from now */
  readonly revision?: number;
  readonly signal: AbortSignal;
  /** also yield `progress` items now and then, and soon after `requestProgress` where a driver has it */
  readonly progress?: boolean;
  /** false: values before the changes are not looked at, and a driver may leave them out */
  readonly previous?: boolean;
}

export type WatchItem =
  | { readonly type: 'put'; readonly kv: KeyValue; readonly previous: KeyValue | undefined }
  | { readonly type: 'delete'; readonly key: string; readonly revision: number; readonly previous: KeyValue | undefined }
  /** every change up to `revision` has been delivered */
  | { readonly type: 'progress'; readonly revision: number };

/** A value that cannot be read or written now but maybe later: nothing is wrong with it, but with who helps to read it. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** History was compacted beyond the asked revision. `compactRevision` is the oldest revision that can be watched or listed. */
export class CompactedError extends Error {
  readonly compactRevision: number;
  constructor(compactRevision: number) {
    super(`required revision has been compacted; the oldest is ${compactRevision}`);
    this.name = 'CompactedError';
    this.compactRevision = compactRevision;
  }
}

/** The asked revision has not happened yet. */
export class FutureRevisionError extends Error {
  readonly currentRevision: number;
  constructor(currentRevision: number) {
    super(`required revision is a future revision; the newest is ${currentRevision}`);
    this.name = 'FutureRevisionError';
    this.currentRevision = currentRevision;
  }
}

/** A value that the store does not take, now or later, because it is too large. */
export class ValueTooLargeError extends Error {
  override readonly name = 'ValueTooLargeError';
}

/** The store cannot take the write now (disk full, no quorum, timeout); nothing or an unknown outcome, `retryable` tells. */
export class StorageUnavailableError extends Error {
  /** false: the write surely did not happen; true: it may have */
  readonly outcomeUnknown: boolean;
  /** a store that is elsewhere was reached, and these are its words */
  readonly saidByStore: boolean;
  constructor(message: string, options: { outcomeUnknown: boolean; saidByStore?: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'StorageUnavailableError';
    this.outcomeUnknown = options.outcomeUnknown;
    this.saidByStore = options.saidByStore ?? false;
  }
}

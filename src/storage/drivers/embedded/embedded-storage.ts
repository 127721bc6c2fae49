import type { Clock } from '../../../base/clock.ts';
import type { Steps } from '../../../base/steps.ts';
import { stepByStep } from '../../../base/steps.ts';
import type { Deadline } from '../../mvcc/expiry.ts';
import { Expiry } from '../../mvcc/expiry.ts';
import type { Changes } from '../../mvcc/history.ts';
import type { Keyspace } from '../../mvcc/keyspace.ts';
import { listState } from '../../mvcc/keyspace.ts';
import { ForeseenState } from '../../mvcc/foreseen-state.ts';
import type { RestoreOptions, Snapshot, SnapshotStorage } from '../../mvcc/snapshot.ts';
import { restoreItems } from '../../mvcc/snapshot.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import { evaluate, keyOf, revisionOf } from '../../mvcc/transaction.ts';
import type { Committed } from '../../mvcc/watch-hub.ts';
import { WatchHub } from '../../mvcc/watch-hub.ts';
import type {
  GetResult,
  KeyValue,
  ListOptions,
  ListResult,
  Operation,
  ReadOptions,
  TransactResult,
  WatchItem,
  WatchOptions,
} from '../../storage.ts';
import { CompactedError, FutureRevisionError, StorageUnavailableError } from '../../storage.ts';
import type { OrderedMap, ReadonlyOrderedMap } from '../../ordered-map.ts';
import { ColdReader } from './cold-reader.ts';
import { Compactor } from './compactor.ts';
import type { StorageDirectory } from './directory.ts';
import type { Files } from './files.ts';
import { Log } from './log.ts';
import type { LogFiles } from './log-files.ts';
import type { StoredRecord } from './record.ts';

export interface PlannedChange<T> {
  /** all of the new revision, no key twice; empty: nothing changes, and there is no new revision */
  readonly items: readonly ChangeItem[];
  readonly result: T;
}

/** Called with what happens, for metrics and logs. */
export interface StorageObserver {
  /** transactions that were made durable by one sync */
  readonly committed?: (seconds: number, transactions: number, bytes: number) => void;
  readonly compacted?: (seconds: number, bytes: number) => void;
  readonly compactionFailed?: (error: Error) => void;
  /** writes are refused from now on, until `recovered` */
  readonly failed?: (error: Error) => void;
  readonly recovered?: () => void;
  /** A value on the disk did not match its checksum. The key stays, with no bytes, so that it can be seen and deleted. */
  readonly damagedValue?: (key: string, revision: number) => void;
}

export interface StorageStatistics {
  /** bytes of all files */
  readonly diskBytes: number;
  /** bytes that a restart would have to replay */
  readonly logBytes: number;
  readonly keys: number;
  readonly revision: number;
  readonly compactRevision: number;
  /** bytes of superseded values in memory */
  readonly historyBytes: number;
  readonly watchers: number;
}

export interface EmbeddedParts {
  readonly directory: StorageDirectory;
  readonly files: Files;
  readonly clock: Clock;
  readonly observer: StorageObserver;
  readonly keyspace: Keyspace;
  readonly logFiles: LogFiles;
  readonly expiresAt: WeakMap<KeyValue, number>;
  readonly compactRevision: number;
  readonly sequence: number;
  readonly historyItems: number;
  readonly historyBytes: number;
  readonly checkpointAfterBytes: number;
}

interface StagedRestore {
  readonly items: readonly ChangeItem[];
  readonly records: readonly StoredRecord[];
  /** the state with them */
  readonly staged: OrderedMap<KeyValue>;
}

const stepSize = 512;

/** The present in memory, the log on disk: a write is visible only once the log has it. See docs/designs/storage.md. */
export class EmbeddedStorage implements SnapshotStorage {
  readonly #parts: EmbeddedParts;
  readonly #keyspace: Keyspace;
  readonly #log: Log;
  readonly #cold: ColdReader;
  readonly #compactor: Compactor;
  readonly #watches: WatchHub;
  readonly #expiry: Expiry;
  /** per key, the last change that is queued */
  readonly #pending = new Map<string, ChangeItem>();
  readonly #foreseen: ForeseenState;
  /** last revision given to a queued transaction */
  #assigned: number;
  #compactRevision: number;
  #closed: Promise<void> | undefined;
  /** resolves when a restore that is under way is over */
  #restoring: Promise<void> | undefined;

  constructor(parts: EmbeddedParts, deadlines: Iterable<Deadline>) {
    const { keyspace, observer, clock, logFiles } = parts;
    this.#parts = parts;
    this.#keyspace = keyspace;
    this.#foreseen = new ForeseenState(keyspace, this.#pending);
    this.#assigned = keyspace.revision;
    this.#compactRevision = parts.compactRevision;
    this.#watches = new WatchHub(clock);
    this.#cold = new ColdReader(logFiles);
    this.#compactor = new Compactor(parts, this.#cold);
    this.#log = new Log(
      { ...parts, revision: keyspace.revision },
      {
        batchCommitted: (seconds, transactions, bytes) => observer.committed?.(seconds, transactions, bytes),
        failed: (error) => {
          this.#pending.clear();
          this.#assigned = keyspace.revision;
          observer.failed?.(error);
        },
        recovered: () => observer.recovered?.(),
        sealed: ({ path, sequence, bytes }) => {
          const firstRevision = (logFiles.segments.at(-1)?.lastRevision ?? logFiles.checkpoint?.revision ?? 1) + 1;
          logFiles.segments.push({ path, sequence, firstRevision, lastRevision: keyspace.revision, bytes });
          keyspace.trim(parts.historyItems, parts.historyBytes, keyspace.revision);
          this.#compactor.consider(this.#compactRevision);
        },
      },
    );
    this.#expiry = new Expiry(clock, (over) => this.#expire(over));
    for (const deadline of deadlines) this.#expiry.add(deadline);
  }

  async start(): Promise<this> {
    await this.#log.start();
    return this;
  }

  get statistics(): StorageStatistics {
    const { logFiles } = this.#parts;
    return {
      diskBytes: logFiles.bytes + this.#log.segmentBytes,
      logBytes: logFiles.segmentBytes + this.#log.usedBytes,
      keys: this.#keyspace.size,
      revision: this.#keyspace.revision,
      compactRevision: this.#compactRevision,
      historyBytes: this.#keyspace.historyBytes,
      watchers: this.#watches.size,
    };
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    this.#check(options);
    return { kv: this.#keyspace.get(key), revision: this.#keyspace.revision };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    this.#check(options);
    const { revision } = options;
    if (revision === undefined || revision >= this.#keyspace.compactRevision) return this.#keyspace.list(prefix, options);
    return listState(await this.#coldState(revision, prefix), prefix, options, revision);
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    this.#check(options);
    return this.#keyspace.count(prefix);
  }

  transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    if (this.#restoring !== undefined) return this.#restoring.then(() => this.transact(operations, options));
    return new Promise((resolve, reject) => {
      this.#check(options);
      if (this.#log.failure !== undefined) throw this.#log.failure;
      const revision = this.#assigned + 1;
      const { succeeded, values, items } = evaluate(operations, (key) => this.#foreseen.get(key), revision);
      if (items.length > 0) {
        this.#submit(items, this.#records(items, operations), revision, () => resolve({ succeeded, values, revision }), reject);
      } else if (operations.some(({ key }) => this.#pending.has(key))) {
        // The response shows writes that are not durable yet, so it must wait for them, and fail with them.
        this.#submit([], [], this.#assigned, () => resolve({ succeeded, values, revision: revision - 1 }), reject);
      } else resolve({ succeeded, values, revision: this.#keyspace.revision });
    });
  }

  /**
   * Changes that depend on more than the revisions of single keys: `plan` is called, at once unless a restore is under way, with the state as it will be once everything
   * queued is durable, and returns what it makes of it. Resolves with its result when that is durable, as everything that it was shown.
   */
  change<T>(plan: (state: ForeseenState, revision: number) => PlannedChange<T>): Promise<T> {
    if (this.#restoring !== undefined) return this.#restoring.then(() => this.change(plan));
    return new Promise((resolve, reject) => {
      this.#check();
      if (this.#log.failure !== undefined) throw this.#log.failure;
      const revision = this.#assigned + 1;
      const { items, result } = plan(this.#foreseen, revision);
      if (items.length > 0) this.#submit(items, this.#records(items, []), revision, () => resolve(result), reject);
      else if (this.#pending.size > 0) this.#submit([], [], this.#assigned, () => resolve(result), reject);
      else resolve(result);
    });
  }

  /** Newest durable revision. */
  get revision(): number {
    return this.#keyspace.revision;
  }

  /** Oldest revision that can be listed and watched from. */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  /** Keys as they were at a revision, or as they are now; of old ones only those with the prefix. */
  stateAt(revision: number | undefined, prefix: string): ReadonlyOrderedMap<KeyValue> | Promise<ReadonlyOrderedMap<KeyValue>> {
    this.#check();
    if (revision === undefined || revision >= this.#keyspace.compactRevision) return this.#keyspace.stateAt(revision);
    return this.#coldState(revision, prefix);
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    this.#check();
    const revision = (): number => this.#keyspace.revision;
    const compactRevision = (): number => this.#compactRevision;
    const source = {
      get revision() {
        return revision();
      },
      get compactRevision() {
        return compactRevision();
      },
      since: (after: number, keys: string) => this.since(after, keys),
    };
    return this.#watches.watch(source, prefix, options);
  }

  follow(committed: Committed): Disposable {
    return this.#watches.follow(committed);
  }

  requestProgress(prefix: string): void {
    this.#watches.requestProgress(prefix);
  }

  async currentRevision(options?: ReadOptions): Promise<number> {
    this.#check(options);
    return this.#keyspace.revision;
  }

  async compact(revision: number): Promise<void> {
    this.#check();
    if (revision > this.#keyspace.revision) throw new FutureRevisionError(this.#keyspace.revision);
    if (revision <= this.#compactRevision) return;
    if (this.#log.failure !== undefined) throw this.#log.failure;
    this.#log.setCompactRevision(revision);
    await new Promise<void>((resolve, reject) => this.#submit([], [], this.#assigned, resolve, reject));
    this.#compactRevision = Math.max(this.#compactRevision, revision);
    this.#keyspace.compact(revision);
    this.#compactor.consider(this.#compactRevision);
  }

  async health(options?: ReadOptions): Promise<void> {
    this.#check(options);
    if (this.#log.failure !== undefined) throw this.#log.failure;
  }

  snapshot(): Snapshot {
    this.#check();
    return { keyspace: this.#keyspace.present(), deadlines: this.#expiry.snapshot() };
  }

  /** Readers see what was before until all is durable; writers wait. */
  async restore(snapshot: Snapshot, options?: RestoreOptions): Promise<number> {
    while (this.#restoring !== undefined) await this.#restoring;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#restoring = promise;
    try {
      this.#check();
      // What is queued comes first: then the present is all that there is.
      if (this.#pending.size > 0) await new Promise<void>((done, failed) => this.#submit([], [], this.#assigned, done, failed));
      const restored = await stepByStep(this.#stage(snapshot, options));
      this.#check();
      if (this.#log.failure !== undefined) throw this.#log.failure;
      if (restored.items.length > 0) await this.#restore(restored);
      return this.#keyspace.revision;
    } finally {
      this.#restoring = undefined;
      resolve();
    }
  }

  *#stage(snapshot: Snapshot, options?: RestoreOptions): Steps<StagedRestore> {
    const { items, deadlines } = yield* restoreItems(snapshot, { current: this.#keyspace, now: this.#parts.clock.now() }, options);
    const ends = new Map(deadlines.map(({ key, at }) => [key, at]));
    const records: StoredRecord[] = [];
    for (const [index, item] of items.entries()) {
      if (index % stepSize === stepSize - 1) yield;
      const kv = item.type === 'put' ? item.kv : undefined;
      records.push({ key: keyOf(item), kv, revision: revisionOf(item), expiresAt: ends.get(keyOf(item)) ?? 0 });
    }
    return { items, records, staged: yield* this.#keyspace.stage(items) };
  }

  /** No other write can come in between: nothing has to foresee these changes. */
  #restore({ items, records, staged }: StagedRestore): Promise<void> {
    return new Promise((resolve, failed) => {
      const revision = (this.#assigned = this.#keyspace.revision + 1);
      const committed = (): void => {
        this.#commit(items, records, revision, staged);
        resolve();
      };
      this.#log.append({ records, revision, committed, failed });
    });
  }

  /** Writes what is queued, then closes and unlocks the directory. */
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#expiry[Symbol.dispose]();
    this.#watches.close(closedError());
    await this.#log.close();
    await this.#compactor.close();
    this.#parts.directory.unlock();
  }

  #check(options?: ReadOptions): void {
    options?.signal?.throwIfAborted();
    if (this.#closed !== undefined) throw closedError();
  }

  /** A state that memory no longer holds. */
  async #coldState(revision: number, prefix: string): Promise<ReadonlyOrderedMap<KeyValue>> {
    if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision);
    const state = await this.#compactor.exclusive(() => this.#cold.stateAt(revision, prefix));
    if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision);
    return state;
  }

  #records(items: readonly ChangeItem[], operations: readonly Operation[]): StoredRecord[] {
    let next = 0;
    return items.map((item) => {
      if (item.type === 'delete') return { key: item.key, kv: undefined, revision: item.revision, expiresAt: 0 };
      const { kv } = item;
      // Operations that change nothing have no item.
      while (next < operations.length && operations[next]!.key !== kv.key) next++;
      const operation = operations[next];
      const ttlSeconds = operation?.type === 'put' ? operation.ttlSeconds : undefined;
      return {
        key: kv.key,
        kv,
        revision: kv.modRevision,
        expiresAt: ttlSeconds === undefined ? 0 : this.#parts.clock.now() + ttlSeconds * 1000,
      };
    });
  }

  #submit(
    items: readonly ChangeItem[],
    records: readonly StoredRecord[],
    revision: number,
    resolve: () => void,
    reject: (error: Error) => void,
  ): void {
    this.#assigned = revision;
    for (const item of items) this.#pending.set(keyOf(item), item);
    const committed = (): void => {
      if (items.length > 0) this.#commit(items, records, revision);
      resolve();
    };
    this.#log.append({ records, revision, committed, failed: reject });
  }

  #commit(items: readonly ChangeItem[], records: readonly StoredRecord[], revision: number, staged?: OrderedMap<KeyValue>): void {
    this.#keyspace.commit(items, revision, staged);
    for (const item of this.#pending.size === 0 ? [] : items) {
      const key = keyOf(item);
      // Unless a later transaction, still queued, changes the key again.
      if (this.#pending.get(key) === item) this.#pending.delete(key);
    }
    for (const { key, kv, expiresAt } of records) {
      if (kv === undefined || expiresAt === 0) continue;
      this.#parts.expiresAt.set(kv, expiresAt);
      this.#expiry.add({ key, modRevision: revision, at: expiresAt });
    }
    this.#watches.publish(items, revision);
  }

  /** Changes after a revision, as far back as the files have them. */
  since(revision: number, prefix: string): Changes | Promise<Changes> {
    const inMemory = this.#keyspace.compactRevision;
    if (revision >= inMemory) return this.#keyspace.since(revision, prefix);
    return this.#compactor.exclusive(() => {
      if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision);
      return this.#cold.since(revision, inMemory, prefix);
    });
  }

  #expire(deadlines: readonly Deadline[]): void {
    const due = deadlines.filter(({ key, modRevision }) => this.#keyspace.get(key)?.modRevision === modRevision);
    const operations = due.map(({ key, modRevision }): Operation => ({ type: 'delete', key, expect: modRevision }));
    // One transaction per key if they cannot go together: one of them has just been changed.
    const attempts = operations.some(({ key }) => this.#pending.has(key)) ? operations.map((operation) => [operation]) : [operations];
    for (const attempt of attempts) {
      this.transact(attempt).catch(() => {
        // The disk does not take it now: the keys stay and are tried again.
        for (const deadline of due) this.#expiry.add({ ...deadline, at: this.#parts.clock.now() + 1000 });
      });
    }
  }
}

function closedError(): StorageUnavailableError {
  return new StorageUnavailableError('the storage is closed', { outcomeUnknown: false });
}

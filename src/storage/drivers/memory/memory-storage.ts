import type { Clock } from '../../../base/clock.ts';
import { steadyClock, systemClock } from '../../../base/clock.ts';
import type { Steps } from '../../../base/steps.ts';
import { stepByStep } from '../../../base/steps.ts';
import type { Deadline } from '../../mvcc/expiry.ts';
import { Expiry } from '../../mvcc/expiry.ts';
import { Keyspace } from '../../mvcc/keyspace.ts';
import type { Changes } from '../../mvcc/history.ts';
import type { RestoreOptions, Snapshot, SnapshotStorage } from '../../mvcc/snapshot.ts';
import { restoreItems } from '../../mvcc/snapshot.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import type { Committed } from '../../mvcc/watch-hub.ts';
import { WatchHub } from '../../mvcc/watch-hub.ts';
import type { OrderedMap } from '../../ordered-map.ts';
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
import { CompactedError, StorageUnavailableError } from '../../storage.ts';

export interface MemoryStorageOptions {
  /** tells when a time to live is over */
  readonly clock?: Clock;
  /** what it holds at the start, of any store */
  readonly from?: Snapshot;
}

export function createMemoryStorage(options: MemoryStorageOptions = {}): MemoryStorage {
  return new MemoryStorage(options.clock ?? systemClock, options.from);
}

/** A store without a disk. Copies share structure: taking one costs the same whatever it holds. */
export class MemoryStorage implements SnapshotStorage {
  readonly #clock: Clock;
  readonly #watches: WatchHub;
  #keyspace: Keyspace;
  #expiry: Expiry;
  #closed = false;
  /** resolves when a restore that is under way is over */
  #restoring: Promise<void> | undefined;

  constructor(clock: Clock, from?: Snapshot) {
    this.#clock = steadyClock(clock);
    this.#watches = new WatchHub(clock);
    this.#keyspace = from?.keyspace.fork() ?? new Keyspace();
    this.#expiry = this.#startExpiry(from?.deadlines.snapshot());
  }

  /** watches that are being iterated */
  get watchers(): number {
    return this.#watches.size;
  }

  snapshot(): Snapshot {
    this.#check();
    return { keyspace: this.#keyspace.present(), deadlines: this.#expiry.snapshot() };
  }

  async restore(snapshot: Snapshot, options?: RestoreOptions): Promise<number> {
    while (this.#restoring !== undefined) await this.#restoring;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#restoring = promise;
    try {
      this.#check();
      return await stepByStep(this.#restore(snapshot, options));
    } finally {
      this.#restoring = undefined;
      resolve();
    }
  }

  /** Readers see what was before until all is there; writers wait. */
  *#restore(snapshot: Snapshot, options?: RestoreOptions): Steps<number> {
    for (;;) {
      const keyspace = this.#keyspace;
      const { items, deadlines, staged } = yield* restoreItems(snapshot, { current: keyspace, now: this.#clock.now() }, options);
      this.#check();
      // It was rewound meanwhile.
      if (this.#keyspace !== keyspace) continue;
      this.#commit(items, staged);
      for (const deadline of deadlines) this.#expiry.add(deadline);
      return keyspace.revision;
    }
  }

  /**
   * Goes back to a snapshot of this store or another, revision and all, as an etcd does that was restored from an older copy. Open watches
   * end with CompactedError: what they saw is not this history.
   */
  rewind(snapshot: Snapshot): void {
    this.#check();
    this.#keyspace = snapshot.keyspace.fork();
    this.#expiry[Symbol.dispose]();
    this.#expiry = this.#startExpiry(snapshot.deadlines.snapshot());
    this.#watches.endAll(new CompactedError(this.#keyspace.revision));
  }

  /** A store of its own that starts from this one's present, and knows its past. */
  fork(): MemoryStorage {
    this.#check();
    return new MemoryStorage(this.#clock, { keyspace: this.#keyspace, deadlines: this.#expiry.snapshot() });
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    this.#check(options);
    return { kv: this.#keyspace.get(key), revision: this.#keyspace.revision };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    this.#check(options);
    return this.#keyspace.list(prefix, options);
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    this.#check(options);
    return this.#keyspace.count(prefix);
  }

  async transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    while (this.#restoring !== undefined) await this.#restoring;
    this.#check(options);
    const { succeeded, values, items } = this.#keyspace.evaluate(operations);
    this.#commit(items);
    const { revision } = this.#keyspace;
    for (const operation of succeeded ? operations : []) {
      if (operation.type !== 'put' || operation.ttlSeconds === undefined) continue;
      this.#expiry.add({ key: operation.key, modRevision: revision, at: this.#clock.now() + operation.ttlSeconds * 1000 });
    }
    return { succeeded, values, revision };
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    this.#check();
    const keyspace = (): Keyspace => this.#keyspace;
    const source = {
      get revision() {
        return keyspace().revision;
      },
      get compactRevision() {
        return keyspace().compactRevision;
      },
      since: (revision: number, keys: string) => this.#keyspace.since(revision, keys),
    };
    return this.#watches.watch(source, prefix, options);
  }

  follow(committed: Committed): Disposable {
    return this.#watches.follow(committed);
  }

  get revision(): number {
    return this.#keyspace.revision;
  }

  since(revision: number, prefix: string): Changes {
    return this.#keyspace.since(revision, prefix);
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
    this.#keyspace.compact(revision);
  }

  async health(options?: ReadOptions): Promise<void> {
    this.#check(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#expiry[Symbol.dispose]();
    this.#watches.close(closedError());
  }

  #check(options?: ReadOptions): void {
    options?.signal?.throwIfAborted();
    if (this.#closed) throw closedError();
  }

  #startExpiry(deadlines?: OrderedMap<Deadline>): Expiry {
    return new Expiry(this.#clock, (over) => this.#expire(over), deadlines);
  }

  #expire(deadlines: readonly Deadline[]): void {
    if (this.#restoring !== undefined) return void this.#restoring.then(() => this.#expire(deadlines));
    if (this.#closed) return;
    const operations = deadlines
      .filter(({ key, modRevision }) => this.#keyspace.get(key)?.modRevision === modRevision)
      .map(({ key }): Operation => ({ type: 'delete', key }));
    this.#commit(this.#keyspace.evaluate(operations).items);
  }

  #commit(items: readonly ChangeItem[], staged?: OrderedMap<KeyValue>): void {
    if (items.length === 0) return;
    const revision = this.#keyspace.revision + 1;
    this.#keyspace.commit(items, revision, staged);
    this.#watches.publish(items, revision, staged !== undefined);
  }
}

function closedError(): StorageUnavailableError {
  return new StorageUnavailableError('the storage is closed', { outcomeUnknown: false });
}

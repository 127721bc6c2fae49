import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../../../base/clock.ts';
import { ownBytes } from '../../../base/own-bytes.ts';
import { Calls } from '../../../base/threads/calls.ts';
import type { Changes } from '../../mvcc/history.ts';
import { Keyspace } from '../../mvcc/keyspace.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import { WatchHub } from '../../mvcc/watch-hub.ts';
import { OrderedMap } from '../../ordered-map.ts';
import type {
  GetResult,
  HealthOptions,
  KeyValue,
  ListOptions,
  ListResult,
  Operation,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from '../../storage.ts';
import { StorageUnavailableError } from '../../storage.ts';
import type { Packed } from './packing.ts';
import { unpack, unpackValues } from './packing.ts';
import type { HostFunctions, PackedKnown, ReplicaFunctions } from './protocol.ts';
import { packOperations, revivedError } from './protocol.ts';
import { SharedCounter } from './shared-memory.ts';
import type { ValueNotes } from './value-notes.ts';

export interface ReplicaOptions {
  /** to the thread that has the store, where a ReplicaHost serves its other end */
  readonly port: MessagePort;
  /** the host's revision */
  readonly revision: SharedArrayBuffer;
  readonly clock: Clock;
}

/** History that is kept here; what is older is asked for. */
const historyItems = 20_000;
const historyBytes = 16 << 20;
const trimEvery = 1000;

/**
 * A store that lives in another thread: all of its keys and values are here too, and follow it. Reads end here, once everything that was
 * acknowledged before them has arrived; transactions are made there.
 */
export class ReplicaStorage implements Storage {
  /** of the values that cross threads; undefined: there are none */
  notes: ValueNotes | undefined;
  readonly #calls: Calls<HostFunctions>;
  readonly #newest: SharedCounter;
  readonly #watches: WatchHub;
  readonly #loading = new OrderedMap<KeyValue>();
  /** values of transactions that are under way, by key: what comes back is recognised by its bytes, and is the same value as before */
  readonly #sent = new Map<string, Buffer>();
  readonly #loaded = Promise.withResolvers<void>();
  #keyspace = new Keyspace();
  #shared: { readonly ring: SharedArrayBuffer; readonly read: SharedCounter } | undefined;
  #untrimmed = 0;
  #waiting: { readonly revision: number; resolve(): void; reject(error: Error): void }[] = [];
  #closed = false;

  private constructor({ port, revision, clock }: ReplicaOptions) {
    this.#newest = new SharedCounter(revision);
    this.#watches = new WatchHub(clock);
    const functions: ReplicaFunctions = {
      share: ({ ring, read }) => {
        this.#shared = { ring, read: new SharedCounter(read) };
      },
      load: (portion) => {
        for (const kv of unpackValues(portion)) this.#loading.set(kv.key, kv);
      },
      loaded: (at) => {
        this.#keyspace = new Keyspace({ current: this.#loading, revision: at, compactRevision: at });
        this.#loaded.resolve();
      },
      changed: (changes) => this.#changed(changes),
    };
    this.#calls = new Calls<HostFunctions>(port, functions, { closed: () => this.#close(), revive: revivedError });
  }

  /** Resolves when everything that the store holds is here. */
  static async open(options: ReplicaOptions): Promise<ReplicaStorage> {
    const storage = new ReplicaStorage(options);
    await storage.#loaded.promise;
    return storage;
  }

  /** watches that are being iterated */
  get watchers(): number {
    return this.#watches.size;
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    await this.currentRevision(options);
    return { kv: this.#keyspace.get(key), revision: this.#keyspace.revision };
  }

  async list(prefix: string, { signal, ...options }: ListOptions = {}): Promise<ListResult> {
    await this.currentRevision(signal && { signal });
    if ((options.revision ?? this.#keyspace.revision) >= this.#keyspace.compactRevision) return this.#keyspace.list(prefix, options);
    const { items, revision, total } = await this.#calls.call('list', { prefix, options });
    return { items: unpackValues(items), revision, total };
  }

  async count(prefix: string, options?: ReadOptions): Promise<number> {
    await this.currentRevision(options);
    return this.#keyspace.count(prefix);
  }

  async transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    this.#check(options);
    for (const operation of operations) if (operation.type === 'put') this.#sent.set(operation.key, operation.value);
    const packed = packOperations(operations, (value) => this.notes?.of(value));
    try {
      const [succeeded, revision, values] = await this.#calls.call('transact', packed);
      return { succeeded, revision, values: unpackKnown(operations.length, values) };
    } finally {
      for (const operation of operations) {
        if (operation.type === 'put' && this.#sent.get(operation.key) === operation.value) this.#sent.delete(operation.key);
      }
    }
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    this.#check();
    const revision = (): number => this.#keyspace.revision;
    const source = {
      get revision() {
        return revision();
      },
      // How far back history goes is for the host to say.
      compactRevision: 0,
      since: (after: number, keys: string) => this.#since(after, keys),
    };
    return this.#watches.watch(source, prefix, options);
  }

  requestProgress(prefix: string): void {
    this.#watches.requestProgress(prefix);
  }

  /** Resolves when what is here is as new as that. */
  async currentRevision(options?: ReadOptions): Promise<number> {
    this.#check(options);
    const revision = this.#newest.value;
    if (this.#keyspace.revision < revision) await new Promise<void>((resolve, reject) => this.#waiting.push({ revision, resolve, reject }));
    return revision;
  }

  async compact(revision: number): Promise<void> {
    await this.currentRevision();
    await this.#calls.call('compact', revision);
    this.#keyspace.compact(revision);
  }

  async health(options: HealthOptions = {}): Promise<void> {
    this.#check(options);
    const { signal: _, ...sent } = options;
    await this.#calls.call('health', sent);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    this.#calls[Symbol.dispose]();
  }

  #close(): void {
    this.#closed = true;
    const error = closedError();
    this.#loaded.reject(error);
    this.#watches.close(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #check(options?: ReadOptions): void {
    options?.signal?.throwIfAborted();
    if (this.#closed) throw closedError();
  }

  #changed(changes: Packed): void {
    const items: ChangeItem[] = [];
    let transaction: ChangeItem[] = [];
    let revision = 0;
    let bytes = 0;
    for (const { key, kv, note, revision: at } of unpack(changes, this.#shared?.ring)) {
      if (at !== revision && transaction.length > 0) {
        this.#keyspace.commit(transaction, revision);
        transaction = [];
      }
      revision = at;
      const previous = this.#keyspace.get(key);
      const own = kv && { ...kv, value: this.#kept(kv, note) };
      bytes += own?.value.length ?? 0;
      const item: ChangeItem = own === undefined ? { type: 'delete', key, revision, previous } : { type: 'put', kv: own, previous };
      transaction.push(item);
      items.push(item);
    }
    if (typeof changes.values === 'number') this.#shared!.read.value = changes.values + bytes;
    this.#keyspace.commit(transaction, revision);
    this.#watches.publish(items, revision);
    if ((this.#untrimmed += items.length) >= trimEvery) {
      this.#untrimmed = 0;
      this.#keyspace.trim(historyItems, historyBytes, revision);
    }
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((one) => one.revision > revision);
    for (const one of waiting) if (one.revision <= revision) one.resolve();
  }

  /** In memory of its own, so that it does not keep those beside it once they are replaced. */
  #kept({ key, value }: KeyValue, note: string | undefined): Buffer {
    const sent = this.#sent.get(key);
    if (sent?.equals(value) === true) return sent;
    const own = ownBytes(value);
    if (note) this.notes?.add(key, own, note);
    return own;
  }

  #since(revision: number, prefix: string): Changes | Promise<Changes> {
    if (revision >= this.#keyspace.compactRevision) return this.#keyspace.since(revision, prefix);
    return this.#olderSince(revision, prefix);
  }

  async #olderSince(revision: number, prefix: string): Promise<Changes> {
    const { changes, previous, upTo } = await this.#calls.call('since', { revision, prefix });
    const before = unpackKnown(changes.keys.length, previous);
    const items = unpack(changes).map(({ key, kv, revision: at }, i): ChangeItem =>
      kv === undefined ? { type: 'delete', key, revision: at, previous: before[i] } : { type: 'put', kv, previous: before[i] },
    );
    return { items, upTo };
  }
}

function unpackKnown(count: number, values: PackedKnown | undefined): (KeyValue | undefined)[] {
  if (values === undefined) return Array.from({ length: count }, () => undefined);
  const found = unpackValues(values.packed).values();
  return values.known.map((isKnown) => (isKnown ? found.next().value : undefined));
}

function closedError(): StorageUnavailableError {
  return new StorageUnavailableError('the storage is closed', { outcomeUnknown: false });
}

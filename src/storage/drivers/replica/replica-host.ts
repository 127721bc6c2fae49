import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { Calls } from '../../../base/threads/calls.ts';
import type { Changes } from '../../mvcc/history.ts';
import type { SnapshotStorage } from '../../mvcc/snapshot.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import type { KeyValue } from '../../storage.ts';
import type { Packed } from './packing.ts';
import { packChanges, packValues } from './packing.ts';
import type { HostFunctions, PackedKnown, PackedOperations, PackedTransactResult, ReplicaFunctions } from './protocol.ts';
import { unpackOperations } from './protocol.ts';
import { SharedCounter, SharedRing } from './shared-memory.ts';
import type { ValueNotes } from './value-notes.ts';

/** A store that replicas can follow. */
export interface FollowedStorage extends SnapshotStorage {
  /** newest durable revision */
  readonly revision: number;
  /** `committed` is called with every transaction, in order, before its writer hears of it. */
  follow(committed: (items: readonly ChangeItem[], revision: number) => void): Disposable;
  /** Changes after a revision, as far back as the store has them. */
  since(revision: number, prefix: string): Changes | Promise<Changes>;
}

const portionKeys = 500;
/** A value that stays keeps the whole portion in the memory of the replica. */
const portionBytes = 64 << 10;

/** Gives other threads a store that lives in this one. */
export class ReplicaHost implements Disposable {
  /** newest durable revision, for all replicas: one knows without asking whether it has seen everything */
  readonly revision = new SharedCounter();
  /** of the values that cross threads; undefined: there are none */
  notes: ValueNotes | undefined;
  readonly #ring = new SharedRing();
  readonly #storage: FollowedStorage;
  readonly #replicas = new Set<Replica>();
  readonly #following: Disposable;
  /** the latest; all replicas get it */
  #batch: Batch | undefined;

  constructor(storage: FollowedStorage) {
    this.#storage = storage;
    this.revision.value = storage.revision;
    this.#following = storage.follow((items, revision) => {
      this.revision.value = revision;
      if (this.#replicas.size === 0) return;
      if (this.#batch?.add(items) === true) return;
      const batch = (this.#batch = new Batch(items, (all) => packChanges(all, this.#ring, this.notes)));
      for (const replica of this.#replicas) replica.changed(batch);
    });
  }

  /** Serves the replica at the other end until the port is closed. */
  serve(port: MessagePort): void {
    const read = new SharedCounter();
    const closed = (): void => {
      this.#replicas.delete(replica);
      this.#ring.delete(read);
    };
    const calls = new Calls<ReplicaFunctions>(port, this.#functions(), { closed });
    const replica = new Replica(calls);
    this.#ring.add(read);
    calls.notify('share', { ring: this.#ring.memory, read: read.memory });
    // What is committed from now on comes after what is there now.
    const { keyspace } = this.#storage.snapshot();
    this.#batch = undefined;
    this.#replicas.add(replica);
    void replica.load(keyspace.entries(), keyspace.revision);
  }

  #functions(): HostFunctions {
    const storage = this.#storage;
    return {
      transact: (operations) => this.#transact(operations),
      async list({ prefix, options }) {
        const { items, revision, total } = await storage.list(prefix, options);
        return { items: packValues(items), revision, total };
      },
      async since({ revision, prefix }) {
        const { items, upTo } = await storage.since(revision, prefix);
        return { changes: packChanges(items), previous: packKnown(items.map((item) => item.previous)), upTo };
      },
      compact: (revision) => storage.compact(revision),
      health: (options) => storage.health(options),
    };
  }

  async #transact(packed: PackedOperations): Promise<PackedTransactResult> {
    const operations = unpackOperations(packed, (key, value, note) => this.notes?.add(key, value, note));
    const { succeeded, revision, values } = await this.#storage.transact(operations);
    // The value before, where its revision is known, is not asked for.
    const told = values.map((value, i) => (succeeded && operations[i]?.expect !== undefined ? undefined : value));
    return [succeeded, revision, packKnown(told)];
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]();
    for (const replica of this.#replicas) replica[Symbol.dispose]();
    this.#replicas.clear();
  }
}

/** Transactions that are synced together are sent together, packed once for all replicas. */
class Batch {
  readonly #items: ChangeItem[];
  readonly #pack: (items: readonly ChangeItem[]) => Packed;
  #packed: Packed | undefined;

  constructor(items: readonly ChangeItem[], pack: (items: readonly ChangeItem[]) => Packed) {
    this.#items = [...items];
    this.#pack = pack;
  }

  /** false: it is packed already */
  add(items: readonly ChangeItem[]): boolean {
    if (this.#packed !== undefined) return false;
    for (const item of items) this.#items.push(item);
    return true;
  }

  packed(): Packed {
    return (this.#packed ??= this.#pack(this.#items));
  }
}

class Replica implements Disposable {
  readonly #calls: Calls<ReplicaFunctions>;
  /** changes since the state that is being sent */
  #later: Batch[] | undefined = [];
  #gone = false;

  constructor(calls: Calls<ReplicaFunctions>) {
    this.#calls = calls;
  }

  changed(batch: Batch): void {
    if (this.#later === undefined) this.#calls.notifyLate('changed', () => batch.packed());
    else this.#later.push(batch);
  }

  async load(entries: Iterable<[string, KeyValue]>, revision: number): Promise<void> {
    let portion: KeyValue[] = [];
    let bytes = 0;
    for (const [, kv] of entries) {
      portion.push(kv);
      bytes += kv.value.length;
      if (portion.length < portionKeys && bytes < portionBytes) continue;
      this.#calls.notify('load', packValues(portion));
      portion = [];
      bytes = 0;
      await nextTurn();
      if (this.#gone) return;
    }
    this.#calls.notify('load', packValues(portion));
    this.#calls.notify('loaded', revision);
    for (const batch of this.#later ?? []) this.#calls.notify('changed', batch.packed());
    this.#later = undefined;
  }

  [Symbol.dispose](): void {
    this.#gone = true;
    this.#calls[Symbol.dispose]();
  }
}

function packKnown(values: readonly (KeyValue | undefined)[]): PackedKnown | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === 0 ? undefined : { known: values.map((value) => value !== undefined), packed: packValues(found) };
}

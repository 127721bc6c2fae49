import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import type { ReadonlyOrderedMap, Settle } from '../ordered-map.ts';
import { OrderedMap, prefixEnd } from '../ordered-map.ts';
import type { KeyValue, ListOptions, ListResult, Operation } from '../storage.ts';
import { CompactedError, FutureRevisionError } from '../storage.ts';
import type { Changes } from './history.ts';
import { History } from './history.ts';
import type { ChangeItem, Evaluation } from './transaction.ts';
import { evaluate, keyOf } from './transaction.ts';

const pastStates = 4;
/** from this on, changes are made together */
const manyItems = 100;

/** Keys and values in memory with their revisions and history: what a driver adds is where it comes from and when a write counts. */
export class Keyspace {
  #current: OrderedMap<KeyValue>;
  #history: History;
  #revision: number;
  #compactRevision: number;
  /** states that were asked for lately, since pages of one list ask for the same one again */
  readonly #past = new Map<number, OrderedMap<KeyValue>>();

  constructor(start: { current?: OrderedMap<KeyValue>; history?: History; revision?: number; compactRevision?: number } = {}) {
    this.#current = start.current ?? new OrderedMap();
    this.#history = start.history ?? new History();
    // As etcd: an empty store is at revision 1, since 0 means "any" to clients.
    this.#revision = start.revision ?? 1;
    this.#compactRevision = start.compactRevision ?? 1;
  }

  get revision(): number {
    return this.#revision;
  }

  /** oldest revision that can be listed here and watched from */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  get size(): number {
    return this.#current.size;
  }

  get historyBytes(): number {
    return this.#history.bytes;
  }

  /** bytes of all values that were replaced or deleted until now */
  get displacedBytes(): number {
    return this.#history.displacedBytes;
  }

  /** An independent copy, in constant time. */
  fork(): Keyspace {
    return new Keyspace({
      current: this.#current.snapshot(),
      history: this.#history.fork(),
      revision: this.#revision,
      compactRevision: this.#compactRevision,
    });
  }

  /** A copy of the present alone, in constant time: what was before is not kept alive by it. */
  present(): Keyspace {
    return new Keyspace({
      current: this.#current.snapshot(),
      history: new History(this.displacedBytes),
      revision: this.#revision,
      compactRevision: this.#revision,
    });
  }

  get(key: string): KeyValue | undefined {
    return this.#current.get(key);
  }

  /** What another keyspace, which has grown from this one or this from that, shows, but for what `settle` makes of the keys that differ. */
  reconciled(other: Keyspace, settle: Settle<KeyValue>): Steps<OrderedMap<KeyValue>> {
    return this.#current.reconciled(other.#current, settle);
  }

  entries(): IterableIterator<[string, KeyValue]> {
    return this.#current.entries();
  }

  count(prefix: string): number {
    return this.#current.count(prefix, prefixEnd(prefix));
  }

  list(prefix: string, options: ListOptions = {}): ListResult {
    const state = this.stateAt(options.revision);
    return listState(state, prefix, options, this.#revision);
  }

  evaluate(operations: readonly Operation[]): Evaluation {
    return evaluate(operations, (key) => this.#current.get(key), this.#revision + 1);
  }

  /** The state with these changes, made aside: for `commit`, unless there were others before. */
  *stage(items: readonly ChangeItem[]): Steps<OrderedMap<KeyValue>> {
    const values = items.map((item) => (item.type === 'put' ? item.kv : undefined));
    const next = this.#current.snapshot();
    yield;
    yield* next.setAll(items.map(keyOf), values);
    return next;
  }

  /** Makes changes of one revision the newest. `staged` is the state with them, for changes that are in the order of keys. */
  commit(items: readonly ChangeItem[], revision: number, staged?: OrderedMap<KeyValue>): void {
    this.#history.append(items, this.#current, staged !== undefined);
    if (staged !== undefined || items.length >= manyItems) this.#current = staged ?? allSteps(this.stage(items));
    else {
      for (const item of items) {
        if (item.type === 'put') this.#current.set(item.kv.key, item.kv);
        else this.#current.delete(item.key);
      }
    }
    this.#revision = revision;
  }

  /** Changes after `revision` with this prefix, oldest first. Throws CompactedError when they are no longer all here. */
  since(revision: number, prefix: string): Changes {
    if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision);
    return this.#history.since(revision, prefix, this.#revision);
  }

  stateAt(revision: number = this.#revision): ReadonlyOrderedMap<KeyValue> {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision < this.#compactRevision) throw new CompactedError(this.#compactRevision);
    if (revision === this.#revision) return this.#current;
    const state = this.#past.get(revision) ?? this.#history.stateAt(revision) ?? this.#current;
    this.#past.delete(revision);
    this.#past.set(revision, state);
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= pastStates) break;
      this.#past.delete(oldest);
    }
    return state;
  }

  compact(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision <= this.#compactRevision) return;
    this.#compactRevision = revision;
    this.#history.forget(revision);
    for (const past of this.#past.keys()) if (past < revision) this.#past.delete(past);
  }

  /** Lets go of history beyond about this much, for a driver that has it elsewhere up to some revision. */
  trim(keepItems: number, keepBytes: number, upTo: number): void {
    const start = this.#history.trim(keepItems, keepBytes, upTo);
    if (start !== undefined) this.compact(start);
  }
}

export function listState(state: ReadonlyOrderedMap<KeyValue>, prefix: string, options: ListOptions, newest: number): ListResult {
  const from = options.from ?? prefix;
  const to = prefixEnd(prefix);
  const items = state.range(from, to, options.limit);
  const total = options.limit === undefined ? items.length : state.count(from, to);
  return { items, total, revision: options.revision ?? newest };
}

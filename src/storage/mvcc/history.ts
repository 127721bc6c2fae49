import type { OrderedMap } from '../ordered-map.ts';
import { prefixEnd } from '../ordered-map.ts';
import type { KeyValue } from '../storage.ts';
import type { ChangeItem } from './transaction.ts';
import { firstFrom, keyOf, revisionOf } from './transaction.ts';

/** A stretch of history: the state it started from, and the changes since. */
interface Chunk {
  /** state before the first item; shares its nodes with the states around it */
  readonly before: OrderedMap<KeyValue>;
  /** grows while there are few */
  readonly items: ChangeItem[];
  readonly first: number;
  bytes: number;
  /** the items are of one revision, in the order of keys */
  readonly inOrder: boolean;
}

const chunkItems = 4096;
const chunkBytes = 8 << 20;

export interface Changes {
  readonly items: readonly ChangeItem[];
  /** everything up to this revision is in `items` */
  readonly upTo: number;
}

/**
 * Changes in revision order, in chunks that each remember the state they started from. Any past state is then one constant-time
 * copy and at most a chunk of changes away, and a history is copied by sharing its chunks.
 */
export class History {
  /** replaced, never changed in place, so that copies can share it */
  #chunks: readonly Chunk[] = [];
  /** whether the last chunk is also another copy's */
  #sealed = true;
  #bytes = 0;
  #displaced: number;

  constructor(displaced = 0) {
    this.#displaced = displaced;
  }

  /** bytes of all values that were ever replaced or deleted: what copies of earlier states hold beside the present is a part of that */
  get displacedBytes(): number {
    return this.#displaced;
  }

  /** bytes of the values that only history keeps alive, roughly */
  get bytes(): number {
    return this.#bytes;
  }

  /** first revision that is still here, undefined when empty */
  get first(): number | undefined {
    return this.#chunks[0]?.first;
  }

  fork(): History {
    const copy = new History(this.#displaced);
    copy.#chunks = this.#chunks;
    copy.#bytes = this.#bytes;
    this.#sealed = true;
    return copy;
  }

  /** `current` is the state before the changes, which are of one revision. `inOrder`: of keys */
  append(items: readonly ChangeItem[], current: OrderedMap<KeyValue>, inOrder = false): void {
    if (items.length >= chunkItems) return this.#appendChunk(items, current, inOrder);
    let last = this.#chunks.at(-1);
    if (this.#sealed || last === undefined || last.items.length >= chunkItems || last.bytes >= chunkBytes) {
      last = { before: current.snapshot(), items: [], first: revisionOf(items[0]!), bytes: 0, inOrder: false };
      this.#chunks = [...this.#chunks, last];
      this.#sealed = false;
    }
    for (const item of items) {
      last.items.push(item);
      const size = item.previous?.value.length ?? 0;
      last.bytes += size;
      this.#bytes += size;
      this.#displaced += size;
    }
  }

  /** Nothing is added to one that has as many. */
  #appendChunk(items: readonly ChangeItem[], current: OrderedMap<KeyValue>, inOrder: boolean): void {
    let bytes = 0;
    for (const { previous } of items) bytes += previous?.value.length ?? 0;
    const first = revisionOf(items[0]!);
    this.#chunks = [...this.#chunks, { before: current.snapshot(), items: items as ChangeItem[], first, bytes, inOrder }];
    this.#sealed = false;
    this.#bytes += bytes;
    this.#displaced += bytes;
  }

  /** Changes after `revision` whose key starts with `prefix`; about `limit` of them, but never half a transaction. */
  since(revision: number, prefix: string, newest: number, limit = 1000): Changes {
    let items: ChangeItem[] = [];
    for (let c = Math.max(0, this.#chunkOf(revision + 1)); c < this.#chunks.length; c++) {
      const chunk = this.#chunks[c]!;
      if (chunk.inOrder && items.length === 0 && revision < chunk.first && chunk.first <= newest) {
        items = withPrefix(chunk.items, prefix);
        continue;
      }
      for (let i = firstAfter(chunk.items, revision); i < chunk.items.length; i++) {
        const item = chunk.items[i]!;
        const at = revisionOf(item);
        if (at > newest) return { items, upTo: newest };
        const last = items.at(-1);
        if (last !== undefined && items.length >= limit && at !== revisionOf(last)) return { items, upTo: revisionOf(last) };
        if (keyOf(item).startsWith(prefix)) items.push(item);
      }
    }
    return { items, upTo: newest };
  }

  /** The state right after `revision`, which must be older than the newest and not older than what is kept. */
  stateAt(revision: number): OrderedMap<KeyValue> | undefined {
    const chunk = this.#chunks[this.#chunkOf(revision)] ?? this.#chunks[0];
    if (chunk === undefined) return undefined;
    const state = chunk.before.snapshot();
    for (const item of chunk.items) {
      if (revisionOf(item) > revision) break;
      if (item.type === 'put') state.set(item.kv.key, item.kv);
      else state.delete(item.key);
    }
    return state;
  }

  /** Drops whole chunks that hold nothing after `revision`. */
  forget(revision: number): void {
    let kept = 0;
    while (kept < this.#chunks.length && revisionOf(this.#chunks[kept]!.items.at(-1)!) <= revision) kept++;
    this.#drop(kept);
  }

  /**
   * Drops the oldest chunks that hold nothing after `upTo` while the rest still has that many items or bytes.
   * Returns the revision that history starts after, undefined when nothing was dropped.
   */
  trim(keepItems: number, keepBytes: number, upTo: number): number | undefined {
    let items = 0;
    let bytes = 0;
    let kept = this.#chunks.length;
    while (kept > 0 && items < keepItems && bytes < keepBytes) {
      const chunk = this.#chunks[--kept]!;
      items += chunk.items.length;
      bytes += chunk.bytes;
    }
    while (kept > 0 && this.#chunks[kept]!.first > upTo + 1) kept--;
    if (kept === 0) return undefined;
    this.#drop(kept);
    return this.#chunks[0]!.first - 1;
  }

  #drop(count: number): void {
    for (const chunk of this.#chunks.slice(0, count)) this.#bytes -= chunk.bytes;
    if (count > 0) this.#chunks = this.#chunks.slice(count);
  }

  /** Index of the last chunk that starts at or before `revision`, -1 when all start later. */
  #chunkOf(revision: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#chunks[middle]!.first <= revision) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function withPrefix(items: readonly ChangeItem[], prefix: string): ChangeItem[] {
  const end = prefixEnd(prefix);
  return items.slice(firstFrom(items, prefix), end === undefined ? undefined : firstFrom(items, end));
}

function firstAfter(items: readonly ChangeItem[], revision: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (revisionOf(items[middle]!) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

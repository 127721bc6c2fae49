import type { ChangeItem } from '../../mvcc/transaction.ts';
import { keyOf } from '../../mvcc/transaction.ts';
import type { KeyValue } from '../../storage.ts';
import type { SharedRing } from './shared-memory.ts';
import { ringOffset } from './shared-memory.ts';
import type { ValueNotes } from './value-notes.ts';

/**
 * Keys and values on their way to another thread: numbers and bytes side by side. A Buffer by itself is a view of memory that it shares with
 * others, all of which would be copied.
 */
export interface Packed {
  readonly keys: readonly string[];
  /** per key: modRevision, createRevision, version, bytes of the value */
  readonly numbers: readonly number[];
  /** per key what is known of its value, '' where that is nothing; undefined: of none */
  readonly notes: readonly string[] | undefined;
  /** one after the other, in memory of their own or at a place in the ring */
  readonly values: Uint8Array | number;
}

const perKey = 4;
/** in place of the bytes of a value: the key is gone */
const deleted = -1;

export function packValues(kvs: readonly KeyValue[]): Packed {
  const packing = new Packing();
  for (const kv of kvs) packing.put(kv);
  return packing.packed();
}

/** Without the values before, which the other side has. `ring`: where their bytes are put if there is room. */
export function packChanges(items: readonly ChangeItem[], ring?: SharedRing, notes?: ValueNotes): Packed {
  const packing = new Packing(notes);
  for (const item of items) {
    if (item.type === 'put') packing.put(item.kv);
    else packing.delete(keyOf(item), item.revision);
  }
  return packing.packed(ring);
}

class Packing {
  readonly #keys: string[] = [];
  readonly #numbers: number[] = [];
  readonly #values: Buffer[] = [];
  readonly #known: ValueNotes | undefined;
  readonly #notes: string[] | undefined;
  #bytes = 0;

  constructor(known?: ValueNotes) {
    this.#known = known;
    if (known !== undefined) this.#notes = [];
  }

  put({ key, value, modRevision, createRevision, version }: KeyValue): void {
    this.#keys.push(key);
    this.#numbers.push(modRevision, createRevision, version, value.length);
    this.#values.push(value);
    this.#notes?.push(this.#known?.of(value) ?? '');
    this.#bytes += value.length;
  }

  delete(key: string, revision: number): void {
    this.#keys.push(key);
    this.#numbers.push(revision, 0, 0, deleted);
    this.#notes?.push('');
  }

  packed(ring?: SharedRing): Packed {
    const values = ring?.write(this.#values, this.#bytes) ?? this.#copied();
    return { keys: this.#keys, numbers: this.#numbers, notes: this.#notes, values };
  }

  #copied(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes);
    let offset = 0;
    for (const value of this.#values) {
      bytes.set(value, offset);
      offset += value.length;
    }
    return bytes;
  }
}

export interface Unpacked {
  readonly key: string;
  readonly revision: number;
  /** undefined: the key was deleted */
  readonly kv: KeyValue | undefined;
  readonly note: string | undefined;
}

/** `ring`: its memory. What is in it is to be copied before it counts as read. */
export function unpack({ keys, numbers, notes, values }: Packed, ring?: SharedArrayBuffer): Unpacked[] {
  const isShared = typeof values === 'number';
  const buffer = isShared ? (ring as SharedArrayBuffer) : values.buffer;
  let offset = isShared ? ringOffset(values) : values.byteOffset;
  return keys.map((key, i) => {
    const [at, revision] = [i * perKey, numbers[i * perKey] as number];
    const length = numbers[at + 3] as number;
    if (length === deleted) return { key, revision, kv: undefined, note: undefined };
    const value = Buffer.from(buffer, offset, length);
    offset += length;
    const kv = { key, value, modRevision: revision, createRevision: numbers[at + 1] as number, version: numbers[at + 2] as number };
    return { key, revision, kv, note: notes?.[i] };
  });
}

export function unpackValues(packed: Packed): KeyValue[] {
  return unpack(packed).map(({ kv }) => kv as KeyValue);
}

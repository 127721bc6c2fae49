import type { ChangeItem } from '../../mvcc/transaction.ts';
import { keyOf } from '../../mvcc/transaction.ts';
import type { KeyValue } from '../../storage.ts';

/**
 * Keys and values on their way to another thread: numbers and bytes side by side in memory of their own. A Buffer by itself is a view of
 * memory that it shares with others, all of which would be copied.
 */
export interface Packed {
  readonly keys: readonly string[];
  /** per key: modRevision, createRevision, version, bytes of the value */
  readonly numbers: Float64Array;
  readonly values: Uint8Array;
}

const perKey = 4;
/** in place of the bytes of a value: the key is gone */
const deleted = -1;

export function packValues(kvs: readonly KeyValue[]): Packed {
  return pack(
    kvs.map(({ key }) => key),
    kvs.map((kv) => ({ revision: kv.modRevision, kv })),
  );
}

/** Without the values before, which the other side has. */
export function packChanges(items: readonly ChangeItem[]): Packed {
  return pack(
    items.map(keyOf),
    items.map((item) =>
      item.type === 'put' ? { revision: item.kv.modRevision, kv: item.kv } : { revision: item.revision, kv: undefined },
    ),
  );
}

function pack(keys: readonly string[], entries: readonly { revision: number; kv: KeyValue | undefined }[]): Packed {
  const numbers = new Float64Array(keys.length * perKey);
  let bytes = 0;
  for (const { kv } of entries) bytes += kv?.value.length ?? 0;
  const values = new Uint8Array(bytes);
  let offset = 0;
  for (const [i, { revision, kv }] of entries.entries()) {
    numbers.set([revision, kv?.createRevision ?? 0, kv?.version ?? 0, kv?.value.length ?? deleted], i * perKey);
    if (kv === undefined) continue;
    values.set(kv.value, offset);
    offset += kv.value.length;
  }
  return { keys, numbers, values };
}

export interface Unpacked {
  readonly key: string;
  readonly revision: number;
  /** undefined: the key was deleted */
  readonly kv: KeyValue | undefined;
}

export function unpack({ keys, numbers, values }: Packed): Unpacked[] {
  let offset = values.byteOffset;
  return keys.map((key, i) => {
    const [at, revision] = [i * perKey, numbers[i * perKey] as number];
    const length = numbers[at + 3] as number;
    if (length === deleted) return { key, revision, kv: undefined };
    const value = Buffer.from(values.buffer, offset, length);
    offset += length;
    const kv = { key, value, modRevision: revision, createRevision: numbers[at + 1] as number, version: numbers[at + 2] as number };
    return { key, revision, kv };
  });
}

export function unpackValues(packed: Packed): KeyValue[] {
  return unpack(packed).map(({ kv }) => kv as KeyValue);
}

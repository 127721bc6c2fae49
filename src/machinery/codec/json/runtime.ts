import { canonicalQuantity } from '../../quantity.ts';
import { canonicalDuration, canonicalMicroTime, canonicalTime } from '../../time.ts';
import { isCanonicalBase64 } from './base64.ts';
import type { Pass, Transform } from './compile.ts';
import { compareUtf8 } from './go-text.ts';

/** Thrown by compiled readers: this document needs the exact decoder. It carries nothing, so that throwing it costs nothing. */
export const bail: unique symbol = Symbol('bail');

/** Map entries in order, where a plain object would reorder them. Only the JSON writer ever sees one. */
export class Entries {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

export function isEmptyMap(map: object): boolean {
  if (map instanceof Entries) return map.entries.length === 0;
  for (const _ in map) return false;
  return true;
}

const arrayIndex = /^(?:0|[1-9]\d{0,9})$/;

/** A map with its keys in Go's order; the same object when it has it already. */
export function orderMap(map: Record<string, unknown>, convert: Transform | undefined, pass: Pass): object {
  const keys = Object.keys(map);
  let sorted = true;
  let awkward = false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (index > 0 && sorted && compareUtf8(keys[index - 1]!, key) > 0) sorted = false;
    if (key === '__proto__' || (key.charCodeAt(0) <= 0x39 && arrayIndex.test(key))) awkward = true;
  }
  if (sorted && convert === undefined) {
    pass.empty = keys.length === 0;
    return map;
  }
  if (!sorted) keys.sort(compareUtf8);
  const valueOf = (key: string): unknown => (convert === undefined ? map[key] : convert(map[key], pass));
  if (awkward) {
    // integer-like keys come first in every JavaScript object
    pass.manual = true;
    const entries = keys.map((key): readonly [string, unknown] => [key, valueOf(key)]);
    pass.empty = false;
    return new Entries(entries);
  }
  const ordered: Record<string, unknown> = {};
  for (const key of keys) ordered[key] = valueOf(key);
  // last: values may hold maps too
  pass.empty = keys.length === 0;
  return ordered;
}

/** The number of keys in a value of no declared shape. */
export function plainKeys(value: unknown): number {
  if (typeof value === 'number') {
    // an integer this large may have been rounded, and 1e999 is no number at all
    if (!Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value))) throw bail;
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += plainKeys(item);
    return keys;
  }
  for (const key in value) keys += 1 + plainKeys((value as Record<string, unknown>)[key]);
  return keys;
}

function parsedOrBail<Result>(parse: (text: string) => Result, value: unknown): Result {
  if (typeof value !== 'string') throw bail;
  try {
    return parse(value);
  } catch {
    // the exact decoder words the error
    throw bail;
  }
}

/** A value with the keys of its objects in Go's order: values of this type have been Go's maps on their way. */
export function sortedJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedJson);
  const entries = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedJson(item)]));
}

/** By scalar name: the canonical form of a value that is not null, or `bail`. */
export const readers = {
  bytes(value: unknown): string {
    if (typeof value !== 'string' || !isCanonicalBase64(value)) throw bail;
    return value;
  },

  intOrString(value: unknown): unknown {
    if (typeof value !== 'string' && ((value as number) | 0) !== value) throw bail;
    return value;
  },

  quantity(value: unknown): string {
    return parsedOrBail(canonicalQuantity, Number.isSafeInteger(value) ? String(value) : value);
  },

  json: sortedJson,

  // the zero time is written as null
  time: (value: unknown) => parsedOrBail(canonicalTime, value) ?? null,
  microTime: (value: unknown) => parsedOrBail(canonicalMicroTime, value) ?? null,
  duration: (value: unknown) => parsedOrBail(canonicalDuration, value),
};

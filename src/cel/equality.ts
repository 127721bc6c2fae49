// Upstream: github.com/google/cel-go/common/types/util.go, github.com/google/cel-go/common/types#Equal, #Compare

import { compareNumbers, equalNumbers, isNumeric, order } from './numbers.ts';
import { compareTimes } from './time.ts';
import { CelType } from './types.ts';
import type { Truth, Value } from './values.ts';
import { CelError, CelList, CelMap, CelObject, Double, Duration, noSuchOverload, Optional, Timestamp, Uint } from './values.ts';

/** `==`: false between different types, numbers compare across their types. */
export function equal(a: Value, b: Value): Truth {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (b === null) return false;
  return equalSlow(a, b);
}

function equalSlow(a: Exclude<Value, string | boolean | null>, b: Value): Truth {
  if (isNumeric(a)) return isNumeric(b) && equalNumbers(a, b);
  if (a instanceof CelList || a instanceof CelMap || a instanceof CelObject) return a.equals(b);
  if (a instanceof Timestamp) return b instanceof Timestamp && compareTimes(a, b) === 0;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  if (a instanceof Optional) return equalOptionals(a, b);
  return a;
}

function equalOptionals(a: Optional, b: Value): Truth {
  if (!(b instanceof Optional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  // Upstream does not look for null here, so that a schema's list or map finds it incomparable.
  return typeof a.value === 'object' && a.value !== null ? equalSlow(a.value, b.value) : equal(a.value, b.value);
}

/** -1, 0, 1, or an error where there is no order. */
export function compare(a: Value, b: Value): number | CelError {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : noSuchOverload;
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : noSuchOverload;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload;
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareTimes(a, b) : noSuchOverload;
  if (a instanceof Duration) return b instanceof Duration ? order(a.nanos, b.nanos) : noSuchOverload;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : noSuchOverload;
  return noSuchOverload;
}

export const isComparable = (value: Value): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  isNumeric(value) ||
  value instanceof Timestamp ||
  value instanceof Duration ||
  value instanceof Uint8Array;

/** Order by UTF-8 bytes, which differs from JS order only where surrogates meet the end of the BMP. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) < rank(y) ? -1 : 1;
  }
  return order(a.length, b.length);
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return order(a.length, b.length);
}

export function isZeroValue(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof CelList || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  // The zero time of Go is the first instant of year one.
  if (value instanceof Timestamp) return value.seconds === -62135596800 && value.nanos === 0;
  return value instanceof CelObject && value.isZero;
}

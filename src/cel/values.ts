// Upstream: github.com/google/cel-go/common/types

import {
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listType,
  mapType,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './types.ts';

/**
 * A value during evaluation. An int is a JS number while it is a safe integer and a bigint beyond; the form is canonical,
 * so equal ints have equal forms. Doubles and uints are boxed: they are rare, and the box tells them from ints.
 * Errors are values too, because `||`, `&&` and `all()` may swallow them.
 */
export type Value =
  | boolean
  | null
  | string
  | number
  | bigint
  | Double
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | CelList
  | CelMap
  | CelType
  | Optional
  | CelObject
  | CelError;

export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds as a signed 64-bit count. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Timestamp {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly nanos: number;
  /** Offset from UTC in seconds that the time was written with: it shows in `string()` and nowhere else. */
  readonly zone: number;

  constructor(seconds: number, nanos: number, zone = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.zone = zone;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const noSuchOverload = new CelError('no such overload');

/** Equality and containment return a boolean, or an error when values cannot be compared. */
export type Truth = boolean | CelError;

export abstract class CelList {
  abstract readonly length: number;
  abstract at(index: number): Value;
  abstract equals(other: Value): Truth;
  abstract contains(value: Value): Truth;
  abstract concat(other: CelList): Value;

  *[Symbol.iterator](): IterableIterator<Value> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

export abstract class CelMap {
  abstract readonly size: number;
  abstract find(key: Value): Value | undefined;
  abstract keys(): readonly Value[];
  abstract equals(other: Value): Truth;
}

/** A value of a type that a library brings along: a quantity, a URL, a protobuf message, ... */
export abstract class CelObject {
  abstract readonly type: CelType;
  abstract equals(other: Value): Truth;

  /** Length for cost accounting; undefined for values without one. */
  get measure(): number | undefined {
    return undefined;
  }

  get isZero(): boolean {
    return false;
  }

  /** What `string()` makes of it; undefined where there is no such conversion. */
  get text(): string | undefined {
    return undefined;
  }

  get(_field: string): Value {
    return noSuchOverload;
  }

  has(_field: string): Truth {
    return noSuchOverload;
  }
}

const optionalType = optionalOf(dynType);

export function typeOf(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'string':
      return stringType;
    case 'number':
    case 'bigint':
      return intType;
  }
  if (value === null) return nullType;
  if (value instanceof CelMap) return mapType;
  if (value instanceof CelList) return listType;
  if (value instanceof Double) return doubleType;
  if (value instanceof Uint) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Optional) return optionalType;
  if (value instanceof CelType) return typeType;
  if (value instanceof CelError) return errorType;
  return value.type;
}

/** Number of code points, which is what `size()` and cost accounting count. */
export function stringSize(text: string): number {
  // Most long texts have as many bytes as units: then each of them is a code point.
  if (text.length > 100 && Buffer.byteLength(text) === text.length) return text.length;
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** The size that cost accounting charges for a value. */
export function measure(value: Value): number {
  if (typeof value === 'string') return stringSize(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList) return value.length;
  if (value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional) return value.value === undefined ? 1 : measure(value.value);
  if (value instanceof CelObject) return value.measure ?? 1;
  return 1;
}

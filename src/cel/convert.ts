// Upstream: github.com/google/cel-go/common/types#ConvertToType

import { integerOf } from '../machinery/go-number.ts';
import * as numbers from './numbers.ts';
import { showDouble } from './show.ts';
import { parseDuration, parseTimestamp, showDuration, showTimestamp, timestampAt } from './time.ts';
import type { CelType } from './types.ts';
import { CelType as Type } from './types.ts';
import type { Value } from './values.ts';
import { CelError, CelObject, Double, Duration, Timestamp, typeOf, Uint } from './values.ts';

/** The conversion functions: `int(x)`, `string(x)`, ... */
export function convert(value: Value, to: CelType): Value {
  if (value instanceof CelError) return value;
  const converted = attempt(value, to);
  return converted ?? new CelError(`type conversion error from '${nameOf(typeOf(value))}' to '${nameOf(to)}'`);
}

// Upstream prints these types by their runtime name.
const nameOf = (type: CelType): string => type.name;

function attempt(value: Value, to: CelType): Value | undefined {
  switch (to.kind) {
    case 'int':
      return toInt(value);
    case 'uint':
      return toUint(value);
    case 'double':
      return toDouble(value);
    case 'string':
      return toText(value);
    case 'bytes':
      return value instanceof Uint8Array ? value : typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : typeof value === 'string' ? parseBool(value) : undefined;
    case 'duration':
      return value instanceof Duration ? value : typeof value === 'string' ? parseDuration(value) : undefined;
    case 'timestamp':
      return toTimestamp(value);
    case 'type':
      return typeOf(value);
    default:
      return undefined;
  }
}

function toInt(value: Value): Value | undefined {
  if (numbers.isInt(value)) return value;
  if (typeof value === 'string') return parseInteger(value, numbers.minInt, numbers.maxInt, /^[+-]?\d+$/);
  if (value instanceof Double) return numbers.doubleToInt(value.value);
  if (value instanceof Uint) return numbers.uintToInt(value);
  if (value instanceof Timestamp) return value.seconds;
  return value instanceof Duration ? numbers.toInt(value.nanos) : undefined;
}

function parseInteger(text: string, min: bigint, max: bigint, form: RegExp): Value | undefined {
  if (!form.test(text)) return undefined;
  const digits = text.replace(/^[+-]/, '');
  const parsed = text.startsWith('-') ? -integerOf(digits) : integerOf(digits);
  return parsed < min || parsed > max ? undefined : numbers.toInt(parsed);
}

function toUint(value: Value): Value | undefined {
  if (value instanceof Uint) return value;
  if (numbers.isInt(value)) return numbers.intToUint(value);
  if (value instanceof Double) return numbers.doubleToUint(value.value);
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  const parsed = integerOf(value);
  return parsed > numbers.maxUint ? undefined : new Uint(parsed);
}

function toDouble(value: Value): Value | undefined {
  if (value instanceof Double) return value;
  if (numbers.isInt(value)) return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  return typeof value === 'string' ? parseDouble(value) : undefined;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const specialNumbers: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['infinity', Infinity],
  ['nan', NaN],
]);

/** Reads the decimal forms that Go's strconv.ParseFloat reads; out of range is no double. */
export function parseDouble(text: string): Double | undefined {
  if (decimal.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? new Double(value) : undefined;
  }
  const special = specialNumbers.get(text.replace(/^[+-]/, '').toLowerCase());
  if (special === undefined || (Number.isNaN(special) && /^[+-]/.test(text))) return undefined;
  return new Double(text.startsWith('-') ? -special : special);
}

const trueWords: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const parseBool = (text: string): boolean | undefined => (trueWords.has(text) ? true : falseWords.has(text) ? false : undefined);

function toTimestamp(value: Value): Value | undefined {
  if (value instanceof Timestamp) return value;
  if (numbers.isInt(value)) return timestampAt(Number(value), 0);
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

function toText(value: Value): Value | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || numbers.isInt(value)) return String(value);
  if (value === null) return 'null';
  if (value instanceof Double) return showDouble(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return decodeText(value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof Type) return value.name;
  return value instanceof CelObject ? value.text : undefined;
}

function decodeText(bytes: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return new CelError('invalid UTF-8 in bytes, cannot convert to string');
    throw cause;
  }
}

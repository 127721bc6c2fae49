// Upstream: github.com/google/cel-go/common/stdlib/standard.go
// The operators.

import { isComparable, compare } from './equality.ts';
import * as numbers from './numbers.ts';
import * as time from './time.ts';
import type { Value } from './values.ts';
import { CelError, CelList, Double, Duration, noSuchOverload, Timestamp, Uint } from './values.ts';

/** What upstream returns when the first operand knows nothing of the operator or function at all. */
export function unsupported(left: Value, operator: string): CelError {
  const isReceiver = typeof left === 'string' || left instanceof Timestamp || left instanceof Duration;
  return isReceiver ? noSuchOverload : new CelError(`no such overload: ${operator}`);
}

export function add(a: Value, b: Value): Value {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload;
  if (numbers.isInt(a)) return numbers.isInt(b) ? numbers.addInts(a, b) : noSuchOverload;
  if (a instanceof CelList) return b instanceof CelList ? a.concat(b) : noSuchOverload;
  if (a instanceof Double) return b instanceof Double ? new Double(a.value + b.value) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? numbers.addUints(a, b) : noSuchOverload;
  if (a instanceof Duration) {
    if (b instanceof Duration) return time.addDurations(a, b);
    return b instanceof Timestamp ? time.addToTime(b, a) : noSuchOverload;
  }
  if (a instanceof Timestamp) return b instanceof Duration ? time.addToTime(a, b) : noSuchOverload;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : noSuchOverload;
  return unsupported(a, '_+_');
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

export function subtract(a: Value, b: Value): Value {
  if (numbers.isInt(a)) return numbers.isInt(b) ? numbers.subtractInts(a, b) : noSuchOverload;
  if (a instanceof Double) return b instanceof Double ? new Double(a.value - b.value) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? numbers.subtractUints(a, b) : noSuchOverload;
  if (a instanceof Duration) return b instanceof Duration ? time.subtractDurations(a, b) : noSuchOverload;
  if (a instanceof Timestamp) {
    if (b instanceof Duration) return time.subtractFromTime(a, b);
    return b instanceof Timestamp ? time.timeBetween(a, b) : noSuchOverload;
  }
  return unsupported(a, '_-_');
}

export function multiply(a: Value, b: Value): Value {
  if (numbers.isInt(a)) return numbers.isInt(b) ? numbers.multiplyInts(a, b) : noSuchOverload;
  if (a instanceof Double) return b instanceof Double ? new Double(a.value * b.value) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? numbers.multiplyUints(a, b) : noSuchOverload;
  return unsupported(a, '_*_');
}

export function divide(a: Value, b: Value): Value {
  if (numbers.isInt(a)) return numbers.isInt(b) ? numbers.divideInts(a, b) : noSuchOverload;
  if (a instanceof Double) return b instanceof Double ? new Double(a.value / b.value) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? numbers.divideUints(a, b) : noSuchOverload;
  return unsupported(a, '_/_');
}

export function modulo(a: Value, b: Value): Value {
  if (numbers.isInt(a)) return numbers.isInt(b) ? numbers.moduloInts(a, b) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? numbers.moduloUints(a, b) : noSuchOverload;
  return unsupported(a, '_%_');
}

export function negate(a: Value): Value {
  if (numbers.isInt(a)) return numbers.negateInt(a);
  if (a instanceof Double) return new Double(-a.value);
  if (a instanceof Duration) return time.negateDuration(a);
  if (typeof a === 'boolean') return noSuchOverload;
  return unsupported(a, '-_');
}

function ordering(operator: string, decide: (order: number) => boolean): (a: Value, b: Value) => Value {
  return (a, b) => {
    const order = compare(a, b);
    if (typeof order === 'number') return decide(order);
    return isComparable(a) ? order : unsupported(a, operator);
  };
}

export const less = ordering('_<_', (order) => order < 0);
export const lessOrEqual = ordering('_<=_', (order) => order <= 0);
export const greater = ordering('_>_', (order) => order > 0);
export const greaterOrEqual = ordering('_>=_', (order) => order >= 0);

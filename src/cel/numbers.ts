// Upstream: github.com/google/cel-go/common/types/{int,uint,double,overflow}.go

import { CelError, Double, Uint } from './values.ts';

export type Int = number | bigint;

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);
export const maxUint = 2n ** 64n - 1n;

const intOverflow = new CelError('integer overflow');
const uintOverflow = new CelError('unsigned integer overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

/** The canonical form of an int, or an overflow error. */
export function toInt(value: bigint): Int | CelError {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  return value > maxInt || value < minInt ? intOverflow : value;
}

const toUint = (value: bigint): Uint | CelError => (value < 0n || value > maxUint ? uintOverflow : new Uint(value));

export function addInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt(BigInt(a) + BigInt(b));
}

export function subtractInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt(BigInt(a) - BigInt(b));
}

export function multiplyInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding zero turns -0 into 0: an int has one zero only.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return toInt(BigInt(a) * BigInt(b));
}

export function divideInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return divisionByZero;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return toInt(BigInt(a) / BigInt(b));
}

export function moduloInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return modulusByZero;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === minInt && b === -1) return intOverflow;
  return toInt(BigInt(a) % BigInt(b));
}

export const negateInt = (a: Int): Int | CelError => (typeof a === 'number' ? 0 - a : toInt(-a));

export const addUints = (a: Uint, b: Uint): Uint | CelError => toUint(a.value + b.value);
export const subtractUints = (a: Uint, b: Uint): Uint | CelError => toUint(a.value - b.value);
export const multiplyUints = (a: Uint, b: Uint): Uint | CelError => toUint(a.value * b.value);
export const divideUints = (a: Uint, b: Uint): Uint | CelError => (b.value === 0n ? divisionByZero : new Uint(a.value / b.value));
export const moduloUints = (a: Uint, b: Uint): Uint | CelError => (b.value === 0n ? modulusByZero : new Uint(a.value % b.value));

export const intToUint = (value: Int): Uint | CelError => toUint(BigInt(value));
export const uintToInt = (value: Uint): Int | CelError => toInt(value.value);

export function doubleToInt(value: number): Int | CelError {
  if (Number.isSafeInteger(Math.trunc(value))) return Math.trunc(value) + 0;
  // Upstream refuses the two outermost values as well, because a double cannot tell them from overflow.
  if (Number.isNaN(value) || value <= -9223372036854775808 || value >= 9223372036854775807) return intOverflow;
  return toInt(BigInt(Math.trunc(value)));
}

export function doubleToUint(value: number): Uint | CelError {
  if (Number.isNaN(value) || value < 0 || value >= 18446744073709551615) return uintOverflow;
  return new Uint(BigInt(Math.trunc(value)));
}

export type Numeric = Int | Uint | Double;

export const isInt = (value: unknown): value is Int => typeof value === 'number' || typeof value === 'bigint';
export const isNumeric = (value: unknown): value is Numeric => isInt(value) || value instanceof Double || value instanceof Uint;

const unordered = new CelError('NaN values cannot be ordered');

/** -1, 0 or 1 across the numeric types. */
export function compareNumbers(a: Numeric, b: Numeric): number | CelError {
  if (a instanceof Double || b instanceof Double) {
    if ((a instanceof Double && Number.isNaN(a.value)) || (b instanceof Double && Number.isNaN(b.value))) return unordered;
    return order(comparable(a), comparable(b));
  }
  return order(a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b);
}

// Upstream compares an integer with a double as doubles, so that 2^53 and 2^53+1 meet.
const comparable = (value: Numeric): number => Number(value instanceof Double ? value.value : value instanceof Uint ? value.value : value);

export const order = <T extends number | bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

export function equalNumbers(a: Numeric, b: Numeric): boolean {
  const compared = compareNumbers(a, b);
  return compared === 0;
}

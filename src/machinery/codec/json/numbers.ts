// Upstream: std/strconv#ParseInt, #ParseFloat
// As encoding/json uses them.

/** Integers in memory: a number where it is exact, a bigint beyond. */
export type Integer = number | bigint;

const integerLiteral = /^-?\d+$/;

const ranges: Readonly<Record<'int32' | 'int64' | 'uint8' | 'uint32' | 'uint64', readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 255n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

export type IntegerName = keyof typeof ranges;

/** A JSON number as an integer, undefined when Go would refuse it: `1.0` and `1e3` are no integers, nor is `-0` an unsigned one. */
export function parseInteger(literal: string, name: IntegerName): Integer | undefined {
  if (!integerLiteral.test(literal)) return undefined;
  const [low, high] = ranges[name];
  if (low === 0n && literal.startsWith('-')) return undefined;
  // 20 characters hold every int64 and uint64; longer ones need no parsing to be out of range
  if (literal.length > 20) return undefined;
  const value = BigInt(literal);
  if (value < low || value > high) return undefined;
  return compact(value);
}

/** A JSON number where no type is declared: an int64 when it is written as one, otherwise a float; undefined when out of range. */
export function parseNumber(literal: string): Integer | undefined {
  return parseInteger(literal, 'int64') ?? parseFloat64(literal);
}

export function parseFloat64(literal: string): number | undefined {
  const value = Number(literal);
  return Number.isFinite(value) ? value : undefined;
}

export function parseFloat32(literal: string): number | undefined {
  const value = Math.fround(Number(literal));
  return Number.isFinite(value) ? value : undefined;
}

export function compact(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

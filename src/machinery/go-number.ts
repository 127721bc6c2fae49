// Upstream: std/strconv#ParseInt, #ParseUint
// As their errors reach clients.
import { goQuote } from './go-format.ts';

const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

export class NumberSyntaxError extends Error {
  override readonly name = 'NumberSyntaxError';
}

function fail(operation: string, text: string, problem: string): never {
  throw new NumberSyntaxError(`strconv.${operation}: parsing ${goQuote(text)}: ${problem}`);
}

/** More digits than any number of 64 bits has. */
const beyond = 10n ** 30n;

/** The value of a decimal integer. Of one that 64 bits cannot hold by far, a value that they cannot hold either: it takes long to compute. */
export function integerOf(text: string): bigint {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const digits = text.slice(sign.length).replace(/^0+(?=.)/, '');
  const value = digits.length > 30 ? beyond : BigInt(digits);
  return sign === '-' ? -value : value;
}

export function parseInt64(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) fail('ParseInt', text, 'invalid syntax');
  const value = integerOf(text);
  if (value > maxInt64 || value < -maxInt64 - 1n) fail('ParseInt', text, 'value out of range');
  return value;
}

export function parseUint64(text: string): bigint {
  if (!/^[0-9]+$/.test(text)) fail('ParseUint', text, 'invalid syntax');
  const value = integerOf(text);
  if (value > maxUint64) fail('ParseUint', text, 'value out of range');
  return value;
}

/** The same without the error, for callers that only ask whether it is one. */
export function asInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = integerOf(text);
  return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
}

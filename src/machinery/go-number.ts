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

export function parseInt64(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) fail('ParseInt', text, 'invalid syntax');
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value > maxInt64 || value < -maxInt64 - 1n) fail('ParseInt', text, 'value out of range');
  return value;
}

export function parseUint64(text: string): bigint {
  if (!/^[0-9]+$/.test(text)) fail('ParseUint', text, 'invalid syntax');
  const value = BigInt(text);
  if (value > maxUint64) fail('ParseUint', text, 'value out of range');
  return value;
}

/** The same without the error, for callers that only ask whether it is one. */
export function asInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
}

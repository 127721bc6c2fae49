// Upstream: k8s.io/apimachinery/pkg/util/intstr/intstr.go
import { asInt64 } from './go-number.ts';
import { goQuote } from './go-format.ts';

export type IntOrString = number | string;

export class IntOrStringError extends Error {
  override readonly name = 'IntOrStringError';
}

const int32Min = -2147483648;
const int32Max = 2147483647;

/** A number where the text is one that an int32 holds. */
export function parseIntOrString(text: string): IntOrString {
  const value = asInt64(text);
  return value !== undefined && value >= int32Min && value <= int32Max ? Number(value) : text;
}

/** Its number: that of a string is what it reads as, or 0. */
export function intValue(value: IntOrString): number {
  return typeof value === 'number' ? value : Number(asInt64(value) ?? 0n);
}

/** The number, or so many percent of the total, rounded as asked. Throws an IntOrStringError for any other string. */
export function scaledIntOrPercent(value: IntOrString, total: number, roundUp: boolean): number {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  const share = (percent * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}

function parsePercent(text: string): number {
  const invalid = 'invalid value for IntOrString';
  if (!text.endsWith('%')) throw new IntOrStringError(`${invalid}: invalid type: string is not a percentage`);
  const digits = text.slice(0, -1);
  const percent = asInt64(digits);
  if (percent !== undefined) return Number(percent);
  const problem = /^[+-]?[0-9]+$/.test(digits) ? 'value out of range' : 'invalid syntax';
  throw new IntOrStringError(`${invalid}: invalid value ${goQuote(text)}: strconv.Atoi: parsing ${goQuote(digits)}: ${problem}`);
}

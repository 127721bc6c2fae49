// Upstream: k8s.io/apimachinery/pkg/util/json/json.go, sigs.k8s.io/json#UnmarshalCaseSensitivePreserveInts
import { DecodeError } from '../decode-error.ts';
import { parseNumber } from './numbers.ts';

/** Integers that JSON.parse may round, and exponents that no float64 may hold. What stands inside a string may match too: that costs time only. */
const mayBeRounded = /[[:,\s]-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/;
/** Texts without this have none of them. Most texts are of this kind, and it is found out in half the time. */
const hasManyDigits = /\d{16}|[\d.][eE]\+?\d{3}/;
const startsWithNumber = /^-?\d/;

/**
 * JSON.parse with Go's numbers: an integer that fits into int64 is exact, as a bigint where a number is not; any other number is a
 * float64. Everything that clients may have written and that has no declared type is read by this. Throws SyntaxError as JSON.parse
 * does, and DecodeError for a number that is none.
 */
export function parseJson(text: string): unknown {
  return mayHoldBigints(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

/** False: `parseJson` finds none. */
export function mayHoldBigints(text: string): boolean {
  return (hasManyDigits.test(text) && mayBeRounded.test(text)) || startsWithNumber.test(text);
}

function exactNumber(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  const exact = parseNumber(source);
  if (exact === undefined) throw new DecodeError(`json: cannot unmarshal number ${source} into Go value of type float64`);
  return exact;
}

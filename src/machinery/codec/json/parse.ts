// Upstream: k8s.io/apimachinery/pkg/util/json/json.go, sigs.k8s.io/json#UnmarshalCaseSensitivePreserveInts
import { DecodeError } from '../decode-error.ts';
import type { Steps } from '../../../base/steps.ts';
import { parseNumber } from './numbers.ts';
import { parsingJson, setOwn } from './parse-in-steps.ts';

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
  return mayHoldBigints(text) ? parseExactly(text) : JSON.parse(text);
}

/** The same of what may be large. */
export function* parsingExactJson(text: string): Steps<unknown> {
  return mayHoldBigints(text) ? parseExactly(text) : yield* parsingJson(text);
}

/** False: `parseJson` finds none. */
export function mayHoldBigints(text: string): boolean {
  return (hasManyDigits.test(text) && mayBeRounded.test(text)) || startsWithNumber.test(text);
}

/**
 * Numbers that JSON.parse may round are strings with a mark while it parses: a reviver would be called for each value, and takes ten times as
 * long as all the rest.
 */
function parseExactly(text: string): unknown {
  const mark = `\0${Math.random()}:`;
  const written = `"${JSON.stringify(mark).slice(1, -1)}`;
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = closingQuote(text, at + 1);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      let end = at + 1;
      while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
      const source = text.slice(at, end);
      if (isNumber.test(source) && !Number.isSafeInteger(Number(source))) {
        parts.push(text.slice(copied, at), written, source, '"');
        copied = end;
      }
      at = end - 1;
    }
  }
  if (copied === 0) return JSON.parse(text);
  parts.push(text.slice(copied));
  return withNumbers(JSON.parse(parts.join('')), mark);
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
}

function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return text.length;
}

/** The value with numbers where there are marks, in place. */
function withNumbers(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? exactNumber(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'string' || typeof item === 'object') value[i] = withNumbers(item, mark);
    }
  } else {
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      const item = object[name];
      if (typeof item === 'object') withNumbers(item, mark);
      else if (typeof item === 'string' && item.startsWith(mark)) setOwn(object, name, exactNumber(item.slice(mark.length)));
    }
  }
  return value;
}

function exactNumber(source: string): unknown {
  const exact = parseNumber(source);
  if (exact === undefined) throw new DecodeError(`json: cannot unmarshal number ${source} into Go value of type float64`);
  return exact;
}

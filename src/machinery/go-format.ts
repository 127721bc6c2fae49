// Upstream: std/strconv#Quote, std/fmt, std/encoding/json
// As far as messages show them to clients.
import { escapeForHtml } from './html-escape.ts';

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

const plain = /^[ !#-[\]-~]*$/;
const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A string as Go's `%q` shows it: double quotes, escapes for what does not print. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return `"${text.replace(needsEscape, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  // Bytes that are no UTF-8 reach us as lone surrogates from U+DC80 on; any other lone surrogate stands for nothing.
  if (code >= 0xd800 && code <= 0xdfff) return code >= 0xdc80 && code <= 0xdcff ? `\\x${hex(code - 0xdc00, 2)}` : '\ufffd';
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

/** A list of strings as Go's `%q` shows a slice: `["a" "b"]`. */
export function goQuoteList(items: readonly string[]): string {
  return `[${items.map(goQuote).join(' ')}]`;
}

/** A number as Go's `%v` shows it. Whether a whole one was an int64 or a float64 is not known here: up to 2^53 it is shown as an integer. */
export function goNumber(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : goFloat(value);
}

/** A float64 as Go's `%v` shows it. */
export function goFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < plainPowers) return power < 0 ? plainFraction(mantissa, power) : String(value);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
}

/** Powers of ten from here on are written as such. */
const plainPowers = 6;

function plainFraction(mantissa: string, power: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(-power - 1)}${mantissa.replace(/[-.]/g, '')}`;
}

/** JSON as Go's encoding/json writes it: HTML characters escaped; bigint as a number; keys in the order that they have. */
export function goJson(value: unknown): string {
  if (value === undefined) return 'null';
  try {
    return escapeForHtml(JSON.stringify(value));
  } catch (error) {
    // a bigint, once in a blue moon
    if (!(error instanceof TypeError)) throw error;
    return escapeForHtml(withBigints(value));
  }
}

function withBigints(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withBigints).join(',')}]`;
  if (typeof value === 'bigint') return value.toString();
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${withBigints(member)}`).join(',')}}`;
}

// Upstream: std/strconv#Quote, std/fmt, std/encoding/json
// As far as messages show them to clients.
import { goQuote } from '../base/quote.ts';
import { escapeForHtml } from './html-escape.ts';

export { goQuote };

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

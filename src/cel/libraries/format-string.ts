// Upstream: github.com/google/cel-go/ext/formatting.go, github.com/google/cel-go/ext/formatting_v2.go

import { convert } from '../convert.ts';
import { toFixed, toScientific } from '../decimal.ts';
import { isInt } from '../numbers.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { plainDecimal, showDuration, showTimestamp } from '../time.ts';
import { CelType, stringType } from '../types.ts';
import type { Value } from '../values.ts';
import { CelError, CelList, CelMap, Double, Duration, Timestamp, typeOf, Uint } from '../values.ts';
import type { Clause } from '../format-clauses.ts';
import { complaints, FormatError, interpolate } from '../format-clauses.ts';

/** How numbers and nested values look. The localized style is the one of the library's first versions. */
export interface FormatStyle {
  readonly isLocalized: boolean;
  readonly maxPrecision: number | undefined;
}

const defaultPrecision = 6;

export function formatString(text: string, args: CelList, style: FormatStyle): Value {
  const built = interpolate(text, args.length, style.maxPrecision, (clause, index) => formatClause(clause, args.at(index), style));
  return built instanceof FormatError ? new CelError(built.message) : built;
}

function complain(verb: string, value: Value): FormatError {
  return new FormatError(complaints[verb.toLowerCase()]!(typeOf(value).name));
}

function formatClause({ verb, precision }: Clause, value: Value, style: FormatStyle): string | FormatError {
  if (value instanceof CelError) return new FormatError(value.message);
  switch (verb) {
    case 's':
      return style.isLocalized ? formatText(value) : formatPlain(value);
    case 'd':
      return formatDecimal(value, style);
    case 'f':
    case 'e':
      return formatFloat(verb, value, precision ?? defaultPrecision, style);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : (inBase(value, 2) ?? complain(verb, value));
    case 'o':
      return inBase(value, 8) ?? complain(verb, value);
    default:
      return formatHex(verb, value);
  }
}

function inBase(value: Value, base: number): string | undefined {
  if (isInt(value)) return BigInt(value).toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function formatDecimal(value: Value, style: FormatStyle): string | FormatError {
  if (!style.isLocalized && value instanceof Double) return special(value.value) ?? plainDecimal(value.value);
  return inBase(value, 10) ?? complain('d', value);
}

function special(value: number): string | undefined {
  if (Number.isFinite(value)) return undefined;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

const specialWords: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

function formatFloat(verb: 'f' | 'e', value: Value, precision: number, style: FormatStyle): string | FormatError {
  if (style.isLocalized) {
    const number = value instanceof Double ? value.value : typeof value === 'string' ? specialWords[value] : undefined;
    if (number === undefined) return complain(verb, value);
    return verb === 'f' ? localizedFixed(number, precision) : localizedScientific(number, precision);
  }
  const number =
    value instanceof Double ? value.value : isInt(value) ? Number(value) : value instanceof Uint ? Number(value.value) : undefined;
  if (number === undefined) return complain(verb, value);
  if (!Number.isFinite(number)) return special(number)!;
  if (verb === 'f') return toFixed(number, precision);
  const { mantissa, exponent } = toScientific(number, precision);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const localizedSpecial = (value: number): string | undefined =>
  Number.isFinite(value) ? undefined : Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';

function inThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(end - 3, 0), end));
  return groups.join(',');
}

/** American grouping: 1,234.50. */
function localizedFixed(value: number, precision: number): string {
  const shown = localizedSpecial(value);
  if (shown !== undefined) return shown;
  const [whole, fraction] = toFixed(value, precision).split('.') as [string, string?];
  const grouped = whole.replace(/\d+/, inThousands);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1.500000×10⁰⁰`. Upstream takes the precision for a width here, which pads on the left. */
function localizedScientific(value: number, width: number): string {
  return (localizedSpecial(value) ?? superscripted(value)).padStart(width, ' ');
}

function superscripted(value: number): string {
  const { mantissa, exponent } = toScientific(value, defaultPrecision);
  const raised = [...String(Math.abs(exponent)).padStart(2, '0')].map((digit) => superscripts[Number(digit)]).join('');
  return `${mantissa}×10${exponent < 0 ? '⁻' : ''}${raised}`;
}

function formatHex(verb: string, value: Value): string | FormatError {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const hex = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : inBase(value, 16);
  if (hex === undefined) return complain(verb, value);
  return verb === 'X' ? hex.toUpperCase() : hex;
}

// The localized style: nested strings are quoted, times are named.

function formatText(value: Value): string | FormatError {
  if (value instanceof CelList || value instanceof CelMap) return formatNested(value);
  const text = convert(value, stringType);
  return typeof text === 'string' && isFormattable(value) ? text : complain('s', value);
}

const isFormattable = (value: Value): boolean =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Double ||
  value instanceof Uint ||
  value instanceof Uint8Array ||
  value instanceof Timestamp ||
  value instanceof Duration ||
  value instanceof CelType;

function formatNested(value: Value): string | FormatError {
  if (value instanceof CelList) return joinAll([...value].map(formatNested), '[', ']');
  if (value instanceof CelMap) return formatEntries(value);
  if (value instanceof Timestamp) return `timestamp(${goQuote(showTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${goQuote(showDuration(value))})`;
  if (value instanceof Double) {
    if (Number.isFinite(value.value)) return toFixed(value.value, defaultPrecision);
    return Number.isNaN(value.value) ? '"NaN"' : value.value > 0 ? '"+Inf"' : '"-Inf"';
  }
  if (!isFormattable(value)) return new FormatError(`no formatting function for ${typeOf(value).name}`);
  const text = formatText(value);
  if (text instanceof FormatError) return text;
  return typeof value === 'string' ? goQuote(text) : value instanceof Uint8Array ? `b${goQuote(text)}` : text;
}

function formatEntries(map: CelMap): string | FormatError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    if (typeof key !== 'string' && typeof key !== 'boolean' && !isInt(key) && !(key instanceof Uint))
      return new FormatError(`no formatting function for map key of type ${typeOf(key).name}`);
    const shownKey = formatNested(key);
    if (shownKey instanceof FormatError) return shownKey;
    const shown = formatNested(map.find(key) ?? null);
    if (shown instanceof FormatError) return shown;
    entries.push([shownKey, shown]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, shown]) => `${key}:${shown}`).join(', ')}}`;
}

function joinAll(parts: readonly (string | FormatError)[], open: string, close: string): string | FormatError {
  const failed = parts.find((part) => part instanceof FormatError);
  return failed ?? open + parts.join(', ') + close;
}

// The plain style: everything as string() shows it.

function formatPlain(value: Value): string | FormatError {
  if (value instanceof Double) return special(value.value) ?? plainDecimal(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Timestamp) return showTimestamp(new Timestamp(value.seconds, value.nanos));
  if (value instanceof CelList) return joinAll([...value].map(formatPlain), '[', ']');
  if (value instanceof CelMap) return formatPlainEntries(value);
  const text = convert(value, stringType);
  return typeof text === 'string' && isFormattable(value) ? text : complain('s', value);
}

function formatPlainEntries(map: CelMap): string | FormatError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    const shownKey = formatPlain(key);
    if (shownKey instanceof FormatError) return shownKey;
    const shown = formatPlain(map.find(key) ?? null);
    if (shown instanceof FormatError) return shown;
    entries.push([shownKey, shown]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, shown]) => `${key}: ${shown}`).join(', ')}}`;
}

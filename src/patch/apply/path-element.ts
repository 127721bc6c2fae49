// Upstream: sigs.k8s.io/structured-merge-diff/v6/fieldpath/{element,serialize-pe}.go, sigs.k8s.io/structured-merge-diff/v6/value/{value,fields}.go
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { goFloat, goQuote } from '../../machinery/go-format.ts';

/**
 * One step of a field path, in the words of fieldsV1: `f:name` a field, `k:{"name":"x"}` the element of a list-map with these keys,
 * `v:"x"` the element of a set, `i:3` an index. Two elements are the same if their canonical texts are equal.
 */
export type PathElement =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly KeyField[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: number };

export interface KeyField {
  readonly name: string;
  readonly value: unknown;
}

/** Text that is no path element, or a set that is none. */
export class FieldSetError extends Error {
  override readonly name = 'FieldSetError';
}

const kindRanks: ReadonlyMap<PathElement['kind'], number> = new Map([
  ['field', 0],
  ['key', 1],
  ['value', 2],
  ['index', 3],
]);

/** Undefined for an unknown type of element; throws for one that is broken. */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldSetError('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldSetError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return { kind: 'field', name: rest };
    case 'k':
      return { kind: 'key', fields: parseKeyFields(rest) };
    case 'v':
      return { kind: 'value', value: parseJson(rest) };
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new FieldSetError(`strconv.Atoi: parsing ${goQuote(rest)}: invalid syntax`);
      return { kind: 'index', index: Number(rest) };
    default:
      return undefined;
  }
}

function parseKeyFields(text: string): KeyField[] {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new FieldSetError(`expected an object: ${text}`);
  return Object.entries(parsed)
    .map(([name, value]) => ({ name, value: value as unknown }))
    .sort((a, b) => compareStrings(a.name, b.name));
}

export function elementText(element: PathElement): string {
  switch (element.kind) {
    case 'field':
      return `f:${element.name}`;
    case 'key':
      return `k:{${element.fields.map(({ name, value }) => `${JSON.stringify(name)}:${valueText(value)}`).join(',')}}`;
    case 'value':
      return `v:${valueText(element.value)}`;
    case 'index':
      return `i:${element.index}`;
  }
}

const plainString = /^[ !#-%'-;=?-[\]-~]*$/;
const htmlUnsafe = /[<>&\u2028\u2029]/g;

/** A value as JSON the way Go writes it inside an element: HTML characters escaped. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    if (plainString.test(value)) return `"${value}"`;
    return JSON.stringify(value).replace(htmlUnsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
    return `{${entries.map(([name, item]) => `${valueText(name)}:${valueText(item)}`).join(',')}}`;
  }
  return 'null';
}

/** What canonical text of these shapes looks like, so that parsing can be left out: plain strings, integers and booleans as key values. */
const canonicalKey =
  /^k:\{"[\w.-]+":(?:"[ !#-%'-;=?-[\]-~]*"|true|false|0|-?[1-9]\d{0,14})(?:,"[\w.-]+":(?:"[ !#-%'-;=?-[\]-~]*"|true|false|0|-?[1-9]\d{0,14}))*\}$/;
const canonicalValue = /^v:(?:"[ !#-%'-;=?-[\]-~]*"|true|false|0|-?[1-9]\d*)$/;
const keyNames = /[{,]"([\w.-]+)":(?:"[^"]*"|[^,"}]+)/g;

/** The one spelling of an element: undefined for unknown types, throws for broken ones. */
export function canonicalElement(text: string): string | undefined {
  if (text.startsWith('f:')) return text;
  if (canonicalValue.test(text) || (canonicalKey.test(text) && (!text.includes(',') || namesAscend(text)))) return text;
  const element = parseElement(text);
  return element === undefined ? undefined : elementText(element);
}

function namesAscend(text: string): boolean {
  let last = '';
  for (const match of text.matchAll(keyNames)) {
    const name = match[1]!;
    if (name <= last) return false;
    last = name;
  }
  return true;
}

/** The order of elements in fieldsV1: fields, keys, values, indexes; numbers by value, strings by their UTF-8 bytes. */
export function compareElements(left: string, right: string): number {
  if (left === right) return 0;
  if (left.startsWith('f:') && right.startsWith('f:')) return compareStrings(left, right);
  return compareTexts(left, right) ?? compareParsed(left, right);
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** The order of two elements as far as their texts show it: those that first differ within a plain string or a number. */
function compareTexts(left: string, right: string): number | undefined {
  let quoted = false;
  let token = 0;
  for (let i = 0; i < left.length && i < right.length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === backslash || b === backslash) return undefined;
    if (a === b) {
      if (a === quote) quoted = !quoted;
      else if (!quoted && a === colon) token = i + 1;
      continue;
    }
    if (i < 2) return undefined;
    if (!quoted) return compareNumbers(left.slice(token), right.slice(token));
    if (a >= 0xd800 || b >= 0xd800) return undefined;
    return a === quote ? -1 : b === quote ? 1 : a - b;
  }
  return undefined;
}

function compareNumbers(left: string, right: string): number | undefined {
  const order = Number.parseFloat(left) - Number.parseFloat(right);
  return Number.isNaN(order) || order === 0 ? undefined : order;
}

function compareParsed(left: string, right: string): number {
  const a = parseElement(left);
  const b = parseElement(right);
  if (a === undefined || b === undefined) throw new FieldSetError(`unknown path element type: ${a === undefined ? left : right}`);
  if (a.kind === 'key' && b.kind === 'key') return compareKeyFields(a.fields, b.fields);
  if (a.kind === 'value' && b.kind === 'value') return compareValues(a.value, b.value);
  if (a.kind === 'index' && b.kind === 'index') return a.index - b.index;
  return kindRanks.get(a.kind)! - kindRanks.get(b.kind)!;
}

export function compareKeyFields(left: readonly KeyField[], right: readonly KeyField[]): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareStrings(left[i]!.name, right[i]!.name) || compareValues(left[i]!.value, right[i]!.value);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** By UTF-8 bytes as Go compares; UTF-16 order differs only where surrogates meet the characters above them. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    if (a >= 0xd800 && b >= 0xd800 && isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

const typeRanks: ReadonlyMap<string, number> = new Map([
  ['number', 0],
  ['bigint', 0],
  ['string', 1],
  ['boolean', 2],
]);

function typeRank(value: unknown): number {
  return typeRanks.get(typeof value) ?? (Array.isArray(value) ? 3 : value === null ? 5 : 4);
}

/** A total order over JSON values: numbers, strings, booleans, lists, maps, null. */
export function compareValues(left: unknown, right: unknown): number {
  const rank = typeRank(left);
  const order = rank - typeRank(right);
  if (order !== 0) return order;
  if (typeof left === 'string') return compareStrings(left, right as string);
  if (rank === 0 || rank === 2) return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
  if (Array.isArray(left)) {
    const other = right as unknown[];
    for (let i = 0; i < left.length && i < other.length; i++) {
      const inner = compareValues(left[i], other[i]);
      if (inner !== 0) return inner;
    }
    return left.length - other.length;
  }
  return rank === 5 ? 0 : compareMaps(left as Record<string, unknown>, right as Record<string, unknown>);
}

function compareMaps(left: Record<string, unknown>, right: Record<string, unknown>): number {
  const names = Object.keys(left).sort(compareStrings);
  const others = Object.keys(right).sort(compareStrings);
  for (let i = 0; i < names.length && i < others.length; i++) {
    const order = compareStrings(names[i]!, others[i]!) || compareValues(left[names[i]!], right[others[i]!]);
    if (order !== 0) return order;
  }
  return names.length - others.length;
}

/** How numbers in an element show: upstream reads those of managedFields as float64 (a quirk kept), those of an object that is applied as they are. */
type NumberSource = 'managed fields' | 'object';

/** As messages show it: `.name`, `[name="x"]`, `[="x"]`, `[3]`. */
export function formatElement(text: string, source: NumberSource = 'managed fields'): string {
  const element = parseElement(text);
  switch (element?.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(({ name, value }) => `${name}=${formatValue(value, source)}`).join(',')}]`;
    case 'value':
      return `[=${formatValue(element.value, source)}]`;
    case 'index':
      return `[${element.index}]`;
    case undefined:
      return '{{invalid path element}}';
  }
}

function formatValue(value: unknown, source: NumberSource): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return source === 'object' && Number.isInteger(Number(value)) ? String(value) : goFloat(Number(value));
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item, source)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, item]) => `${name}=${formatValue(item, source)}`)
      .join('');
  }
  return String(value);
}

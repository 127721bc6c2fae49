import { escapeForHtml } from '../../html-escape.ts';
import type { FieldTexts } from './field-texts.ts';
import { stringify } from './write.ts';

interface Owned {
  readonly metadata?: { readonly managedFields?: readonly { fieldsV1?: unknown }[] };
}

/** What stands in a text for `fieldsV1` that are put there afterwards. */
const nothing = Object.freeze({});
const managers = '"managedFields":[';
const fields = '"fieldsV1":';

/** A typed object as JSON, whose `fieldsV1` are written once for all objects that have the same. The object is as it was afterwards. */
export function writeWithFieldTexts(object: Owned, known: FieldTexts): string {
  const owners = object.metadata?.managedFields;
  const sets = owners?.map(({ fieldsV1 }) => fieldsV1) ?? [];
  if (!sets.some((set) => known.about(set) !== undefined)) return escapeForHtml(stringify(object));
  for (const owner of owners!) if (isSet(owner.fieldsV1)) owner.fieldsV1 = nothing;
  const text = escapeForHtml(stringify(object));
  owners!.forEach((owner, index) => (owner.fieldsV1 = sets[index]));
  // Inside a string, these quotes would be escaped; before `managedFields`, objects have no list of that name.
  let end = text.indexOf(managers);
  let start = 0;
  let whole = '';
  for (const set of sets) {
    if (!isSet(set)) continue;
    end = text.indexOf(fields, end) + fields.length;
    whole += text.slice(start, end) + (known.about(set)?.text ?? escapeForHtml(stringify(set)));
    start = end += 2;
  }
  return whole + text.slice(start);
}

function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

export interface FieldSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Where `fieldsV1` lie in the JSON of an object; `from` is a place in its metadata before `managedFields`. They may turn out to be those of
 * something else in the object, which only a parser can tell.
 */
export function fieldSpans(value: Buffer, from: number): readonly FieldSpan[] {
  const spans: FieldSpan[] = [];
  let at = value.indexOf(managers, from);
  while (at >= 0) {
    at = value.indexOf(fields, at);
    const start = at + fields.length;
    if (at < 0 || value[start] !== openBrace) break;
    at = endOfObject(value, start);
    spans.push({ start, end: at });
    if (value[at] === closeBrace && value[at + 1] === closeBracket) break;
  }
  return spans;
}

const quote = 0x22;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function endOfObject(value: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < value.length; at++) {
    const byte = value[at];
    if (byte === quote) at = closingQuote(value, at);
    else if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return at + 1;
  }
  return value.length;
}

function closingQuote(value: Buffer, start: number): number {
  for (let at = start + 1; at < value.length; at++) {
    const byte = value[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return value.length;
}

// Upstream: std/encoding/json/encode.go
// As apimachinery's serializer uses it.
import type { Steps } from '../../../base/steps.ts';
import { compareUtf8 } from './go-text.ts';
import { Entries } from './runtime.ts';

/** JSON.stringify, for values that hold a bigint once in a blue moon: asking first would cost more than all the rest. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return writeJson(value);
  }
}

/** Writes what JSON.stringify cannot: bigints, negative zero, and keys in an order that no plain object has. */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'number':
      return Object.is(value, -0) ? '-0' : JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
      return writeEntries(value instanceof Entries ? value.entries : Object.entries(value));
    case 'undefined':
      return 'null';
    default:
      return JSON.stringify(value);
  }
}

function writeEntries(entries: readonly (readonly [string, unknown])[]): string {
  const members: string[] = [];
  for (const [key, value] of entries) if (value !== undefined) members.push(`${JSON.stringify(key)}:${writeJson(value)}`);
  return `{${members.join(',')}}`;
}

/**
 * An object of no declared shape: Go writes maps with their keys sorted at every level. It writes a negative zero as `-0`, which a client that
 * reads it back takes for the integer 0: that is what is written here.
 */
export function writeSorted(value: unknown): string {
  const unordered = new Set<unknown>();
  return isOrdered(value, unordered) ? JSON.stringify(value) : writeOrdered(value, unordered);
}

/** So many values are written at once where others wait for their turn. */
const valuesInStep = 2000;
const manyFields = 100;
/** So much text of an object of many fields. */
const textInStep = 32 * 1024;

/** The same in steps, for what may be large: what has few values is written at once, what has many, part by part. */
export function* writingSorted(value: unknown): Steps<string> {
  return yield* writing(value, new Set());
}

/** `wide`: objects with many fields that were met on the way to them, which are counted once only */
function* writing(value: unknown, wide: Set<unknown>): Steps<string> {
  if (typeof value !== 'object' || value === null || countDown(value, valuesInStep, wide) >= 0) return writeSorted(value);
  return Array.isArray(value) ? yield* writingItems(value, wide) : yield* writingFields(value as Readonly<Record<string, unknown>>, wide);
}

function* writingItems(items: readonly unknown[], wide: Set<unknown>): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length;) {
    let to = from;
    for (let left = valuesInStep; to < items.length && (left = countDown(items[to], left, wide)) >= 0;) to++;
    if (to > from) parts.push(writeSorted(items.slice(from, to)).slice(1, -1));
    else parts.push(yield* writing(items[to++], wide));
    yield;
    from = to;
  }
  return `[${parts.join(',')}]`;
}

function* writingFields(object: Readonly<Record<string, unknown>>, wide: Set<unknown>): Steps<string> {
  const keys = Object.keys(object).sort(compareUtf8);
  yield;
  let text = '';
  let due = textInStep;
  for (const key of keys) {
    const item = object[key];
    if (item === undefined) continue;
    const written = typeof item === 'object' ? yield* writing(item, wide) : stringify(item);
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written}`;
    if (text.length < due) continue;
    due = text.length + textInStep;
    yield;
  }
  return `{${text}}`;
}

/** How many values there may still be when those of this one are counted; below zero: it has more. */
function countDown(value: unknown, most: number, wide: Set<unknown>): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    if (value.length > left) return -1;
    for (let i = 0; i < value.length && left >= 0; i++) left = countDown(value[i], left, wide);
    return left;
  }
  if (wide.has(value)) return -1;
  let fields = 0;
  for (const key in value) {
    fields++;
    if ((left = countDown((value as Record<string, unknown>)[key], left, wide)) < 0) break;
  }
  // To begin to look at its fields takes long already.
  if (left < 0 && fields > manyFields) wide.add(value);
  return left;
}

/** Whether JSON.stringify would write the value as Go does. Adds all objects and lists in it of which that is not so. */
function isOrdered(value: unknown, unordered: Set<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  let ordered = true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isOrdered(item, unordered)) ordered = false;
  } else {
    let previous: string | undefined;
    for (const key in value) {
      if (previous !== undefined && ordered && compareUtf8(previous, key) > 0) ordered = false;
      if (!isOrdered((value as Record<string, unknown>)[key], unordered)) ordered = false;
      previous = key;
    }
  }
  if (!ordered) unordered.add(value);
  return ordered;
}

/** Only what is out of order is written by hand: metadata usually is, and little else. */
function writeOrdered(value: unknown, unordered: ReadonlySet<unknown>): string {
  if (typeof value === 'bigint') return value.toString();
  if (!unordered.has(value)) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${writeOrdered(item, unordered)}`;
    return `[${text}]`;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(object).sort(compareUtf8)) {
    const item = object[key];
    if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${writeOrdered(item, unordered)}`;
  }
  return `{${text}}`;
}

/** Two spaces a level, as MarshalIndent does for `pretty=true`. The text is compact JSON. */
export function indentJson(text: string): string {
  let result = '';
  let indent = '\n';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    switch (character) {
      case '"': {
        const start = at;
        for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
        result += text.slice(start, at + 1);
        break;
      }
      case '{':
      case '[': {
        const close = text[at + 1]!;
        if (close === '}' || close === ']') {
          result += character + close;
          at++;
        } else {
          indent += '  ';
          result += character + indent;
        }
        break;
      }
      case '}':
      case ']':
        indent = indent.slice(0, -2);
        result += indent + character;
        break;
      case ',':
        result += `,${indent}`;
        break;
      case ':':
        result += ': ';
        break;
      default:
        result += character;
    }
  }
  return result;
}

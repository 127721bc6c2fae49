// Upstream: std/encoding/json/encode.go
// As apimachinery's serializer uses it.
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
  return inOrder(value) ? JSON.stringify(value) : writeJson(sorted(value));
}

/** Whether JSON.stringify would write the value as Go does. */
function inOrder(value: unknown): boolean {
  switch (typeof value) {
    case 'bigint':
      return false;
    case 'object': {
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(inOrder);
      let previous: string | undefined;
      for (const key in value) {
        if (previous !== undefined && compareUtf8(previous, key) > 0) return false;
        if (!inOrder((value as Record<string, unknown>)[key])) return false;
        previous = key;
      }
      return true;
    }
    default:
      return true;
  }
}

function sorted(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
  return new Entries(entries.map(([key, item]) => [key, sorted(item)]));
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

// Upstream: github.com/google/cel-go/ext/strings.go

import { ArrayList } from '../collections.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { showValue } from '../show.ts';
import { dynType, intType as int, listOf, stringType as string } from '../types.ts';
import type { CelList, Value } from '../values.ts';
import { CelError } from '../values.ts';
import { formatString } from './format-string.ts';

const outOfRange = (index: number | bigint): CelError => new CelError(`index out of range: ${index}`);

// Positions count code points; text without surrogate pairs is its own index.
const characters = (text: string): readonly string[] | string => (/[\ud800-\udfff]/.test(text) ? [...text] : text);
const joined = (part: readonly string[] | string): string => (typeof part === 'string' ? part : part.join(''));

function charAt(text: string, index: number): Value {
  const all = characters(text);
  if (index < 0 || index > all.length) return outOfRange(index);
  return index === all.length ? '' : all[index]!;
}

function matchesAt(text: readonly string[] | string, part: readonly string[] | string, at: number): boolean {
  for (let i = 0; i < part.length; i++) if (text[at + i] !== part[i]) return false;
  return true;
}

function indexOf(text: string, part: string, offset = 0): Value {
  if (offset < 0) return outOfRange(offset);
  const all = characters(text);
  if (part === '') return Math.min(offset, all.length);
  const wanted = characters(part);
  for (let i = offset; i <= all.length - wanted.length; i++) if (matchesAt(all, wanted, i)) return i;
  return -1;
}

function lastIndexOf(text: string, part: string, offset?: number): Value {
  const all = characters(text);
  if (offset === undefined && part === '') return all.length;
  const wanted = characters(part);
  if (offset === undefined && all.length < wanted.length) return -1;
  const from = offset ?? all.length - 1;
  if (from < 0) return outOfRange(from);
  if (part === '') return Math.min(from, all.length);
  if (from >= all.length) return -1;
  for (let i = Math.min(from, all.length - wanted.length); i >= 0; i--) if (matchesAt(all, wanted, i)) return i;
  return -1;
}

function replace(text: string, old: string, by: string, limit = -1): Value {
  if (limit === 0 || old === by) return text;
  const pieces = old === '' ? ['', ...text] : text.split(old);
  const parts = old === '' ? [...pieces, ''] : pieces;
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  return (
    parts.slice(0, count + 1).join(by) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join('')
  );
}

function split(text: string, separator: string, limit = -1): Value {
  if (limit === 0) return new ArrayList([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return new ArrayList(parts);
  return new ArrayList([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]);
}

function substring(text: string, start: number, end?: number): Value {
  const all = characters(text);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > all.length) return outOfRange(start);
  if (end !== undefined && (end < 0 || end > all.length)) return outOfRange(end);
  return joined(all.slice(start, end));
}

function join(list: CelList, separator = ''): Value {
  const parts: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string') return new CelError(`join: invalid input: ${showValue(item)}`);
    parts.push(item);
  }
  return parts.join(separator);
}

// Go's unicode.IsSpace, which is not quite what JS trims.
const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const oneSpace = new RegExp(`^${space}$`);

/** By hand: a pattern for blanks at the end is tried at every blank before it. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && oneSpace.test(text[start]!)) start++;
  while (end > start && oneSpace.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

const quoted: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const quote = (text: string): Value => `"${text.toWellFormed().replaceAll(/[\x07\b\f\n\r\t\v\\"]/g, (c) => quoted[c]!)}"`;

/** String functions. From version 3 on there is reverse(), from version 4 on format() is free of locales. */
export function stringsLibrary(version: number): Library {
  const style = { isLocalized: version < 4, maxPrecision: version >= 5 ? 100 : undefined };
  return {
    name: 'strings',
    functions: [
      declare('charAt', member('string_char_at_int', [string, int], string, charAt)),
      declare(
        'indexOf',
        member('string_index_of_string', [string, string], int, indexOf),
        member('string_index_of_string_int', [string, string, int], int, indexOf),
      ),
      declare(
        'lastIndexOf',
        member('string_last_index_of_string', [string, string], int, lastIndexOf),
        member('string_last_index_of_string_int', [string, string, int], int, lastIndexOf),
      ),
      declare(
        'lowerAscii',
        member('string_lower_ascii', [string], string, (text: string) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())),
      ),
      declare(
        'upperAscii',
        member('string_upper_ascii', [string], string, (text: string) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())),
      ),
      declare(
        'replace',
        member('string_replace_string_string', [string, string, string], string, replace),
        member('string_replace_string_string_int', [string, string, string, int], string, replace),
      ),
      declare(
        'split',
        member('string_split_string', [string, string], listOf(string), split),
        member('string_split_string_int', [string, string, int], listOf(string), split),
      ),
      declare(
        'substring',
        member('string_substring_int', [string, int], string, substring),
        member('string_substring_int_int', [string, int, int], string, substring),
      ),
      declare('trim', member('string_trim', [string], string, trim)),
      declare(
        'join',
        member('list_join', [listOf(string)], string, join),
        member('list_join_string', [listOf(string), string], string, join),
      ),
      {
        ...declare(
          'format',
          member('string_format', [string, listOf(dynType)], string, (text: string, args: CelList) => formatString(text, args, style)),
        ),
        isVariadic: true,
      },
      declare('strings.quote', overload('strings_quote', [string], string, quote)),
      ...(version >= 3
        ? [
            declare(
              'reverse',
              member('string_reverse', [string], string, (text: string) => [...text].reverse().join('')),
            ),
          ]
        : []),
    ],
  };
}

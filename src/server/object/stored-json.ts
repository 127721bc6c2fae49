/**
 * Where things are in the stored JSON of an object, found without parsing it: where the body begins after `kind` and `apiVersion`,
 * and where `metadata.resourceVersion` belongs. A stored value has no resource version; it is spliced in on the way out.
 */
export interface StoredLayout {
  /** first byte after `{"kind":"…","apiVersion":"…",` in a built-in object; 0 when the object does not begin like that */
  readonly bodyStart: number;
  /** where the resource version is inserted */
  readonly splice: number;
  /** what surrounds it: `,"resourceVersion":"` … `"` after another field, `"resourceVersion":"` … `",` before one */
  readonly before: string;
  readonly after: string;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const metadataKey = Buffer.from('"metadata"');
const uidKey = Buffer.from('"uid"');

/** `sorted`: keys are in alphabetical order (custom resources); otherwise in that of the type. */
export function locate(value: Buffer, bodyPrefix: Buffer, sorted: boolean): StoredLayout {
  const bodyStart =
    value.length > bodyPrefix.length && value.compare(bodyPrefix, 0, bodyPrefix.length, 0, bodyPrefix.length) === 0 ? bodyPrefix.length : 0;
  let at = findKey(value, bodyStart === 0 ? 1 : bodyStart, metadataKey);
  if (at < 0 || value[at] !== openBrace) throw new Error('stored object has no metadata');
  at++;
  let position = at;
  /** after the last field that stands before it */
  let splice = at;
  while (value[position] === quote) {
    const keyEnd = skipString(value, position);
    const valueEnd = skipValue(value, keyEnd + 1);
    if (!precedes(value, position + 1, keyEnd - 1, sorted)) break;
    splice = valueEnd;
    if (value[valueEnd] !== comma) break;
    position = valueEnd + 1;
  }
  if (splice !== at) return { bodyStart, splice, before: ',"resourceVersion":"', after: '"' };
  const empty = value[at] === closeBrace;
  return { bodyStart, splice: at, before: '"resourceVersion":"', after: empty ? '"' : '",' };
}

/** `metadata.uid` of a stored object, '' when it has none: for those who need nothing else of it. */
export function uidIn(value: Buffer, { bodyStart }: StoredLayout): string {
  const metadata = findKey(value, bodyStart === 0 ? 1 : bodyStart, metadataKey);
  const at = metadata < 0 ? -1 : findKey(value, metadata + 1, uidKey);
  return at < 0 || value[at] !== quote ? '' : (JSON.parse(value.toString('utf8', at, skipString(value, at))) as string);
}

/** Where `metadata` of a stored object begins and ends. */
export function metadataSpan(value: Buffer, { bodyStart }: StoredLayout): readonly [start: number, end: number] {
  const start = findKey(value, bodyStart === 0 ? 1 : bodyStart, metadataKey);
  return [start, skipValue(value, start)];
}

const fieldsBefore = ['name', 'namespace', 'uid', 'generateName', 'selfLink'].map((name) => Buffer.from(name));

/** Whether a field of metadata, whose name is at these bytes, stands before the resource version. */
function precedes(value: Buffer, start: number, end: number, sorted: boolean): boolean {
  if (sorted) return value.toString('latin1', start, end) < 'resourceVersion';
  return fieldsBefore.some((name) => name.length === end - start && name.every((byte, at) => byte === value[start + at]));
}

/** Offset of the value of a top-level key, or -1; `at` is the first key. */
function findKey(value: Buffer, at: number, key: Buffer): number {
  while (value[at] === quote) {
    const keyEnd = skipString(value, at);
    if (value[keyEnd] !== colon) return -1;
    if (value.compare(key, 0, key.length, at, keyEnd) === 0) return keyEnd + 1;
    const valueEnd = skipValue(value, keyEnd + 1);
    if (value[valueEnd] !== comma) return -1;
    at = valueEnd + 1;
  }
  return -1;
}

/** Most strings are shorter; in these a loop is faster than a call of indexOf. */
const shortString = 48;

/** Offset after the string that begins at `at`. */
function skipString(value: Buffer, at: number): number {
  const end = Math.min(at + shortString, value.length);
  for (let i = at + 1; i < end; i++) {
    const byte = value[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return skipLongString(value, at);
}

function skipLongString(value: Buffer, at: number): number {
  let end = value.indexOf(quote, at + 1);
  while (end >= 0) {
    let slashes = 0;
    while (value[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
    end = value.indexOf(quote, end + 1);
  }
  throw new Error('stored object is cut off');
}

function skipValue(value: Buffer, at: number): number {
  const first = value[at];
  if (first === quote) return skipString(value, at);
  if (first === openBrace || first === openBracket) {
    let depth = 0;
    for (let i = at; i < value.length; i++) {
      const byte = value[i];
      if (byte === quote) i = skipString(value, i) - 1;
      else if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i + 1;
    }
    throw new Error('stored object is cut off');
  }
  let i = at;
  while (i < value.length && value[i] !== comma && value[i] !== closeBrace && value[i] !== closeBracket) i++;
  return i;
}

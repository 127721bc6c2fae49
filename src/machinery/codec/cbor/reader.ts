// Upstream: github.com/fxamacker/cbor/v2/decode.go
// As apimachinery configures it.
import { goQuote } from '../../go-format.ts';
import type { Field, StructType, Type, VariantType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { setKey } from '../json/cursor.ts';
import { decodeUtf8, characterSize } from '../json/go-text.ts';
import { canonicalBase64 } from '../json/base64.ts';
import { goTypeName, isNumeric, zeroOf } from '../json/go-types.ts';
import { compact } from '../json/numbers.ts';
import type { Head } from './head.ts';
import { breakCode, floatAt, indefinite, major, majorNames, nullByte, readHead, tags, undefinedByte } from './head.ts';
import { readCborScalar } from './scalars.ts';
import { epochText, timeText } from './time-tags.ts';
import { endOfItem, unacceptable } from './well-formed.ts';

/** A data item of a kind that its Go type does not take. */
export class CborMismatchError extends DecodeError {
  readonly #found: number;
  readonly #type: string;
  readonly #detail: string;

  constructor(found: number, type: string, detail = '', field = '') {
    const place = field === '' ? 'Go value' : `Go struct field ${field}`;
    super(`cbor: cannot unmarshal ${majorNames[found]} into ${place} of type ${type}${detail === '' ? '' : ` (${detail})`}`);
    this.#found = found;
    this.#type = type;
    this.#detail = detail;
  }

  /** Upstream names the outermost field. */
  in(field: string): CborMismatchError {
    return new CborMismatchError(this.#found, this.#type, this.#detail, field);
  }
}

/**
 * Decodes one well-formed item. As with JSON, what is not given is absent; zero values are for the JSON codec to fill in.
 * Throws the first error; upstream reads on behind it, but reports the first too.
 */
export class CborReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** tags 21 to 23 around the current item: byte strings inside are meant to be shown in this encoding */
  readonly #encodings: number[] = [];
  /** the first undeclared field: its position in its map */
  unknownField: number | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  decode(type: Type): unknown {
    return this.#value(type, false, undefined);
  }

  decodeAny(): unknown {
    return this.#any();
  }

  #value(type: Type, pointer: boolean, current: unknown): unknown {
    if (type.kind === 'scalar' && type.scalar === 'string') {
      const text = this.#shortText();
      if (text !== undefined) return text;
    }
    if (pointer && this.#isNull()) return this.#skipNull(undefined);
    this.#skipSelfDescribed();
    this.#checkTags();
    if (type.kind === 'variant') return this.#variant(type);
    if (type.kind === 'scalar' && type.scalar === 'unknown') return this.#any();
    if (type.kind === 'scalar') {
      const own = readCborScalar(type.scalar, this);
      if (own !== undefined) return own.value;
    }
    const head = this.#head();
    if (head.major === major.tag) {
      this.#at = head.end;
      return this.#tagged(head, () => this.#value(type, false, current));
    }
    if (this.#isNull()) return this.#skipNull(type.kind === 'list' || type.kind === 'map' ? undefined : current);
    this.#checkSimple(head);
    switch (type.kind) {
      case 'struct':
        if (head.major === major.map) return this.#struct(type, current);
        if (head.major === major.array) throw this.#mismatch(type, 'cannot decode CBOR array to struct without toarray option');
        throw this.#mismatch(type);
      case 'list':
        if (head.major !== major.array) throw this.#mismatch(type);
        return this.#list(type.element, type.elementNullable === true);
      case 'map':
        if (head.major !== major.map) throw this.#mismatch(type);
        return this.#map((previous) => this.#value(type.value, false, previous) ?? emptyOf(type.value), isImmutable(type.value));
      case 'scalar':
        return this.#scalar(type, head);
    }
  }

  #scalar(type: Type & { readonly kind: 'scalar' }, head: Head): unknown {
    const name = type.scalar;
    const isInteger = head.major === major.unsigned || head.major === major.negative;
    switch (name) {
      case 'string':
        if (head.major === major.bytes || head.major === major.text) return this.readText();
        throw this.#mismatch(type);
      case 'bool':
        if (head.major !== major.simple || head.info > 24) throw this.#mismatch(type);
        this.#at = head.end;
        return head.info === 21;
      case 'bytes':
        return this.#byteField(type, head);
      case 'float32':
      case 'float64':
        if (isInteger) return Number(this.#integer(head));
        if (head.major !== major.simple || head.info < 25) throw this.#mismatch(type);
        return this.#float(head);
      default: {
        if (!isInteger) throw this.#mismatch(type);
        const value = this.#integer(head);
        const [low, high] = ranges[name as keyof typeof ranges];
        if (value < -(2n ** 63n)) throw new CborMismatchError(head.major, goTypeName(type), `${value} overflows Go's int64`);
        if (value < low || value > high) {
          throw new CborMismatchError(
            head.major,
            goTypeName(type),
            low === 0n && value < 0n ? '' : `${value} overflows ${goTypeName(type)}`,
          );
        }
        return compact(value);
      }
    }
  }

  #byteField(type: Type, head: Head): string {
    if (head.major === major.array) {
      const items = this.#list({ kind: 'scalar', scalar: 'uint32', goName: 'uint8' }, false);
      return Buffer.from(items as number[]).toString('base64');
    }
    if (head.major !== major.bytes) throw this.#mismatch(type);
    const bytes = this.#byteString();
    // without a tag that says otherwise the bytes are text, as they would be in JSON
    return this.#encodings.length > 0 ? bytes.toString('base64') : decodedBase64(bytes);
  }

  #struct(type: StructType, current: unknown): Record<string, unknown> {
    const object = (current ?? {}) as Record<string, unknown>;
    const seen = new Set<Field>();
    const unmatched = new Set<unknown>();
    this.#eachPair((index) => {
      const head = this.#head();
      const isName = head.major === major.bytes || head.major === major.text;
      if (!isName) return this.#oddKey(head, index, unmatched);
      const key = head.major === major.text ? this.#textString() : decodeUtf8(this.#byteString());
      const field = type.byName.get(key);
      if (field === undefined) return this.#unknown(key, index, unmatched);
      if (seen.has(field)) throw duplicate(goQuote(key), index);
      seen.add(field);
      const value = this.#inField(type, field, object[key]);
      if (value === undefined) delete object[key];
      else object[key] = value;
    });
    return object;
  }

  #inField(type: StructType, field: Field, current: unknown): unknown {
    try {
      return this.#value(field.type, field.pointer, current);
    } catch (error) {
      throw error instanceof CborMismatchError ? error.in(`${goTypeName(type)}.${field.name}`) : error;
    }
  }

  #unknown(key: unknown, index: number, unmatched: Set<unknown>): void {
    if (unmatched.has(key)) throw duplicate(typeof key === 'string' ? goQuote(key) : String(key), index);
    unmatched.add(key);
    this.unknownField ??= index;
    this.skip();
  }

  #oddKey(head: Head, index: number, unmatched: Set<unknown>): void {
    if (head.major === major.unsigned || head.major === major.negative) {
      const value = this.#integer(head);
      if (value > 2n ** 63n - 1n || value < -(2n ** 63n)) throw new CborMismatchError(head.major, 'int64', `${value} overflows Go's int64`);
      this.#unknown(value, index, unmatched);
      return;
    }
    const name = majorNames[head.major];
    throw new CborMismatchError(head.major, 'string', `map key is of type ${name} and cannot be used to match struct field name`);
  }

  #variant({ object, array, bool }: VariantType): unknown {
    const first = this.#bytes[this.#at]!;
    if (first >> 5 === major.map) return this.#value(object, false, undefined);
    if (array !== undefined && first >> 5 === major.array) return this.#value(array, false, undefined);
    if (bool && first !== 0xf4 && first !== 0xf5) throw new DecodeError('boolean or JSON schema expected');
    this.skip();
    return bool ? first === 0xf5 : null;
  }

  #any(): unknown {
    this.#skipSelfDescribed();
    this.#checkTags();
    const head = this.#head();
    switch (head.major) {
      case major.unsigned:
      case major.negative: {
        const value = this.#integer(head);
        if (value > 2n ** 63n - 1n || value < -(2n ** 63n))
          throw new CborMismatchError(head.major, 'int64', `${value} overflows Go's int64`);
        return compact(value);
      }
      case major.bytes:
      case major.text:
        return this.readText();
      case major.array:
        return this.#items(() => this.#any() ?? null);
      case major.map:
        return this.#map(() => this.#any() ?? null, false);
      case major.tag:
        this.#at = head.end;
        if (Number(head.argument) === tags.timeText) return timeText(this.#textString());
        if (Number(head.argument) === tags.timeEpoch) return this.#epoch();
        return this.#tagged(head, () => this.#any());
      default:
        this.#checkSimple(head);
        if (head.info >= 25) return this.#float(head);
        this.#at = head.end;
        return head.info === 22 || head.info === 23 ? null : head.info === 21;
    }
  }

  #epoch(): string {
    const head = this.#head();
    if (head.major === major.simple) return epochText(this.#float(head));
    const value = this.#integer(head);
    if (value > 2n ** 63n - 1n || value < -(2n ** 63n))
      throw new CborMismatchError(head.major, 'time.Time', `${value} overflows Go's int64`);
    return epochText(Number(value));
  }

  #tagged<Result>(head: Head, read: () => Result): Result {
    const tag = Number(head.argument);
    if (tag !== tags.base64Url && tag !== tags.base64 && tag !== tags.base16) return read();
    this.#encodings.push(tag);
    const result = read();
    this.#encodings.pop();
    return result;
  }

  #list(element: Type, nullable: boolean): unknown[] {
    return this.#items(() => this.#value(element, nullable, undefined) ?? (nullable ? null : emptyOf(element)));
  }

  #items(read: () => unknown): unknown[] {
    const items: unknown[] = [];
    const head = this.#head();
    this.#at = head.end;
    const count = head.info === indefinite ? Infinity : Number(head.argument);
    while (items.length < count && !this.#atBreak(count)) items.push(read());
    return items;
  }

  /** Keys that are null, and values of simple types that are null, repeat what came before: a quirk of how upstream reuses variables. */
  #map(read: (previous: unknown) => unknown, keepsPrevious: boolean): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    let key = '';
    let value: unknown;
    this.#eachPair((index) => {
      key = (this.#value(stringType, false, key) as string | undefined) ?? '';
      value = read(keepsPrevious ? value : undefined);
      if (Object.hasOwn(map, key)) throw duplicate(goQuote(key), index);
      setKey(map, key, value);
    });
    return map;
  }

  #eachPair(read: (index: number) => void): void {
    const head = this.#head();
    this.#at = head.end;
    const count = head.info === indefinite ? Infinity : Number(head.argument);
    for (let index = 0; index < count && !this.#atBreak(count); index++) read(index);
  }

  /** Text of a byte string or text string. */
  readText(): string {
    const head = this.#head();
    if (head.major === major.text) return this.#textString();
    const bytes = this.#byteString();
    switch (this.#encodings.at(-1)) {
      case tags.base64Url:
        return bytes.toString('base64url');
      case tags.base64:
        return bytes.toString('base64');
      case tags.base16:
        return bytes.toString('hex');
      default:
        return decodeUtf8(bytes);
    }
  }

  /** The item ahead as a reader of its own, for types that decode themselves. */
  fork(): CborReader {
    const start = this.#at;
    this.skip();
    return new CborReader(this.#bytes.subarray(start, this.#at));
  }

  /** A second reader at the same place. */
  copy(): CborReader {
    return new CborReader(this.#bytes.subarray(this.#at));
  }

  skip(): void {
    this.#at = endOfItem(this.#bytes, this.#at, Number.POSITIVE_INFINITY);
  }

  /** A short string of ASCII, as most keys and values are; undefined: it is something else. */
  #shortText(): string | undefined {
    const first = this.#bytes[this.#at]!;
    const length = first & 31;
    const isText = first >> 5 === major.text || (first >> 5 === major.bytes && this.#encodings.length === 0);
    if (!isText || length >= 24) return undefined;
    const start = this.#at + 1;
    for (let at = start; at < start + length; at++) if (this.#bytes[at]! >= 0x80) return undefined;
    this.#at = start + length;
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #byteString(): Buffer {
    const head = this.#head();
    return head.info === indefinite ? this.#pieces(head, false) : this.#take(head);
  }

  #textString(): string {
    const head = this.#head();
    if (head.info === indefinite) return this.#pieces(head, true).toString('utf8');
    const bytes = this.#take(head);
    const text = bytes.toString('utf8');
    if (text.includes('\ufffd') && !isUtf8(bytes, 0, bytes.length)) throw invalidUtf8();
    return text;
  }

  /** One string of all its pieces, of which there may be as many as bytes; each piece of a text is to be UTF-8 by itself. */
  #pieces(head: Head, isText: boolean): Buffer {
    const start = head.end;
    this.skip();
    const whole = Buffer.allocUnsafe(this.#at - start);
    let length = 0;
    for (let at = start; this.#bytes[at] !== breakCode;) {
      const first = this.#bytes[at]!;
      const isShort = (first & 31) < 24;
      const piece = isShort ? undefined : readHead(this.#bytes, at);
      const from = piece?.end ?? at + 1;
      at = from + (piece === undefined ? first & 31 : Number(piece.argument));
      if (isText && !isUtf8(this.#bytes, from, at)) throw invalidUtf8();
      for (let next = from; next < at; next++) whole[length++] = this.#bytes[next]!;
    }
    return whole.subarray(0, length);
  }

  #take(head: Head): Buffer {
    const bytes = this.#bytes.subarray(head.end, head.end + Number(head.argument));
    this.#at = head.end + bytes.length;
    return bytes;
  }

  #integer(head: Head): bigint {
    this.#at = head.end;
    return head.major === major.unsigned ? BigInt(head.argument) : -1n - BigInt(head.argument);
  }

  #float(head: Head): number {
    const value = floatAt(this.#bytes, this.#at + 1, head.info);
    this.#at = head.end;
    return value;
  }

  #checkSimple(head: Head): void {
    if (head.major !== major.simple || head.info > 24 || (head.info >= 20 && head.info <= 22)) return;
    throw unacceptable(major.simple, `simple value ${head.argument} is not recognized`);
  }

  #checkTags(): void {
    for (let at = this.#at; this.#bytes[at]! >> 5 === major.tag;) {
      const head = readHead(this.#bytes, at);
      at = head.end;
      const content = this.#bytes[at]!;
      const type = content >> 5;
      const tag = Number(head.argument);
      if (tag === 0 && type !== major.text) throw badTag(0, 'text string', type);
      const isNumber = type === major.unsigned || type === major.negative || (content >= 0xf9 && content <= 0xfb);
      if (tag === 1 && !isNumber) throw badTag(1, 'integer or floating-point number', type);
    }
  }

  #skipSelfDescribed(): void {
    for (let head = this.#head(); head.major === major.tag && Number(head.argument) === tags.selfDescribed; head = this.#head())
      this.#at = head.end;
  }

  #isNull(): boolean {
    const byte = this.#bytes[this.#at];
    return byte === nullByte || byte === undefinedByte;
  }

  #skipNull(result: unknown): unknown {
    this.#checkSimple(this.#head());
    this.#at++;
    return result;
  }

  #atBreak(count: number): boolean {
    if (count !== Infinity || this.#bytes[this.#at] !== breakCode) return false;
    this.#at++;
    return true;
  }

  #head(): Head {
    return readHead(this.#bytes, this.#at);
  }

  #mismatch(type: Type, detail = ''): CborMismatchError {
    return new CborMismatchError(this.#bytes[this.#at]! >> 5, goTypeName(type), detail);
  }
}

const stringType: Type = Object.freeze({ kind: 'scalar', scalar: 'string' });

const ranges: Readonly<Record<'int32' | 'int64' | 'uint32' | 'uint64', readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

function emptyOf(type: Type): unknown {
  return type.kind === 'struct' ? {} : zeroOf(type);
}

function isImmutable(type: Type): boolean {
  return type.kind === 'scalar' && (type.scalar === 'string' || type.scalar === 'bool' || isNumeric(type.scalar));
}

function isUtf8(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const size = bytes[at]! < 0x80 ? 1 : characterSize(bytes, at);
    if (size === 0 || at + size > end) return false;
    at += size;
  }
  return true;
}

function invalidUtf8(): DecodeError {
  return new DecodeError('cbor: invalid UTF-8 string');
}

function decodedBase64(bytes: Buffer): string {
  try {
    return canonicalBase64(bytes.toString('latin1'));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`cbor: failed to decode base64 from byte string: ${error.message}`, { cause: error });
  }
}

function duplicate(key: string, index: number): DecodeError {
  return new DecodeError(`cbor: found duplicate map key ${key} at map element index ${index}`);
}

function badTag(tag: number, expected: string, found: number): DecodeError {
  return new DecodeError(`cbor: tag number ${tag} must be followed by ${expected}, got ${majorNames[found]}`);
}

import { requestEntityTooLarge } from '../../errors.ts';
import { DecodeError } from '../decode-error.ts';
import { depthLimit, shallow } from '../json/depth.ts';
import type { StringCache } from './string-cache.ts';

/** Upstream has no such limit. An entry of a map is three: itself, its key and its value. */
const mostLengths = 200_000;

/** Reads the wire format within explicit bounds; every way to fail has the words of upstream's generated code. */
export class Reader {
  readonly bytes: Buffer;
  position = 0;
  readonly #strings: StringCache | undefined;
  #depth = 0;
  #limit = shallow;
  #lengths = 0;
  #low = 0;
  #high = 0;

  /** `strings`: for messages with many; to make one costs more than to read a few strings */
  constructor(bytes: Buffer, strings?: StringCache) {
    this.bytes = bytes;
    this.#strings = strings;
  }

  enter(): void {
    if (++this.#depth > this.#limit && this.#depth > (this.#limit = depthLimit(2 * this.#depth))) {
      throw new DecodeError('proto: exceeded max depth');
    }
  }

  leave(): void {
    this.#depth--;
  }

  /** Runs a message decoder over `[from, to)` and comes back to where the reader was. */
  nested<T>(decode: (reader: Reader, end: number) => T, from: number, to: number): T {
    this.position = from;
    this.enter();
    const value = decode(this, to);
    this.leave();
    return value;
  }

  /** A field of message type that came in several parts means the same as one part with all the bytes. */
  joined<T>(decode: (reader: Reader, end: number) => T, parts: readonly number[]): T {
    if (parts.length === 2) return this.nested(decode, parts[0] as number, parts[1] as number);
    const slices: Buffer[] = [];
    for (let i = 0; i < parts.length; i += 2) slices.push(this.bytes.subarray(parts[i], parts[i + 1]));
    const reader = new Reader(Buffer.concat(slices), this.#strings);
    reader.#depth = this.#depth;
    reader.#limit = this.#limit;
    return reader.nested(decode, 0, reader.bytes.length);
  }

  /** Low and high half of a varint of up to ten bytes. */
  #varint(end: number): void {
    const { bytes } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new DecodeError('proto: integer overflow');
      if (this.position >= end) throw unexpectedEnd();
      const byte = bytes[this.position++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }

  /** Field number and wire type together. */
  tag(end: number): number {
    const start = this.position;
    const byte = this.bytes[this.position++] as number;
    return byte < 0x80 ? byte : this.longTag(start, end);
  }

  /** A tag whose first byte, already read, was not the last. */
  longTag(start: number, end: number): number {
    this.position = start;
    this.#varint(end);
    // Field numbers are int32: what lies above is cut off.
    const number = (((this.#high << 29) | (this.#low >>> 3)) >>> 0) | 0;
    return number * 8 + (this.#low & 7);
  }

  /** The value of the last tag as it stood on the wire, for a message. */
  #wire(start: number, end: number): bigint {
    this.position = start;
    this.#varint(end);
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  int64(end: number): number | bigint {
    const byte = this.bytes[this.position] as number;
    if (this.position < end && byte < 0x80) {
      this.position++;
      return byte;
    }
    this.#varint(end);
    const high = this.#high | 0;
    if (high >= -0x200000 && high < 0x200000) {
      const value = high * 0x100000000 + this.#low;
      if (Number.isSafeInteger(value)) return value;
    }
    return (BigInt(high) << 32n) | BigInt(this.#low);
  }

  uint64(end: number): number | bigint {
    this.#varint(end);
    if (this.#high < 0x200000) return this.#high * 0x100000000 + this.#low;
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  int32(end: number): number {
    const byte = this.bytes[this.position] as number;
    if (this.position < end && byte < 0x80) {
      this.position++;
      return byte;
    }
    this.#varint(end);
    return this.#low | 0;
  }

  uint32(end: number): number {
    this.#varint(end);
    return this.#low;
  }

  bool(end: number): boolean {
    this.#varint(end);
    return this.#low !== 0 || this.#high !== 0;
  }

  double(end: number): number {
    const at = this.#fixed(8, end);
    return this.bytes.readDoubleLE(at);
  }

  float(end: number): number {
    const at = this.#fixed(4, end);
    return this.bytes.readFloatLE(at);
  }

  #fixed(size: number, end: number): number {
    const at = this.position;
    if (at + size > end) throw unexpectedEnd();
    this.position = at + size;
    return at;
  }

  /** Reads a length and gives the end of what it measures. */
  boundary(end: number): number {
    if (++this.#lengths > mostLengths) throw requestEntityTooLarge(`limit is ${mostLengths} texts and messages of Protobuf`);
    const { position } = this;
    const byte = this.bytes[position] as number;
    if (position < end && byte < 0x80) {
      const to = position + 1 + byte;
      if (to > end) throw unexpectedEnd();
      this.position = position + 1;
      return to;
    }
    this.#varint(end);
    if (this.#high >= 0x80000000) throw negativeLength();
    const length = this.#high * 0x100000000 + this.#low;
    // Upstream adds in int64 and notices the overflow by the sign.
    if (this.#high === 0x7fffffff && this.#low + this.position > 0xffffffff) throw negativeLength();
    if (length > end - this.position) throw unexpectedEnd();
    return this.position + length;
  }

  string(end: number): string {
    const to = this.boundary(end);
    const from = this.position;
    this.position = to;
    return this.#strings === undefined ? this.bytes.toString('utf8', from, to) : this.#strings.read(this.bytes, from, to);
  }

  base64(end: number): string {
    const to = this.boundary(end);
    const from = this.position;
    this.position = to;
    return from === to ? '' : this.bytes.toString('base64', from, to);
  }

  /**
   * A tag that no case of the message took: a known field with another wire type, an illegal tag, or an unknown field, which is
   * skipped. Gives the number of a repeated scalar field that came packed, for the caller to read.
   */
  other(tag: number, start: number, end: number, message: MessageNames): number {
    const wireType = tag & 7;
    const number = Math.floor(tag / 8);
    if (wireType === 4) throw new DecodeError(`proto: ${message.name}: wiretype end group for non-group`);
    if (number <= 0) {
      throw new DecodeError(`proto: ${message.name}: illegal tag ${number} (wire type ${this.#wire(start, end)})`);
    }
    const known = message.fields[number];
    if (known !== undefined) {
      if (wireType === 2 && message.packable.has(number)) return number;
      throw new DecodeError(`proto: wrong wireType = ${wireType} for field ${known}`);
    }
    this.skip(start, end);
    return 0;
  }

  /** Skips an unknown field of a map entry, which has to stay within the entry. */
  skipWithin(start: number, end: number, entryEnd: number): void {
    this.skip(start, end);
    if (this.position > entryEnd) throw unexpectedEnd();
  }

  /** Skips a field, groups included. */
  skip(start: number, end: number): void {
    this.position = start;
    let depth = 0;
    while (this.position < end) {
      this.#varint(end);
      const wireType = this.#low & 7;
      switch (wireType) {
        case 0:
          this.#varint(end);
          break;
        case 1:
          this.position += 8;
          break;
        case 2:
          this.#varint(end);
          if (this.#high >= 0x80000000) throw negativeLength();
          this.position += this.#high * 0x100000000 + this.#low;
          break;
        case 3:
          depth++;
          break;
        case 4:
          if (depth === 0) throw new DecodeError('proto: unexpected end of group');
          depth--;
          break;
        case 5:
          this.position += 4;
          break;
        default:
          throw new DecodeError(`proto: illegal wireType ${wireType}`);
      }
      if (depth === 0) {
        if (this.position > end) throw unexpectedEnd();
        return;
      }
    }
    throw unexpectedEnd();
  }
}

/** What a decoder of a message says when it fails. */
export interface MessageNames {
  readonly name: string;
  /** Go's field names by number */
  readonly fields: Readonly<Record<number, string>>;
  /** repeated numbers may come packed */
  readonly packable: ReadonlySet<number>;
}

export function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}

function negativeLength(): DecodeError {
  return new DecodeError('proto: negative length found during unmarshaling');
}

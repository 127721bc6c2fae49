const initialCapacity = 64 * 1024;
/** A buffer that one huge object has grown is given back instead of being kept for good. */
const keptCapacity = 4 * 1024 * 1024;
const shortString = 40;

/**
 * Writes a message from its end to its beginning. That way the length of a nested message is known when its prefix is written, and
 * nothing is measured twice or moved.
 */
export class ReverseWriter {
  #buffer: Buffer;
  #position: number;

  /** the JSON of a set of fields that was written before; undefined: it is not known */
  readonly knownText: (set: unknown) => string | undefined;

  constructor(capacity: number = initialCapacity, knownText: (set: unknown) => string | undefined = () => undefined) {
    this.knownText = knownText;
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
    this.#position = capacity;
  }

  /** Starts anew. */
  reset(): void {
    if (this.#buffer.length > keptCapacity) this.#buffer = Buffer.allocUnsafeSlow(initialCapacity);
    this.#position = this.#buffer.length;
  }

  /** A copy of everything written since the reset. */
  finish(out = Buffer.allocUnsafe(this.size)): Buffer {
    this.#buffer.copy(out, 0, this.#position);
    return out;
  }

  /** Bytes written so far; taken before a nested message, it gives `lengthSince` what it needs. */
  get size(): number {
    return this.#buffer.length - this.#position;
  }

  lengthSince(mark: number): void {
    this.varint(this.size - mark);
  }

  byte(value: number): void {
    if (this.#position === 0) this.#grow(1);
    this.#buffer[--this.#position] = value;
  }

  /** A tag of two bytes, for fields from 16 on. */
  tag2(first: number, second: number): void {
    if (this.#position < 2) this.#grow(2);
    this.#buffer[--this.#position] = second;
    this.#buffer[--this.#position] = first;
  }

  /** A non-negative integer below 2^53. */
  varint(value: number): void {
    if (this.#position < 10) this.#grow(10);
    const buffer = this.#buffer;
    if (value < 0x80) {
      buffer[--this.#position] = value;
    } else if (value < 0x4000) {
      buffer[--this.#position] = value >>> 7;
      buffer[--this.#position] = (value & 0x7f) | 0x80;
    } else {
      let length = 3;
      for (let rest = Math.floor(value / 0x200000); rest > 0; rest = Math.floor(rest / 0x80)) length++;
      let at = (this.#position -= length);
      let rest = value;
      while (rest >= 0x80) {
        buffer[at++] = (rest % 0x80) | 0x80;
        rest = Math.floor(rest / 0x80);
      }
      buffer[at] = rest;
    }
  }

  /** int32 and int64: negative numbers take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) this.varint(value);
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
  }

  #bigVarint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    for (let i = bytes.length - 1; i >= 0; i--) this.byte(bytes[i] as number);
  }

  double(value: number): void {
    if (this.#position < 8) this.#grow(8);
    this.#position -= 8;
    this.#buffer.writeDoubleLE(value, this.#position);
  }

  float(value: number): void {
    if (this.#position < 4) this.#grow(4);
    this.#position -= 4;
    this.#buffer.writeFloatLE(value, this.#position);
  }

  /** Length and content of a string. */
  string(value: string): void {
    const characters = value.length;
    if (characters > shortString || !this.#shortAscii(value, characters)) this.#longString(value);
  }

  #shortAscii(value: string, characters: number): boolean {
    if (this.#position <= characters) this.#grow(characters + 1);
    const buffer = this.#buffer;
    let at = this.#position;
    for (let i = characters - 1; i >= 0; i--) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) return false;
      buffer[--at] = code;
    }
    buffer[--at] = characters;
    this.#position = at;
    return true;
  }

  #longString(value: string): void {
    const length = Buffer.byteLength(value, 'utf8');
    if (this.#position < length) this.#grow(length);
    this.#position -= length;
    this.#buffer.write(value, this.#position, length, 'utf8');
    this.varint(length);
  }

  /** Length and content of bytes that JSON holds as base64. */
  base64(value: string): void {
    this.raw(Buffer.from(value, 'base64'));
  }

  /** Length and content of bytes. */
  raw(bytes: Uint8Array): void {
    this.rawContent(bytes);
    this.varint(bytes.length);
  }

  /** Bytes without a length. */
  rawContent(bytes: Uint8Array): void {
    if (this.#position < bytes.length) this.#grow(bytes.length);
    this.#position -= bytes.length;
    this.#buffer.set(bytes, this.#position);
  }

  #grow(needed: number): void {
    const written = this.size;
    const capacity = Math.max(this.#buffer.length * 2, written + needed);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(larger, capacity - written, this.#position);
    this.#buffer = larger;
    this.#position = capacity - written;
  }
}

/**
 * The little of protobuf's wire format that gRPC peers of ours need: varints, bytes, strings, nested messages.
 * Messages are written and read by hand with field numbers; unknown fields are skipped.
 */

const varintType = 0;
const fixed64Type = 1;
const bytesType = 2;
const fixed32Type = 5;

export class ProtoWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(sizeHint = 256) {
    this.#buffer = Buffer.allocUnsafe(sizeHint);
  }

  /** Zero is the default of proto3 and is left out. */
  int(field: number, value: number): this {
    return value === 0 ? this : this.presentInt(field, value);
  }

  /** Like `int`, but writes zero too: members of a oneof are present even when zero. */
  presentInt(field: number, value: number): this {
    this.#reserve(20);
    this.#varint(field * 8 + varintType);
    if (value < 0) this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    else this.#varint(value);
    return this;
  }

  bigInt(field: number, value: bigint): this {
    if (value === 0n) return this;
    this.#reserve(20);
    this.#varint(field * 8 + varintType);
    this.#bigVarint(BigInt.asUintN(64, value));
    return this;
  }

  fixed64(field: number, value: bigint): this {
    this.#reserve(20);
    this.#varint(field * 8 + fixed64Type);
    this.#buffer.writeBigUInt64LE(value, this.#length);
    this.#length += 8;
    return this;
  }

  bool(field: number, value: boolean): this {
    return this.int(field, value ? 1 : 0);
  }

  /** A sint64, which small negative numbers keep short; written even when zero. */
  signed(field: number, value: number): this {
    return this.presentInt(field, value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Written even when zero. */
  double(field: number, value: number): this {
    this.#reserve(20);
    this.#varint(field * 8 + fixed64Type);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    return value.length === 0 ? this : this.presentBytes(field, value);
  }

  /** Like `bytes`, but writes an empty value too: keys and values of maps are always present. */
  presentBytes(field: number, value: Uint8Array): this {
    this.#reserve(20 + value.length);
    this.#varint(field * 8 + bytesType);
    this.#varint(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  string(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, Buffer.from(value));
  }

  /** A nested message, present even when empty. */
  message(field: number, write: (writer: this) => void): this {
    this.#reserve(20);
    this.#varint(field * 8 + bytesType);
    const lengthAt = this.#length;
    this.#length += 1;
    write(this);
    const length = this.#length - lengthAt - 1;
    const extra = varintLength(length) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#buffer.copyWithin(lengthAt + 1 + extra, lengthAt + 1, this.#length);
    }
    this.#length = lengthAt;
    this.#varint(length);
    this.#length += length;
    return this;
  }

  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 0x80n) {
      this.#buffer[this.#length++] = Number(rest & 0x7fn) + 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#length++] = Number(rest);
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

/** Thrown for bytes that are not protobuf; the texts are those of Go's runtime where clients can see them. */
export class ProtoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtoError';
  }
}

export class ProtoReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;
  #wireType = 0;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  /** Number of the next field, 0 at the end. Each field must be read with one of the methods below, or skipped. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.#varint();
    this.#wireType = tag % 8;
    const field = Math.floor(tag / 8);
    if (field === 0) throw new ProtoError('proto: cannot parse invalid wire-format data');
    return field;
  }

  /** An int64 that stays below 2^53 (revisions, counts); negative ones come out negative. */
  int(): number {
    this.#expect(varintType);
    const start = this.#at;
    const value = this.#varint();
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    this.#at = start;
    return Number(BigInt.asIntN(64, this.#bigVarint()));
  }

  bigInt(): bigint {
    this.#expect(varintType);
    return BigInt.asIntN(64, this.#bigVarint());
  }

  bool(): boolean {
    return this.int() !== 0;
  }

  /** A repeated integer: the packed ones of this field, or one by itself. */
  ints(): number[] {
    if (this.#wireType === varintType) return [this.int()];
    const end = this.#lengthDelimited();
    const packed = new ProtoReader(this.#buffer, this.#at, end);
    const values: number[] = [];
    while (packed.#at < end) values.push(packed.#varint());
    this.#at = end;
    return values;
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const end = this.#lengthDelimited();
    const value = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  string(): string {
    const end = this.#lengthDelimited();
    const value = this.#buffer.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }

  /** A reader of the nested message. */
  message(): ProtoReader {
    const end = this.#lengthDelimited();
    const nested = new ProtoReader(this.#buffer, this.#at, end);
    this.#at = end;
    return nested;
  }

  skip(): void {
    if (this.#wireType === varintType) this.#varint();
    else if (this.#wireType === bytesType) this.#at = this.#lengthDelimited();
    else if (this.#wireType === fixed64Type) this.#at += 8;
    else if (this.#wireType === fixed32Type) this.#at += 4;
    else throw new ProtoError('proto: cannot parse invalid wire-format data');
    if (this.#at > this.#end) throw new ProtoError('unexpected EOF');
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType) throw new ProtoError('proto: cannot parse invalid wire-format data');
  }

  #lengthDelimited(): number {
    this.#expect(bytesType);
    const end = this.#varint() + this.#at;
    if (end > this.#end) throw new ProtoError('unexpected EOF');
    return end;
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.#at >= this.#end) throw new ProtoError('unexpected EOF');
      const byte = this.#buffer[this.#at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new ProtoError('proto: variable length integer overflow');
  }

  #bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= this.#end) throw new ProtoError('unexpected EOF');
      const byte = this.#buffer[this.#at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtoError('proto: variable length integer overflow');
  }
}

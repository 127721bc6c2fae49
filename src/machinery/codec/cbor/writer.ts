// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/cbor/internal/modes/encode.go
import type { Steps } from '../../../base/steps.ts';
import type { Type } from '../../type-model.ts';
import { Entries } from '../json/runtime.ts';
import { major, nullByte, selfDescribed } from './head.ts';

/** What lies deeper is written at once: there is no room for much of it. */
const deepestSteps = 8;
const entriesInStep = 256;

/** Keys of maps in the order of RFC 8949, or beginning anywhere, so that no client comes to rely on an order. */
export type MapOrder = 'sorted' | 'shuffled';

/** Writes the encoding of RFC 8949 with upstream's choices: text as byte strings, []byte as tagged byte strings. */
export class CborWriter {
  readonly #order: MapOrder;
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  constructor(order: MapOrder) {
    this.#order = order;
  }

  /** What has been written, as a buffer of its own. */
  take(): Buffer {
    const result = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return result;
  }

  selfDescribed(): this {
    for (const byte of selfDescribed) this.#byte(byte);
    return this;
  }

  raw(bytes: Buffer): this {
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
    return this;
  }

  /** A map of values that are encoded already. */
  encodedMap(pairs: readonly (readonly [key: string, value: Buffer])[]): this {
    this.#head(major.map, pairs.length);
    const first = this.#firstOf(pairs.length);
    for (const [key, value] of [...pairs.slice(first), ...pairs.slice(0, first)]) this.string(key).raw(value);
    return this;
  }

  /** What an array of as many items begins with. */
  arrayHead(items: number): this {
    this.#head(major.array, items);
    return this;
  }

  string(text: string): this {
    const size = Buffer.byteLength(text);
    this.#head(major.bytes, size);
    this.#reserve(size);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    return this;
  }

  /** A canonical JSON value. The type tells what JSON does not: which strings are bytes and which whole numbers are floats. */
  value(value: unknown, type: Type | undefined): this {
    switch (typeof value) {
      case 'string':
        return type?.kind === 'scalar' && type.scalar === 'bytes' ? this.#base64(value) : this.string(value);
      case 'number':
        return this.#number(value, type?.kind === 'scalar' && (type.scalar === 'float64' || type.scalar === 'float32'));
      case 'bigint':
        return this.#integer(value);
      case 'boolean':
        this.#byte(value ? 0xf5 : 0xf4);
        return this;
      default:
        if (value === null || value === undefined) this.#byte(nullByte);
        else if (Array.isArray(value)) this.#list(value, elementOf(type));
        else this.#map(value, type);
        return this;
    }
  }

  /** The same for what may be large. */
  *writing(value: unknown, type: Type | undefined, depth = 0): Steps<void> {
    if (typeof value !== 'object' || value === null || depth === deepestSteps) {
      this.value(value, type);
      return;
    }
    let written = 0;
    if (Array.isArray(value)) {
      this.#head(major.array, value.length);
      const element = elementOf(type);
      for (const item of value as readonly unknown[]) {
        yield* this.writing(item, element, depth + 1);
        if (++written % entriesInStep === 0) yield;
      }
      return;
    }
    for (const [key, item] of this.#mapEntries(value)) {
      this.string(key);
      if (typeof item === 'object') yield* this.writing(item, memberOf(type, key), depth + 1);
      else this.value(item, memberOf(type, key));
      if (++written % entriesInStep === 0) yield;
    }
  }

  #list(items: readonly unknown[], element: Type | undefined): void {
    this.#head(major.array, items.length);
    for (const item of items) this.value(item, element);
  }

  #map(object: object, type: Type | undefined): void {
    for (const [key, value] of this.#mapEntries(object)) this.string(key).value(value, memberOf(type, key));
  }

  /** In the order in which they are to be written, after the head of their map. */
  #mapEntries(object: object): readonly (readonly [string, unknown])[] {
    const entries = object instanceof Entries ? [...object.entries] : Object.entries(object);
    this.#head(major.map, entries.length);
    if (this.#order === 'sorted') return entries.sort(([left], [right]) => compareKeys(left, right));
    const first = this.#firstOf(entries.length);
    return first === 0 ? entries : [...entries.slice(first), ...entries.slice(0, first)];
  }

  /** Which of the pairs of a map is written first. */
  #firstOf(pairs: number): number {
    return this.#order === 'sorted' ? 0 : Math.floor(Math.random() * pairs);
  }

  #base64(text: string): this {
    const bytes = Buffer.from(text, 'base64');
    this.#byte(0xd6);
    this.#head(major.bytes, bytes.length);
    return this.raw(bytes);
  }

  #number(value: number, float: boolean): this {
    if (!float && Number.isSafeInteger(value) && !Object.is(value, -0)) return this.#integer(BigInt(value));
    return this.#float(value);
  }

  #integer(value: bigint): this {
    if (value >= 0n) this.#head(major.unsigned, value);
    else this.#head(major.negative, -1n - value);
    return this;
  }

  /** The shortest of the three widths that keeps the value. */
  #float(value: number): this {
    this.#reserve(9);
    const half = halfBits(value);
    if (half !== undefined) {
      this.#byte(0xf9);
      this.#length = this.#bytes.writeUInt16BE(half, this.#length);
    } else if (Math.fround(value) === value) {
      this.#byte(0xfa);
      this.#length = this.#bytes.writeFloatBE(value, this.#length);
    } else {
      this.#byte(0xfb);
      this.#length = this.#bytes.writeDoubleBE(value, this.#length);
    }
    return this;
  }

  #head(type: number, argument: number | bigint): void {
    this.#reserve(9);
    const first = type << 5;
    if (argument < 24) {
      this.#byte(first | Number(argument));
    } else if (argument <= 0xff) {
      this.#byte(first | 24);
      this.#byte(Number(argument));
    } else if (argument <= 0xffff) {
      this.#byte(first | 25);
      this.#length = this.#bytes.writeUInt16BE(Number(argument), this.#length);
    } else if (argument <= 0xffffffff) {
      this.#byte(first | 26);
      this.#length = this.#bytes.writeUInt32BE(Number(argument), this.#length);
    } else {
      this.#byte(first | 27);
      this.#length = this.#bytes.writeBigUInt64BE(BigInt(argument), this.#length);
    }
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Shorter keys first, then by their bytes: the order of the encoded keys. */
function compareKeys(left: string, right: string): number {
  const difference = Buffer.byteLength(left) - Buffer.byteLength(right);
  return difference !== 0 ? difference : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function elementOf(type: Type | undefined): Type | undefined {
  if (type?.kind === 'variant') return type.array?.element;
  return type?.kind === 'list' ? type.element : undefined;
}

function memberOf(type: Type | undefined, key: string): Type | undefined {
  switch (type?.kind) {
    case 'struct':
      return type.byName.get(key)?.type;
    case 'variant':
      return type.object.byName.get(key)?.type;
    case 'map':
      return type.value;
    default:
      return undefined;
  }
}

/** The bits of a 16-bit float with exactly this value, if there is one. */
function halfBits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size > 65504 || size < 2 ** -24) return undefined;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const fraction = (size / 2 ** exponent) * 1024;
  if (!Number.isInteger(fraction)) return undefined;
  return sign | (exponent === -14 && fraction < 1024 ? fraction : ((exponent + 15) << 10) | (fraction - 1024));
}

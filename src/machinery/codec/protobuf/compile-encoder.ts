import type { ListType, MapType, ProtoField, ScalarName, StructType, Type, VariantType } from '../../type-model.ts';
import * as messageScalars from './message-scalars.ts';
import type { MessageScalar } from './message-scalars.ts';
import { sortedKeys } from './sorted-keys.ts';
import type { ReverseWriter } from './writer.ts';

export type Encoder = (writer: ReverseWriter, value: Readonly<Record<string, unknown>>) => void;

/** Gives the encoder of another message; it may still be under construction, so it is fetched when it is called. */
export type EncoderOf = (type: StructType) => { encode: Encoder };

const wireTypes: Partial<Record<ScalarName, 0 | 1 | 2 | 5>> = {
  bool: 0,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  float64: 1,
  float32: 5,
  string: 2,
  bytes: 2,
};

const zeros: Partial<Record<ScalarName, string>> = { bool: 'false', string: "''" };

export function messageScalarOf(scalar: ScalarName): MessageScalar | undefined {
  return (messageScalars as Partial<Record<ScalarName, MessageScalar>>)[scalar];
}

/**
 * Makes the function that writes one message, fields from the highest number down because the writer goes backwards. Zero scalars
 * that are no pointers are written, as gogo-proto does for fields that cannot be null.
 */
export function compileEncoder(type: StructType, encoderOf: EncoderOf): Encoder {
  const source = new EncoderSource(encoderOf);
  for (const field of type.proto.toReversed()) source.field(field);
  return source.compile();
}

export function compileVariantEncoder(type: VariantType, encoderOf: EncoderOf): Encoder {
  const source = new EncoderSource(encoderOf);
  source.variant(type);
  return source.compile();
}

class EncoderSource {
  readonly #lines: string[] = [];
  readonly #constants: unknown[] = [];
  readonly #encoderOf: EncoderOf;

  constructor(encoderOf: EncoderOf) {
    this.#encoderOf = encoderOf;
  }

  compile(): Encoder {
    const body = `'use strict';\nreturn function encode(w, o) {\n${this.#lines.join('\n')}\n};`;
    const parameters = this.#constants.map((_, i) => `c${i}`);
    // The text holds nothing but field names of our own tables, quoted, and numbers.
    const make = new Function('sortedKeys', ...parameters, body) as (...given: unknown[]) => Encoder;
    return make(sortedKeys, ...this.#constants);
  }

  #constant(value: unknown): string {
    this.#constants.push(value);
    return `c${this.#constants.length - 1}`;
  }

  #emit(line: string): void {
    this.#lines.push(line);
  }

  field({ number, field, inline }: ProtoField): void {
    const { type } = field;
    if (inline) {
      this.#message(type, number, 'o');
      return;
    }
    this.#emit(`{ const v = o[${JSON.stringify(field.name)}];`);
    if (type.kind === 'map') this.#map(type, number);
    else if (type.kind === 'list' && type.message === undefined) this.#list(type, number);
    else if (field.pointer || isNilable(type)) {
      this.#emit('if (v !== undefined && v !== null) {');
      this.#value(type, number, 'v');
      this.#emit('}');
    } else this.#value(type, number, 'v');
    this.#emit('}');
  }

  variant(type: VariantType): void {
    // Written in the order of descending numbers, whichever shape has which.
    const parts: [number, () => void][] = [[type.proto.object, () => this.#variantObject(type)]];
    const { array, bool } = type.proto;
    if (array !== undefined && type.array !== undefined) {
      const list = type.array;
      parts.push([array, () => this.#variantArray(list, array)]);
    }
    if (bool !== undefined) {
      parts.push([bool, () => this.#emit(`w.byte(o === false || o === undefined || o === null ? 0 : 1); ${this.#tag(bool, 0)}`)]);
    }
    for (const [, write] of parts.toSorted(([a], [b]) => b - a)) write();
  }

  #variantObject(type: VariantType): void {
    this.#emit(`if (typeof o === 'object' && o !== null && !Array.isArray(o)) {`);
    this.#message(type.object, type.proto.object, 'o');
    this.#emit('}');
  }

  #variantArray(list: ListType, number: number): void {
    this.#emit('if (Array.isArray(o)) { const v = o;');
    this.#list(list, number);
    this.#emit('}');
  }

  #value(type: Type, number: number, v: string): void {
    if (type.kind !== 'scalar' || messageScalarOf(type.scalar) !== undefined) {
      this.#message(type, number, v);
      return;
    }
    const { scalar } = type;
    const wireType = wireTypes[scalar];
    if (wireType === undefined) throw new Error(`${scalar} has no form in protobuf`);
    const given = `(${v} === undefined || ${v} === null ? ${zeros[scalar] ?? '0'} : ${v})`;
    this.#emit(`${scalarCall(scalar, given)}; ${this.#tag(number, wireType)}`);
  }

  /** A nested message: content, length, tag. */
  #message(type: Type, number: number, v: string): void {
    this.#emit('{ const m = w.size;');
    this.#content(type, v);
    this.#emit(`w.lengthSince(m); ${this.#tag(number, 2)} }`);
  }

  #content(type: Type, v: string): void {
    if (type.kind === 'struct') {
      const encoder = this.#constant(this.#encoderOf(type));
      this.#emit(`${encoder}.encode(w, ${v} ?? {});`);
    } else if (type.kind === 'variant') {
      this.#emit(`${this.#constant({ encode: compileVariantEncoder(type, this.#encoderOf) })}.encode(w, ${v});`);
    } else if (type.kind === 'list') {
      this.#emit(`if (${v} !== undefined && ${v} !== null) for (let j = ${v}.length - 1; j >= 0; j--) {`);
      this.#value(type.element, 1, `${v}[j]`);
      this.#emit('}');
    } else if (type.kind === 'scalar') {
      this.#emit(`${this.#constant(messageScalarOf(type.scalar))}.write(w, ${v});`);
    } else throw new Error('a map is no message');
  }

  #list(type: ListType, number: number): void {
    this.#emit('if (v !== undefined && v !== null) for (let i = v.length - 1; i >= 0; i--) { const e = v[i];');
    this.#value(type.element, number, 'e');
    this.#emit('}');
  }

  #map(type: MapType, number: number): void {
    this.#emit('if (v !== undefined && v !== null) { const k = sortedKeys(v);');
    this.#emit('for (let i = k.length - 1; i >= 0; i--) { const e = v[k[i]]; const n = w.size;');
    const nilable = isNilable(type.value) || (type.value.kind === 'scalar' && type.value.scalar === 'bytes');
    if (nilable) this.#emit('if (e !== undefined && e !== null) {');
    this.#value(type.value, 2, 'e');
    if (nilable) this.#emit('}');
    this.#emit(`w.string(k[i]); w.byte(10); w.lengthSince(n); ${this.#tag(number, 2)} } }`);
  }

  #tag(number: number, wireType: number): string {
    const tag = number * 8 + wireType;
    if (tag < 0x80) return `w.byte(${tag});`;
    if (tag < 0x4000) return `w.tag2(${(tag & 0x7f) | 0x80}, ${tag >>> 7});`;
    return `w.varint(${tag});`;
  }
}

/** nil differs from empty: []byte and the lists that are messages of their own. */
function isNilable(type: Type): boolean {
  return type.kind === 'list' || (type.kind === 'scalar' && type.scalar === 'bytes');
}

function scalarCall(scalar: ScalarName, v: string): string {
  switch (scalar) {
    case 'string':
      return `w.string(${v})`;
    case 'bytes':
      return `w.base64(${v})`;
    case 'bool':
      return `w.byte(${v} ? 1 : 0)`;
    case 'float64':
      // a large one may have been read as an integer, where no type was declared
      return `w.double(Number(${v}))`;
    case 'float32':
      return `w.float(${v})`;
    default:
      return `w.integer(${v})`;
  }
}

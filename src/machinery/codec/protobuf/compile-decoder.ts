import type { Field, ListType, ProtoField, ScalarName, StructType, Type, VariantType } from '../../type-model.ts';
import { compileVariantDecoder, readMessageList } from './variant-decoder.ts';
import { messageScalarOf } from './compile-encoder.ts';
import type { MessageNames, Reader } from './reader.ts';

export type Decoder = (reader: Reader, end: number, typeMeta?: TypeMeta) => Record<string, unknown>;

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Gives the decoder of another message; it may still be under construction, so it is fetched when it is called. */
export type DecoderOf = (type: StructType) => { decode: Decoder };

const wireTypes: Partial<Record<ScalarName, number>> = { bool: 0, int32: 0, int64: 0, uint32: 0, uint64: 0, float64: 1, float32: 5 };

/** What JSON shows of a value that is not set; everything else shows null. */
const zeros: Partial<Record<ScalarName, string>> = {
  string: "''",
  bool: 'false',
  int32: '0',
  int64: '0',
  uint32: '0',
  uint64: '0',
  float32: '0',
  float64: '0',
  quantity: "'0'",
  intOrString: '0',
};

/** Scalars that omitempty leaves out when they are zero. The others are structs in Go, which are never empty. */
const emptiable: ReadonlySet<ScalarName> = new Set(['string', 'bool', 'int32', 'int64', 'uint32', 'uint64', 'float32', 'float64', 'bytes']);

/**
 * Makes the function that reads one message. Values gather in local variables and the object is put together at the end, in the order
 * of declaration and with the zero values that JSON shows. Nested messages are read then as well: a message that came in several
 * parts has to be seen whole.
 */
export function compileDecoder(type: StructType, decoderOf: DecoderOf): Decoder {
  return new DecoderSource(type, decoderOf).compile();
}

class DecoderSource {
  readonly #type: StructType;
  readonly #decoderOf: DecoderOf;
  readonly #constants: unknown[] = [];
  readonly #locals: string[] = [];
  readonly #cases: string[] = [];
  readonly #packed: string[] = [];
  readonly #packable = new Set<number>();

  constructor(type: StructType, decoderOf: DecoderOf) {
    this.#type = type;
    this.#decoderOf = decoderOf;
  }

  compile(): Decoder {
    for (const field of this.#type.proto) this.#field(field);
    const build = this.#build();
    const names: MessageNames = {
      name: this.#type.name.slice(this.#type.name.lastIndexOf('.') + 1),
      fields: Object.fromEntries(this.#type.proto.map(({ number, goName }) => [number, goName])),
      packable: this.#packable,
    };
    const body = `'use strict';
return function decode(r, end, typeMeta) {
  const b = r.bytes;
  ${this.#locals.join('\n  ')}
  while (r.position < end) {
    const start = r.position;
    let tag = b[r.position++];
    if (tag >= 0x80) {
      const second = b[r.position];
      if (r.position < end && second < 0x80) { r.position++; tag = (tag & 0x7f) | (second << 7); } else tag = r.longTag(start, end);
    }
    switch (tag) {
${this.#cases.join('\n')}
      default: {
        const n = r.other(tag, start, end, names);
        ${this.#packed.join('\n        ')}
      }
    }
  }
  const o = {};
${build}
  return o;
};`;
    const parameters = this.#constants.map((_, i) => `c${i}`);
    // The text holds nothing but field names of our own tables, quoted, and numbers.
    const make = new Function('put', 'names', ...parameters, body) as (...given: unknown[]) => Decoder;
    return make(put, names, ...this.#constants);
  }

  #constant(value: unknown): string {
    this.#constants.push(value);
    return `c${this.#constants.length - 1}`;
  }

  #field({ number, field, inline }: ProtoField): void {
    const { type } = field;
    const v = `v${number}`;
    if (inline || type.kind === 'struct' || type.kind === 'variant') {
      this.#locals.push(`let s${number} = -1, e${number} = 0, p${number};`);
      this.#case(
        number,
        2,
        `const e = r.boundary(end); if (s${number} >= 0) (p${number} ??= [s${number}, e${number}]).push(r.position, e); s${number} = r.position; r.position = e${number} = e;`,
      );
      return;
    }
    this.#locals.push(`let ${v};`);
    if (type.kind === 'map') this.#map(type.value, number, v);
    else if (type.kind === 'list' && type.message === undefined) this.#list(type, number, v);
    else this.#case(number, wireTypeOf(type), this.#read(type, v, 'end'));
  }

  #case(number: number, wireType: number, body: string): void {
    this.#cases.push(`      case ${number * 8 + wireType}: { ${body} break; }`);
  }

  #list(type: ListType, number: number, v: string): void {
    const { element } = type;
    const wireType = wireTypeOf(element);
    this.#case(number, wireType, `let x; ${this.#read(element, 'x', 'end')} if (${v} === undefined) ${v} = [x]; else ${v}.push(x);`);
    if (wireType === 2) return;
    this.#packable.add(number);
    this.#packed.push(
      `if (n === ${number}) { const e = r.boundary(end); while (r.position < e) { let x; ${this.#read(element, 'x', 'end')} (${v} ??= []).push(x); } }`,
    );
  }

  /** Upstream does not look at wire types inside an entry, and bounds what it reads by the message, not by the entry. */
  #map(value: Type, number: number, v: string): void {
    this.#case(
      number,
      2,
      `const e = r.boundary(end); let k = '', x;
        while (r.position < e) {
          const from = r.position;
          let t = b[r.position++];
          if (t >= 0x80) t = r.longTag(from, end);
          t = Math.floor(t / 8);
          if (t === 1) k = r.string(end);
          else if (t === 2) { ${this.#read(value, 'x', 'end')} }
          else r.skipWithin(from, end, e);
        }
        put(${v} ??= {}, k, x === undefined ? ${this.#mapZero(value)} : x); r.position = e;`,
    );
  }

  #mapZero(value: Type): string {
    if (value.kind === 'struct') return `r.nested(${this.#constant(this.#decoderOf(value))}.decode, 0, 0)`;
    if (value.kind === 'scalar' && value.scalar === 'bytes') return "''";
    return value.kind === 'list' ? '[]' : zeroOf(value);
  }

  /** Statements that read a value into a variable, the reader standing behind the tag. */
  #read(type: Type, into: string, end: string): string {
    if (type.kind === 'struct') {
      return `{ const to = r.boundary(${end}); ${into} = r.nested(${this.#constant(this.#decoderOf(type))}.decode, r.position, to); r.position = to; }`;
    }
    if (type.kind === 'variant') {
      return `{ const to = r.boundary(${end}); ${into} = r.nested(${this.#variant(type)}, r.position, to); r.position = to; }`;
    }
    if (type.kind === 'list') {
      const read = this.#constant(readMessageList(type));
      return `{ const to = r.boundary(${end}); ${into} = ${read}(r, to, ${into} ?? []); r.position = to; }`;
    }
    if (type.kind === 'map') throw new Error('protobuf has no lists or maps of maps');
    const message = messageScalarOf(type.scalar);
    if (message !== undefined) {
      return `{ const to = r.boundary(${end}); ${into} = ${this.#constant(message)}.read(r, to); r.position = to; }`;
    }
    return `${into} = r.${readerMethod(type.scalar)}(${end});`;
  }

  #variant(type: VariantType): string {
    return this.#constant(compileVariantDecoder(type, this.#decoderOf));
  }

  /** Statements that put the object together. */
  #build(): string {
    const own = new Map<Field, ProtoField>(this.#type.proto.map((proto) => [proto.field, proto]));
    const inlined = new Map<Field, ProtoField>();
    for (const proto of this.#type.proto) {
      if (proto.inline && proto.field.type.kind === 'struct') for (const field of proto.field.type.fields) inlined.set(field, proto);
    }
    const lines: string[] = [];
    const done = new Set<ProtoField>();
    if (this.#type.byName.has('kind') && !own.has(this.#type.byName.get('kind') as Field)) {
      lines.push('if (typeMeta !== undefined) { o.kind = typeMeta.kind; o.apiVersion = typeMeta.apiVersion; }');
    }
    for (const field of this.#type.fields) {
      const proto = own.get(field);
      const inline = inlined.get(field);
      if (proto !== undefined) lines.push(this.#assign(proto));
      else if (inline !== undefined && !done.has(inline)) {
        done.add(inline);
        lines.push(`{ const x = ${this.#nested(inline)}; for (const k in x) o[k] = x[k]; }`);
      }
    }
    return lines.map((line) => `  ${line}`).join('\n');
  }

  #nested({ number, field }: ProtoField): string {
    const { type } = field;
    const decoder = type.kind === 'variant' ? this.#variant(type) : `${this.#constant(this.#decoderOf(type as StructType))}.decode`;
    const absent = field.pointer ? 'undefined' : type.kind === 'variant' ? zeroOf(type) : `r.nested(${decoder}, 0, 0)`;
    return `s${number} < 0 ? ${absent} : p${number} === undefined ? r.nested(${decoder}, s${number}, e${number}) : r.joined(${decoder}, p${number})`;
  }

  #assign(proto: ProtoField): string {
    const { field, number } = proto;
    const { type, omit, pointer } = field;
    const target = `o[${JSON.stringify(field.name)}]`;
    if (type.kind === 'struct' || type.kind === 'variant') {
      if (!pointer && omit === 'zero') throw new Error(`${this.#type.name}.${field.name}: omitzero of a struct`);
      const value = this.#nested(proto);
      if (!pointer) return `${target} = ${value};`;
      return omit === 'never' ? `${target} = (${value}) ?? null;` : `if (s${number} >= 0) ${target} = ${value};`;
    }
    const v = `v${number}`;
    if (pointer || type.kind !== 'scalar') {
      return omit === 'never' ? `${target} = ${v} === undefined ? null : ${v};` : `if (${v} !== undefined) ${target} = ${v};`;
    }
    const zero = zeroOf(type);
    if (omit === 'zero' || (omit === 'empty' && emptiable.has(type.scalar))) {
      const empty = type.scalar === 'bytes' ? "''" : zero;
      return `if (${v} !== undefined && ${v} !== ${empty}) ${target} = ${v};`;
    }
    return `${target} = ${v} === undefined ? ${zero} : ${v};`;
  }
}

function zeroOf(type: Type): string {
  if (type.kind === 'variant') return type.bool ? 'false' : 'null';
  return type.kind === 'scalar' ? (zeros[type.scalar] ?? 'null') : 'null';
}

function wireTypeOf(type: Type): number {
  return type.kind === 'scalar' ? (wireTypes[type.scalar] ?? 2) : 2;
}

function readerMethod(scalar: ScalarName): string {
  switch (scalar) {
    case 'bytes':
      return 'base64';
    case 'float64':
      return 'double';
    case 'float32':
      return 'float';
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
      return scalar;
    default:
      throw new Error(`${scalar} has no form in protobuf`);
  }
}

/** Assigning `__proto__` would set the prototype. */
function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

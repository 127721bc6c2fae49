import type { Field, ListType, MapType, ScalarName, ScalarType, StructType, Type, VariantType } from '../../type-model.ts';
import { markDistinct } from '../../go-distinctions.ts';
import { canBeEmpty, zeroOf } from './go-types.ts';
import { bail, isEmptyMap, orderMap, plainKeys, readers } from './runtime.ts';

/**
 * What a compiled function does with an object:
 * - `read` checks what JSON.parse gave, throws `bail` on anything that is not plainly right, and counts the keys it used;
 * - `fill` completes an object whose values are known to be right: order, zero values, what the encoder leaves out;
 * - `write` does the same on a copy, with map keys sorted.
 */
export type Purpose = 'read' | 'fill' | 'write';

/** Travels along with one object. */
export interface Pass {
  /** keys used so far */
  keys: number;
  /** the result holds something that JSON.stringify would write wrongly */
  manual: boolean;
  /** the map that was written last has nothing in it */
  empty: boolean;
  /** written as it will be read back from protobuf */
  readonly stored: boolean;
}

export type Transform = (value: unknown, pass: Pass) => unknown;

/** Functions compiled per type on first use. The codec owns one for each purpose; nothing is global. */
export class Compiler {
  readonly #purpose: Purpose;
  readonly #structs = new WeakMap<StructType, Transform>();

  constructor(purpose: Purpose) {
    this.#purpose = purpose;
  }

  struct(type: StructType): Transform {
    let transform = this.#structs.get(type);
    if (transform === undefined) {
      transform = this.#compileStruct(type);
      this.#structs.set(type, transform);
    }
    return transform;
  }

  #compileStruct(type: StructType): Transform {
    const body = new BodyWriter(this.#purpose, this);
    body.struct(type);
    return body.build(type.name);
  }

  value(type: Type): Transform {
    if (type.kind === 'struct') return this.struct(type);
    const body = new BodyWriter(this.#purpose, this);
    body.value(type);
    return body.build('value');
  }
}

/** Scalars that need no conversion once their type is right. */
const plainScalars: ReadonlySet<ScalarName> = new Set(['string', 'bool', 'int32', 'int64', 'uint32', 'uint64', 'float32', 'float64']);

class BodyWriter {
  readonly #purpose: Purpose;
  readonly #compiler: Compiler;
  readonly #lines: string[] = [];
  readonly #references: Transform[] = [];
  readonly #indexes = new Map<Type, number>();
  #names = 0;

  constructor(purpose: Purpose, compiler: Compiler) {
    this.#purpose = purpose;
    this.#compiler = compiler;
  }

  struct(type: StructType): void {
    if (this.#purpose === 'read') this.#add(`if (typeof o !== 'object' || o === null || isArray(o)) throw bail;`);
    this.#add('const r = {}; let v; let n = 0; let m = 0;');
    for (const field of type.fields) this.#field(field);
    if (this.#purpose === 'read') this.#add('p.keys += n;');
    this.#add('return r;');
  }

  value(type: Type): void {
    this.#add('let v = o; let n = 0; let m = 0;');
    this.#convert(type, 'v');
    if (this.#purpose === 'read') this.#add('p.keys += n;');
    this.#add('return v;');
  }

  build(name: string): Transform {
    const environment = {
      isArray: Array.isArray,
      bail,
      isEmptyMap,
      markDistinct,
      orderMap,
      plainKeys,
      f: this.#references,
      readers,
      empty: Object.freeze({}),
    };
    const source = `'use strict'; return function ${name.replace(/\W/g, '_')}(o, p) { ${this.#lines.join('\n')} }`;
    // eslint-disable-next-line no-new-func -- the point of this file: property access that V8 can cache per type
    return new Function(...Object.keys(environment), source)(...Object.values(environment)) as Transform;
  }

  #field(field: Field): void {
    const key = JSON.stringify(field.name);
    // names that every object inherits must be asked for as own properties
    this.#add(field.name in {} ? `v = Object.hasOwn(o, ${key}) ? o[${key}] : undefined;` : `v = o[${key}];`);
    this.#add(this.#purpose === 'read' ? 'if (v !== undefined && (n++, v !== null)) {' : 'if (v != null) {');
    this.#convert(field.type, 'v');
    if (this.#purpose === 'write' && field.omit === 'never' && !field.pointer) this.#dropEmpty(field.type);
    const condition = this.#presence(field);
    this.#add(`${condition === '' ? '' : `if (${condition}) `}r[${key}] = v;`);
    if (condition !== '' && this.#purpose !== 'write' && isReference(field.type)) {
      this.#add(`else markDistinct(r, ${key});`);
    }
    this.#add('}');
    // a pointer to a variant that holds nothing: the only null that is a value
    if (field.pointer && field.type.kind === 'variant' && this.#purpose !== 'read') this.#add(`else if (v === null) r[${key}] = null;`);
    const zero = this.#zero(field);
    const unlike = field.type.kind === 'scalar' && field.type.scalar === 'quantity' && !field.pointer && this.#purpose === 'read';
    if (zero !== '') this.#add(`else { r[${key}] = ${zero};${unlike ? ` markDistinct(r, ${key});` : ''} }`);
  }

  /** Protobuf has no empty lists and maps: what was stored in it is read back as none, which JSON shows as null. */
  #dropEmpty({ kind }: Type): void {
    if (kind === 'list') this.#add('if (p.stored && v.length === 0) v = null;');
    if (kind === 'map') this.#add('if (p.stored && p.empty) v = null;');
  }

  /** The condition under which a value that is not null is written. */
  #presence(field: Field): string {
    const { type, omit } = field;
    if (field.pointer || omit === 'never') return '';
    if (type.kind === 'struct') return omit === 'zero' ? `JSON.stringify(v) !== JSON.stringify(${this.#reference(type)}(empty, p))` : '';
    if (type.kind === 'list') return omit === 'empty' ? 'v.length !== 0' : '';
    if (type.kind === 'map') return omit === 'empty' ? this.#hasMembers() : '';
    if (type.kind === 'variant') return '';
    if (omit === 'zero') return zeroOf(type) === null ? 'v !== null' : `v !== ${JSON.stringify(zeroOf(type))}`;
    if (!canBeEmpty(field)) return '';
    return type.scalar === 'bytes' ? `v !== ''` : type.scalar === 'unknown' ? '' : `v !== ${JSON.stringify(zeroOf(type))}`;
  }

  /** Whether the map at hand has anything in it: to ask the map itself takes as long as it is large. */
  #hasMembers(): string {
    if (this.#purpose === 'read') return 'm !== 0';
    return this.#purpose === 'write' ? '!p.empty' : '!isEmptyMap(v)';
  }

  /** What is written when there is no value; nothing when the field is left out. */
  #zero(field: Field): string {
    if (field.omit === 'zero' || (field.omit === 'empty' && canBeEmpty(field))) return '';
    return field.pointer ? 'null' : this.#zeroValue(field.type);
  }

  #zeroValue(type: Type): string {
    return type.kind === 'struct' ? `${this.#reference(type)}(empty, p)` : JSON.stringify(zeroOf(type));
  }

  /** Statements that turn the variable, which is not null, into its canonical form. */
  #convert(type: Type, name: string): void {
    switch (type.kind) {
      case 'struct':
        this.#add(`${name} = ${this.#reference(type)}(${name}, p);`);
        break;
      case 'list':
        this.#list(type, name);
        break;
      case 'map':
        this.#map(type, name);
        break;
      case 'variant':
        this.#variant(type, name);
        break;
      case 'scalar':
        this.#scalar(type, name);
    }
  }

  /** An empty list is none of the shapes, which is written as null. */
  #variant({ object, array, bool }: VariantType, name: string): void {
    this.#add(
      `if (typeof ${name} === 'object' && ${name} !== null && !isArray(${name})) ${name} = ${this.#reference(object)}(${name}, p);`,
    );
    if (array !== undefined) {
      this.#add(
        `else if (isArray(${name})) { ${name} = ${this.#reference(array)}(${name}, p); if (${name}.length === 0) ${name} = null; }`,
      );
    }
    if (this.#purpose === 'read') this.#add(`else ${bool ? `if (typeof ${name} !== 'boolean') ` : ''}throw bail;`);
  }

  #list({ element, elementNullable }: ListType, name: string): void {
    if (this.#purpose === 'read') this.#add(`if (!isArray(${name})) throw bail;`);
    else if (this.#isPlain(element)) return;
    const id = this.#names++;
    const target = this.#purpose === 'write' ? `t${id}` : name;
    if (this.#purpose === 'write') this.#add(`const t${id} = new Array(${name}.length);`);
    this.#add(`for (let i${id} = 0; i${id} < ${name}.length; i${id}++) { let e${id} = ${name}[i${id}];`);
    this.#add(`if (e${id} !== null) {`);
    this.#convert(element, `e${id}`);
    this.#add('}');
    if (!elementNullable) this.#add(`else e${id} = ${this.#zeroValue(element)};`);
    this.#add(`${target}[i${id}] = e${id}; }`);
    if (this.#purpose === 'write') this.#add(`${name} = t${id};`);
  }

  #map({ value }: MapType, name: string): void {
    if (this.#purpose === 'write') {
      this.#add(`${name} = orderMap(${name}, ${this.#isPlain(value) ? 'undefined' : this.#reference(value)}, p);`);
      return;
    }
    if (this.#purpose === 'read') this.#add(`if (typeof ${name} !== 'object' || isArray(${name})) throw bail;`);
    else if (this.#isPlain(value)) return;
    const id = this.#names++;
    if (this.#purpose === 'read') this.#add(`const m${id} = n;`);
    this.#add(`for (const k${id} in ${name}) { ${this.#purpose === 'read' ? 'n++; ' : ''}let e${id} = ${name}[k${id}];`);
    this.#add(`if (e${id} === null) ${name}[k${id}] = ${this.#zeroValue(value)}; else {`);
    this.#convert(value, `e${id}`);
    if (!this.#isPlain(value)) this.#add(`${name}[k${id}] = e${id};`);
    this.#add('} }');
    if (this.#purpose === 'read') this.#add(`m = n - m${id};`);
  }

  #scalar(type: ScalarType, name: string): void {
    const { scalar } = type;
    if (this.#purpose === 'read') this.#add(checkOf(scalar, name));
    // Go writes the sign of a negative zero
    else if (this.#purpose === 'write' && isFloat(scalar)) this.#add(`if (Object.is(${name}, -0)) p.manual = true;`);
  }

  #isPlain(type: Type): boolean {
    if (type.kind !== 'scalar') return false;
    if (this.#purpose === 'fill') return true;
    return this.#purpose === 'read' ? plainScalars.has(type.scalar) : !isFloat(type.scalar);
  }

  /** A callable expression for another type, compiled when it is first called so that recursive types end. */
  #reference(type: Type): string {
    let index = this.#indexes.get(type);
    if (index === undefined) {
      index = this.#references.length;
      const at = index;
      this.#indexes.set(type, at);
      this.#references.push((value, pass) => {
        const transform = this.#compiler.value(type);
        this.#references[at] = transform;
        return transform(value, pass);
      });
    }
    return `f[${index}]`;
  }

  #add(line: string): void {
    this.#lines.push(line);
  }
}

function isFloat(scalar: ScalarName): boolean {
  return scalar === 'float32' || scalar === 'float64';
}

/** A statement that throws `bail` unless the variable is plainly right, and brings it to canonical form. */
function checkOf(scalar: ScalarName, name: string): string {
  switch (scalar) {
    case 'string':
      return `if (typeof ${name} !== 'string') throw bail;`;
    case 'bool':
      return `if (typeof ${name} !== 'boolean') throw bail;`;
    case 'int32':
      return `if ((${name} | 0) !== ${name}) throw bail;`;
    case 'uint32':
      return `if (${name} >>> 0 !== ${name}) throw bail;`;
    case 'int64':
      return `if (!Number.isSafeInteger(${name})) throw bail;`;
    case 'uint64':
      return `if (!Number.isSafeInteger(${name}) || ${name} < 0) throw bail;`;
    case 'float32':
    case 'float64':
      return `if (typeof ${name} !== 'number') throw bail;`;
    case 'raw':
    case 'fieldsV1':
    case 'unknown':
      return `n += plainKeys(${name});`;
    case 'json':
      return `n += plainKeys(${name}); ${name} = readers.json(${name});`;
    default:
      return `${name} = readers.${scalar}(${name});`;
  }
}

/** Whether Go tells an empty value from none. */
function isReference(type: Type): boolean {
  return type.kind === 'list' || type.kind === 'map' || (type.kind === 'scalar' && type.scalar === 'bytes');
}

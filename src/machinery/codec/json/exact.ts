// Upstream: sigs.k8s.io/json/internal/golang/encoding/json/{decode,kubernetes_patch}.go
import { append } from '../../append.ts';
import type { Field, ListType, MapType, ScalarType, StructType, Type, VariantType } from '../../type-model.ts';
import { goQuote } from '../../go-format.ts';
import { DecodeError } from '../decode-error.ts';
import { Cursor, kindOf, setKey } from './cursor.ts';
import { goStructName, goTypeName, zeroOf } from './go-types.ts';
import { parseNumber } from './numbers.ts';
import { readScalar, TypeMismatchError } from './scalars.ts';

/** Upstream stops collecting here. */
const maxStrictErrors = 100;

/** Looks up how errors name a field of a struct. */
export type FieldNames = (type: StructType) => ReadonlyMap<string, readonly string[]>;

/**
 * Decodes a document as Go would, value by value in the order of the document: which of several errors is reported, what a field given
 * twice leaves behind, and every word of the messages follow from that order. Slow beside JSON.parse with a compiled reader, which hand
 * over to this as soon as something is odd.
 *
 * The values are right but not complete: fields that were not given are absent, whatever the encoder would write for them.
 */
export class ExactDecoder {
  readonly #cursor: Cursor;
  readonly #strict: boolean;
  readonly #fieldNames: FieldNames;
  /** unknown and duplicate fields in the order they were met */
  readonly strictErrors = new Set<string>();
  #error: DecodeError | undefined;
  /** where we are, as type errors tell it: names of fields only */
  #struct = '';
  #fields: string[] = [];
  /** where we are, as strict errors tell it: names, keys of maps, and indexes of lists */
  #path: (string | number)[] = [];

  constructor(text: string, strict: boolean, fieldNames: FieldNames) {
    this.#cursor = new Cursor(text);
    this.#strict = strict;
    this.#fieldNames = fieldNames;
  }

  decode(type: Type): unknown {
    const value = this.#value(type, false, undefined);
    if (this.#error !== undefined) throw this.#error;
    return value;
  }

  /** A value of no declared shape, as Go reads it into an interface. */
  decodeAny(): unknown {
    const value = this.#any();
    if (this.#error !== undefined) throw this.#error;
    return value;
  }

  /** The new value of something that held `current` (undefined: zero); fields given twice are decoded over what is there. */
  #value(type: Type, pointer: boolean, current: unknown): unknown {
    const kind = kindOf(this.#cursor.peek());
    if (kind === 'null' && (pointer || (type.kind !== 'scalar' && type.kind !== 'variant'))) {
      this.#cursor.literal();
      return type.kind === 'struct' && !pointer ? current : undefined;
    }
    switch (type.kind) {
      case 'struct':
        return kind === 'object' ? this.#structValue(type, current) : this.#mismatch(kind, type, current);
      case 'list':
        return kind === 'array' ? this.#list(type, current) : this.#mismatch(kind, type, current);
      case 'map':
        return kind === 'object' ? this.#map(type, current) : this.#mismatch(kind, type, current);
      case 'variant':
        return this.#variant(type, kind);
      case 'scalar':
        return this.#scalar(type, current);
    }
  }

  /** Upstream decodes these afresh: strictness does not reach inside, and the first error in one ends everything. */
  #variant({ object, array, bool }: VariantType, kind: string): unknown {
    const source = this.#cursor.skip();
    const inner = new ExactDecoder(source, false, this.#fieldNames);
    try {
      if (kind === 'object') return inner.decode(object);
      if (kind === 'array' && array !== undefined) return inner.decode(array);
    } catch (error) {
      if (!(error instanceof LocatedMismatchError)) throw error;
      throw this.#located(error.mismatch, error.fields);
    }
    if (!bool) return null;
    if (kind !== 'bool') throw new DecodeError('boolean or JSON schema expected');
    return source === 'true';
  }

  #scalar(type: ScalarType, current: unknown): unknown {
    if (type.scalar === 'unknown') return this.#any();
    if (type.scalar === 'string' && this.#cursor.peek() === '"') return this.#cursor.string();
    const source = this.#cursor.skip();
    try {
      return readScalar(type, source, current);
    } catch (error) {
      if (error instanceof DecodeError && type.scalar === 'bytes') {
        this.#error ??= error;
        return current;
      }
      if (!(error instanceof TypeMismatchError)) throw error;
      const located = this.#located(error);
      if (error.final) throw located;
      this.#error ??= located;
      return current;
    }
  }

  #structValue(type: StructType, current: unknown): Record<string, unknown> {
    const object = (current ?? {}) as Record<string, unknown>;
    const cursor = this.#cursor;
    if (!cursor.enter()) return object;
    const [outerStruct, depth, pathDepth] = [this.#struct, this.#fields.length, this.#path.length];
    const seen = new Set<Field>();
    do {
      const key = cursor.key();
      const field = type.byName.get(key);
      if (field === undefined) {
        this.#strictError('unknown', key);
        cursor.skip();
        continue;
      }
      if (seen.has(field)) this.#strictError('duplicate', key);
      seen.add(field);
      this.#struct = goStructName(type);
      append(this.#fields, this.#fieldNames(type).get(key) ?? [key]);
      this.#path.push(key);
      const value = this.#value(field.type, field.pointer, object[key]);
      if (value === undefined) delete object[key];
      else object[key] = value;
      this.#struct = outerStruct;
      this.#fields.length = depth;
      this.#path.length = pathDepth;
    } while (cursor.next());
    return object;
  }

  #list({ element, elementNullable = false }: ListType, current: unknown): unknown[] {
    const previous = Array.isArray(current) ? (current as unknown[]) : undefined;
    const items: unknown[] = [];
    if (!this.#cursor.enter()) return items;
    const depth = this.#path.length;
    do {
      this.#path.push(items.length);
      items.push(this.#value(element, elementNullable, previous?.[items.length]) ?? (elementNullable ? null : emptyOf(element)));
      this.#path.length = depth;
    } while (this.#cursor.next());
    return items;
  }

  #map({ value: type }: MapType, current: unknown): Record<string, unknown> {
    const map = (current ?? {}) as Record<string, unknown>;
    if (!this.#cursor.enter()) return map;
    const depth = this.#path.length;
    const seen = new Set<string>();
    do {
      const key = this.#cursor.key();
      if (seen.has(key)) this.#strictError('duplicate', key);
      seen.add(key);
      this.#path.push(key);
      setKey(map, key, this.#value(type, false, undefined) ?? emptyOf(type));
      this.#path.length = depth;
    } while (this.#cursor.next());
    return map;
  }

  #any(): unknown {
    const cursor = this.#cursor;
    switch (kindOf(cursor.peek())) {
      case 'object':
        return this.#anyObject();
      case 'array':
        return this.#anyList();
      case 'string':
        return cursor.string();
      case 'bool':
        return cursor.literal() === 'true';
      case 'null':
        cursor.literal();
        return null;
      case 'number': {
        const literal = cursor.literal();
        const number = parseNumber(literal);
        if (number === undefined) this.#error ??= this.#located(new TypeMismatchError(`number ${literal}`, 'float64'));
        return number ?? null;
      }
    }
  }

  #anyObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (!this.#cursor.enter()) return object;
    const depth = this.#path.length;
    do {
      const key = this.#cursor.key();
      if (Object.hasOwn(object, key)) this.#strictError('duplicate', key);
      this.#path.push(key);
      setKey(object, key, this.#any());
      this.#path.length = depth;
    } while (this.#cursor.next());
    return object;
  }

  #anyList(): unknown[] {
    const items: unknown[] = [];
    if (!this.#cursor.enter()) return items;
    const depth = this.#path.length;
    do {
      this.#path.push(items.length);
      items.push(this.#any());
      this.#path.length = depth;
    } while (this.#cursor.next());
    return items;
  }

  #mismatch(kind: string, type: Type, current: unknown): unknown {
    this.#cursor.skip();
    this.#error ??= this.#located(new TypeMismatchError(kind, goTypeName(type)));
    return current;
  }

  #located(mismatch: TypeMismatchError, inner: readonly string[] = []): LocatedMismatchError {
    return new LocatedMismatchError(mismatch, this.#struct, [...this.#fields, ...inner]);
  }

  #strictError(kind: 'unknown' | 'duplicate', key: string): void {
    if (!this.#strict || this.strictErrors.size >= maxStrictErrors) return;
    const path = [...this.#path, key].map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`));
    this.strictErrors.add(`${kind} field ${goQuote(path.join(''))}`);
  }
}

/** A mismatch with its place in words. */
class LocatedMismatchError extends DecodeError {
  readonly mismatch: TypeMismatchError;
  readonly fields: readonly string[];

  constructor(mismatch: TypeMismatchError, struct: string, fields: readonly string[]) {
    const place = fields.length === 0 ? 'Go value' : `Go struct field ${struct}.${fields.join('.')}`;
    super(`json: cannot unmarshal ${mismatch.value} into ${place} of type ${mismatch.type}`);
    this.mismatch = mismatch;
    this.fields = fields;
  }
}

/** What stands for an element that is null: its zero value, which for a struct is completed later. */
function emptyOf(type: Type): unknown {
  return type.kind === 'struct' ? {} : zeroOf(type);
}

// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/cbor/cbor.go
import type { Steps } from '../../../base/steps.ts';
import type { StructType, Type } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import type { Decoded, DecodeMode, JsonCodec } from '../json/codec.ts';
import type { TypeMeta } from '../json/document.ts';
import { selfDescribed } from './head.ts';
import { CborReader } from './reader.ts';
import { checkWellFormed } from './well-formed.ts';
import type { MapOrder } from './writer.ts';
import { CborWriter } from './writer.ts';

export interface CborCodec {
  /** The kind and version an object claims to have. Throws DecodeError. */
  interpret(bytes: Buffer): TypeMeta;
  /** Reads an object of the type into canonical form. Throws DecodeError. */
  decode(bytes: Buffer, type: StructType, mode: DecodeMode): Decoded;
  /** Reads an object of no declared type. Throws DecodeError. */
  decodeUnstructured(bytes: Buffer): Decoded;
  encode(object: object, type: StructType, order?: MapOrder): Buffer;
  /** The same for what may be large. */
  encoding(object: object, type: StructType, order?: MapOrder): Steps<Buffer>;
  encodeUnstructured(object: object, order?: MapOrder): Buffer;
  encodingUnstructured(object: object, order?: MapOrder): Steps<Buffer>;
  /** An event of `application/cbor-seq` around an object that is encoded already; items of a sequence need nothing between them. */
  encodeWatchEvent(type: string, object: Buffer, order?: MapOrder): Buffer;
}

const none: readonly string[] = Object.freeze([]);
const anyObject: Type = Object.freeze({
  kind: 'map',
  goName: 'map[string]interface {}',
  value: Object.freeze({ kind: 'scalar', scalar: 'unknown' }),
});
const string: Type = Object.freeze({ kind: 'scalar', scalar: 'string' });
const typeMeta = metaType();

/** Shares the JSON codec's knowledge of what is written and what is left out. */
export function createCborCodec(json: JsonCodec): CborCodec {
  return {
    interpret(bytes) {
      try {
        const { kind = '', apiVersion = '' } = (open(bytes).decode(typeMeta) ?? {}) as Partial<TypeMeta>;
        return { kind, apiVersion };
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        throw new DecodeError(`unable to determine group/version/kind: ${error.message}`, { cause: error });
      }
    },

    decode(bytes, type, mode) {
      const reader = open(bytes);
      const object = json.complete((reader.decode(type) ?? {}) as object, type);
      const { unknownField } = reader;
      if (mode === 'ignore' || unknownField === undefined) return { object, strictErrors: none };
      // upstream stops at the first one
      return { object, strictErrors: [`cbor: found unknown field at map element index ${unknownField}`] };
    },

    decodeUnstructured(bytes) {
      return { object: (open(bytes).decode(anyObject) ?? {}) as Record<string, unknown>, strictErrors: none };
    },

    encode: (object, type, order = 'sorted') => new CborWriter(order).selfDescribed().value(json.ordered(object, type), type).take(),
    *encoding(object, type, order = 'sorted') {
      const ordered = json.ordered(object, type);
      yield;
      return yield* written(ordered, type, order);
    },
    encodingUnstructured: (object, order = 'sorted') => written(object, undefined, order),
    encodeUnstructured: (object, order = 'sorted') => new CborWriter(order).selfDescribed().value(object, undefined).take(),
    encodeWatchEvent(type, object, order = 'sorted') {
      const name = new CborWriter(order).string(type).take();
      return new CborWriter(order)
        .selfDescribed()
        .encodedMap([
          ['type', name],
          ['object', object],
        ])
        .take();
    },
  };
}

function* written(value: unknown, type: StructType | undefined, order: MapOrder): Steps<Buffer> {
  const writer = new CborWriter(order).selfDescribed();
  yield* writer.writing(value, type);
  return writer.take();
}

/** Whether bytes begin as everything does that these codecs write. */
export function isSelfDescribed(bytes: Buffer): boolean {
  return selfDescribed.every((byte, index) => bytes[index] === byte);
}

function open(bytes: Buffer): CborReader {
  checkWellFormed(bytes);
  return new CborReader(bytes);
}

function metaType(): StructType {
  const fields = ['kind', 'apiVersion'].map(
    (name) => ({ name, type: string, pointer: false, omit: 'empty', optional: true, required: false }) as const,
  );
  const byName = new Map(fields.map((field) => [field.name, field]));
  return { kind: 'struct', name: 'io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta', fields, byName, proto: [] };
}

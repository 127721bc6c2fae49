// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go, k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go
import type { Steps } from '../../../base/steps.ts';
import type { StructType } from '../../type-model.ts';
import type { Pass } from './compile.ts';
import { Compiler } from './compile.ts';
import { ExactDecoder } from './exact.ts';
import { embeddedNames } from './go-types.ts';
import type { JsonDocument } from './document.ts';
import { readDocument } from './document.ts';
import { FieldTexts } from './field-texts.ts';
import { writeWithFieldTexts } from './owners-text.ts';
import { bail, plainKeys } from './runtime.ts';
import { escapeForHtml } from '../../html-escape.ts';
import { keptBytes } from '../kept-bytes.ts';
import { stringify, writeJson, writeSorted, writingSorted } from './write.ts';

/** `strict` also reports unknown and duplicate fields; both read the same object. */
export type DecodeMode = 'ignore' | 'strict';

export interface Decoded {
  readonly object: Record<string, unknown>;
  /** in the order of the document, as upstream words them: `unknown field "spec.foo"` */
  readonly strictErrors: readonly string[];
}

export interface JsonCodec {
  /** Reads an object of the type into canonical form. Throws DecodeError. */
  decode(source: Buffer | string | JsonDocument, type: StructType, mode: DecodeMode): Decoded;
  /** Reads an object of no declared type, as custom resources are. Throws DecodeError. */
  decodeUnstructured(source: Buffer | string | JsonDocument, mode: DecodeMode): Decoded;
  /** The JSON that upstream writes for the object, without the line break that ends a response. */
  encode(object: object, type: StructType): string;
  encodeBuffer(object: object, type: StructType): Buffer;
  /**
   * As the object will read when it has been stored as protobuf. `written` gets the bytes and what a parser would make of them, if that is
   * at hand; it shares parts with the object.
   */
  encodeStored(object: object, type: StructType, written?: (value: Buffer, parsed: object) => void): Buffer;
  /** As `encode` for an object of no declared type: keys sorted at every level. */
  encodeUnstructured(object: object): string;
  /** The same for what may be large. */
  encodingUnstructured(object: object): Steps<string>;
  /**
   * The object as it is written, on a copy: fields and map keys in order, zero values, what is left out. For other writers; maps whose
   * order no plain object can have are `Entries`.
   */
  ordered(object: object, type: StructType): unknown;
  /** Completes an object that was built by hand or by another codec, in place where it can: order, zero values, what is left out. */
  complete(object: object, type: StructType): Record<string, unknown>;
  /** `fieldsV1` that were read before: `encodeStored` need not write them again */
  readonly fieldTexts: FieldTexts;
}

const none: readonly string[] = Object.freeze([]);

/** Codecs own what they compile: keep one per server, not one per request. */
export function createJsonCodec(): JsonCodec {
  const read = new Compiler('read');
  const fill = new Compiler('fill');
  const write = new Compiler('write');
  const fieldTexts = new FieldTexts();
  const names = new WeakMap<StructType, ReadonlyMap<string, readonly string[]>>();

  const fieldNames = (type: StructType): ReadonlyMap<string, readonly string[]> => {
    let found = names.get(type);
    if (found === undefined) names.set(type, (found = embeddedNames(type)));
    return found;
  };

  const complete = (object: object, type: StructType): Record<string, unknown> =>
    fill.struct(type)(object, newPass()) as Record<string, unknown>;

  const decodeExactly = (document: JsonDocument, type: StructType, mode: DecodeMode): Decoded => {
    const decoder = new ExactDecoder(document.exactText(), mode === 'strict', fieldNames);
    const value = (decoder.decode(type) ?? {}) as object;
    return { object: complete(value, type), strictErrors: [...decoder.strictErrors] };
  };

  return {
    decode(source, type, mode) {
      const document = readDocument(source);
      const { keys, fractions, odd } = document.scan;
      if (!fractions && !odd) {
        const pass = newPass();
        try {
          const object = read.struct(type)(document.take(), pass) as Record<string, unknown>;
          if (pass.keys === keys) return { object, strictErrors: none };
        } catch (error) {
          if (error !== bail) throw error;
        }
      }
      return decodeExactly(document, type, mode);
    },

    decodeUnstructured(source, mode) {
      const document = readDocument(source);
      const { keys, odd } = document.scan;
      if (!odd && isObject(document.value)) {
        try {
          const object = document.take() as Record<string, unknown>;
          if (plainKeys(object) === keys) return { object, strictErrors: none };
        } catch (error) {
          if (error !== bail) throw error;
        }
      }
      const decoder = new ExactDecoder(document.exactText(), mode === 'strict', fieldNames);
      const object = decoder.decode(anyObject);
      return { object: (object ?? {}) as Record<string, unknown>, strictErrors: [...decoder.strictErrors] };
    },

    encode,

    encodeBuffer(object, type) {
      return keptBytes(encode(object, type));
    },

    encodeStored(object, type, written) {
      const pass = newPass(true);
      const ordered = write.struct(type)(object, pass);
      const value = keptBytes(pass.manual ? textOf(ordered, pass) : writeWithFieldTexts(ordered as object, fieldTexts));
      // What is written by hand holds what no plain object can.
      if (!pass.manual) written?.(value, ordered as object);
      return value;
    },

    encodeUnstructured(object) {
      return escapeForHtml(writeSorted(object));
    },

    *encodingUnstructured(object) {
      return escapeForHtml(yield* writingSorted(object));
    },

    ordered: (object, type) => write.struct(type)(object, newPass()),

    complete,

    fieldTexts,
  };

  function encode(object: object, type: StructType): string {
    const pass = newPass();
    return textOf(write.struct(type)(object, pass), pass);
  }
}

const anyObject = Object.freeze({
  kind: 'map',
  goName: 'map[string]interface {}',
  value: Object.freeze({ kind: 'scalar', scalar: 'unknown' }),
} as const);

function textOf(ordered: unknown, { manual }: Pass): string {
  return escapeForHtml(manual ? writeJson(ordered) : stringify(ordered));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function newPass(stored = false): Pass {
  return { keys: 0, manual: false, empty: false, stored };
}

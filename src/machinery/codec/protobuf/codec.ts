import type { StructType } from '../../type-model.ts';
import { compileDecoder } from './compile-decoder.ts';
import type { Decoder, TypeMeta } from './compile-decoder.ts';
import { compileEncoder } from './compile-encoder.ts';
import type { Encoder } from './compile-encoder.ts';
import { beginEnvelope, endEnvelope } from './envelope.ts';
import { Reader } from './reader.ts';
import { StringCache } from './string-cache.ts';
import { ReverseWriter } from './writer.ts';

/** Messages of declared types. Code for a message is made when it is first needed and belongs to the codec. */
export interface ProtobufCodec {
  /** The message alone, without the envelope. */
  encode(object: object, type: StructType): Buffer;
  /** The message in its envelope, in bytes of its own. */
  encodeEnveloped(object: object, type: StructType, typeMeta: TypeMeta): Buffer;
  /** A canonical object; `typeMeta` is what the envelope said, since messages do not carry kind and apiVersion. */
  decode(bytes: Uint8Array, type: StructType, typeMeta?: TypeMeta): Record<string, unknown>;
}

/** `knownText`: the JSON of a set of fields, where it is at hand. */
export function createProtobufCodec(knownText?: (set: unknown) => string | undefined): ProtobufCodec {
  const encoders = new WeakMap<StructType, { encode: Encoder }>();
  const decoders = new WeakMap<StructType, { decode: Decoder }>();
  const writer = new ReverseWriter(undefined, knownText);
  const strings = new StringCache();

  function encoderOf(type: StructType): { encode: Encoder } {
    let known = encoders.get(type);
    if (known === undefined) {
      const made = { encode: ((w, value) => (made.encode = compileEncoder(type, encoderOf))(w, value)) as Encoder };
      encoders.set(type, (known = made));
    }
    return known;
  }

  function decoderOf(type: StructType): { decode: Decoder } {
    let known = decoders.get(type);
    if (known === undefined) {
      const made = { decode: ((r, end, meta) => (made.decode = compileDecoder(type, decoderOf))(r, end, meta)) as Decoder };
      decoders.set(type, (known = made));
    }
    return known;
  }

  return {
    encode(object, type) {
      writer.reset();
      encoderOf(type).encode(writer, object as Record<string, unknown>);
      return writer.finish();
    },
    encodeEnveloped(object, type, typeMeta) {
      writer.reset();
      endEnvelope(writer);
      const mark = writer.size;
      encoderOf(type).encode(writer, object as Record<string, unknown>);
      beginEnvelope(writer, typeMeta, writer.size - mark);
      return writer.finish(Buffer.allocUnsafeSlow(writer.size));
    },
    decode(bytes, type, typeMeta) {
      const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return decoderOf(type).decode(new Reader(buffer, strings), buffer.length, typeMeta);
    },
  };
}

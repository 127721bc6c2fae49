import type { Steps } from '../../base/steps.ts';
import type { CborCodec } from '../../machinery/codec/cbor/codec.ts';
import type { JsonDocument } from '../../machinery/codec/json/document.ts';
import { indentJson } from '../../machinery/codec/json/write.ts';
import type { Decoded, JsonCodec } from '../../machinery/codec/json/codec.ts';
import type { ProtobufCodec } from '../../machinery/codec/protobuf/codec.ts';
import { decodeEnvelope } from '../../machinery/codec/protobuf/envelope.ts';
import type { YamlCodec } from '../../machinery/codec/yaml/codec.ts';
import { YamlDocument } from '../../machinery/codec/yaml/codec.ts';
import type { StructType } from '../../machinery/type-model.ts';
import type { OpaqueTypes } from '../../patch/strategic/opaque.ts';
import type { DeclarativeRules } from '../../schema/declarative/declarative-rules.ts';
import type { Schema } from '../../schema/index.ts';
import type { DeclaredDefaults } from './declared-defaults.ts';
import type { Media, MediaTypes } from '../http/media-types.ts';

/** The codecs of a server. They own what they compile. */
export interface Codecs {
  readonly schema: Schema;
  readonly json: JsonCodec;
  readonly yaml: YamlCodec;
  readonly protobuf: ProtobufCodec;
  readonly cbor: CborCodec;
  readonly defaults: DeclaredDefaults;
  readonly opaque: OpaqueTypes;
  readonly rules: DeclarativeRules;
  readonly served: ServedMedia;
}

/** What is offered to clients, and taken from them. CBOR is among it where its feature gate is on. */
export interface ServedMedia {
  readonly builtIn: MediaTypes;
  readonly custom: MediaTypes;
  /** documents of no resource: discovery, and errors */
  readonly documents: MediaTypes;
  readonly cbor: boolean;
}

export function servedMedia(cbor: boolean): ServedMedia {
  const other: readonly Media[] = cbor ? ['cbor'] : [];
  const all: readonly Media[] = ['json', 'yaml', 'protobuf', ...other];
  return {
    builtIn: { plain: all, metadata: all, table: true },
    // Custom resources have no messages in protobuf; their metadata alone does.
    custom: { plain: ['json', 'yaml', ...other], metadata: all, table: true },
    documents: { plain: all, metadata: [], table: false },
    cbor,
  };
}

/** An object of a declared type with its kind and apiVersion, as a response body. */
export function encodeObject(codecs: Codecs, media: Media, object: TypedObject, type: StructType, pretty: boolean): Buffer {
  switch (media) {
    case 'json': {
      const text = codecs.json.encode(object, type);
      return Buffer.from(pretty ? indentJson(text) : `${text}\n`);
    }
    case 'yaml':
      return Buffer.from(codecs.yaml.encode(object, type));
    case 'protobuf':
      return codecs.protobuf.encodeEnveloped(object, type, { kind: object.kind ?? '', apiVersion: object.apiVersion ?? '' });
    case 'cbor':
      return codecs.cbor.encode(object, type, 'shuffled');
  }
}

/** The same for what may be large. */
export function* encodingObject(codecs: Codecs, media: Media, object: TypedObject, type: StructType, pretty: boolean): Steps<Buffer> {
  if (media === 'yaml') return Buffer.from(yield* codecs.yaml.encoding(object, type));
  if (media === 'cbor') return yield* codecs.cbor.encoding(object, type, 'shuffled');
  if (media !== 'json' || !pretty) return encodeObject(codecs, media, object, type, pretty);
  const text = codecs.json.encode(object, type);
  yield;
  return Buffer.from(indentJson(text));
}

export interface TypedObject {
  readonly kind?: string;
  readonly apiVersion?: string;
}

export function metaType(codecs: Codecs, kind: string, version: 'v1' | 'v1beta1' = 'v1'): StructType {
  const type =
    codecs.schema.typeOf({ group: 'meta.k8s.io', version, kind }) ??
    codecs.schema.structByName(`io.k8s.apimachinery.pkg.apis.meta.${version}.${kind}`);
  if (type === undefined) throw new Error(`the schema has no meta.k8s.io/${version} ${kind}`);
  return type;
}

/** A body as an object of a declared type. Throws DecodeError. */
export function decodeObject(codecs: Codecs, media: Media, body: Buffer | JsonDocument, type: StructType, strict: boolean): Decoded {
  const mode = strict ? 'strict' : 'ignore';
  if (body instanceof YamlDocument) return codecs.yaml.decode(body, type, mode);
  if (!Buffer.isBuffer(body)) return codecs.json.decode(body, type, mode);
  switch (media) {
    case 'json':
      return codecs.json.decode(body, type, mode);
    case 'yaml':
      return codecs.yaml.decode(body, type, mode);
    case 'protobuf': {
      const { raw, typeMeta } = decodeEnvelope(body);
      return { object: codecs.protobuf.decode(raw, type, typeMeta), strictErrors: [] };
    }
    case 'cbor':
      return codecs.cbor.decode(body, type, mode);
  }
}

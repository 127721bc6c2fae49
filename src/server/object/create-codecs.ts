import { createCborCodec } from '../../machinery/codec/cbor/codec.ts';
import { createJsonCodec } from '../../machinery/codec/json/codec.ts';
import { createProtobufCodec } from '../../machinery/codec/protobuf/codec.ts';
import { createYamlCodec } from '../../machinery/codec/yaml/codec.ts';
import { OpaqueTypes } from '../../patch/strategic/opaque.ts';
import { DeclarativeRules } from '../../schema/declarative/declarative-rules.ts';
import { createSchema } from '../../schema/index.ts';
import { DeclaredDefaults } from './declared-defaults.ts';
import type { Codecs } from './codecs.ts';
import { servedMedia } from './codecs.ts';

/** The codecs of a new server. */
export function createCodecs({ cbor = false } = {}): Codecs {
  const json = createJsonCodec();
  return {
    schema: createSchema(),
    json,
    yaml: createYamlCodec(json),
    protobuf: createProtobufCodec((set) => json.fieldTexts.plainText(set)),
    cbor: createCborCodec(json),
    defaults: new DeclaredDefaults(),
    opaque: new OpaqueTypes(),
    served: servedMedia(cbor),
    rules: new DeclarativeRules((value, type) => json.encode(value, type)),
  };
}

// Upstream: apimachinery pkg/runtime/serializer/json/json.go with its Yaml option
import type { StructType } from '../../type-model.ts';
import { TextDocument, type JsonDocument } from '../json/document.ts';
import type { Decoded, DecodeMode, JsonCodec } from '../json/codec.ts';
import { writeSorted } from '../json/write.ts';
import { decodeYamlText } from './text.ts';
import { readYaml } from './read.ts';
import { writeYaml } from './write.ts';

/** A YAML body as the JSON it stands for. `interpret` of the JSON codec tells its kind. */
export interface YamlDocument {
  readonly json: JsonDocument;
  /** keys given twice, in upstream's words, with their lines */
  readonly duplicates: readonly string[];
}

export interface YamlCodec {
  /** Throws DecodeError. */
  read(source: Buffer | string): YamlDocument;
  decode(source: Buffer | string | YamlDocument, type: StructType, mode: DecodeMode): Decoded;
  decodeUnstructured(source: Buffer | string | YamlDocument, mode: DecodeMode): Decoded;
  encode(object: object, type: StructType): string;
  encodeUnstructured(object: object): string;
}

/** YAML goes through JSON in both directions, as upstream does it. */
export function createYamlCodec(json: JsonCodec): YamlCodec {
  return {
    read,
    decode(source, type, mode) {
      const document = open(source);
      return withDuplicates(document, mode, json.decode(document.json, type, mode));
    },
    decodeUnstructured(source, mode) {
      const document = open(source);
      return withDuplicates(document, mode, json.decodeUnstructured(document.json, mode));
    },
    encode: (object, type) => writeYaml(json.ordered(object, type)),
    encodeUnstructured: writeYaml,
  };
}

function open(source: Buffer | string | YamlDocument): YamlDocument {
  return typeof source === 'string' || Buffer.isBuffer(source) ? read(source) : source;
}

function read(source: Buffer | string): YamlDocument {
  const { value, duplicates } = readYaml(typeof source === 'string' ? source : decodeYamlText(source));
  return { json: new TextDocument(writeSorted(value)), duplicates };
}

function withDuplicates({ duplicates }: YamlDocument, mode: DecodeMode, decoded: Decoded): Decoded {
  if (mode === 'ignore' || duplicates.length === 0) return decoded;
  const error = `yaml: unmarshal errors:\n${duplicates.map((duplicate) => `  ${duplicate}`).join('\n')}`;
  return { object: decoded.object, strictErrors: [error, ...decoded.strictErrors] };
}

// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go
// With its Yaml option.
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import type { JsonDocument } from '../json/document.ts';
import { TextDocument } from '../json/document.ts';
import { bail, plainKeys } from '../json/runtime.ts';
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
  const json = readJson(source);
  if (json !== undefined) return { json, duplicates: [] };
  const { value, duplicates } = readYaml(typeof source === 'string' ? source : decodeYamlText(source));
  return { json: new TextDocument(writeSorted(value)), duplicates };
}

/**
 * What only looks like YAML, as most configurations that are applied do, is read as the JSON that it is; undefined where the two may read
 * it differently: keys that come twice or are too long for YAML, numbers that are no integers, characters that YAML does not allow.
 */
function readJson(source: Buffer | string): JsonDocument | undefined {
  const text = typeof source === 'string' ? source : source.toString();
  if (!text.startsWith('{') || differsInYaml.test(text)) return undefined;
  let document: JsonDocument;
  try {
    document = new TextDocument(source);
    const { keys, fractions, odd } = document.scan;
    return fractions || odd || plainKeys(document.value) !== keys ? undefined : document;
  } catch (error) {
    if (error !== bail && !(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

const differsInYaml = /[^\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffc]|\\[^"\\bfnrt]|"<<"|"[^"]{1000}/;

function withDuplicates({ duplicates }: YamlDocument, mode: DecodeMode, decoded: Decoded): Decoded {
  if (mode === 'ignore' || duplicates.length === 0) return decoded;
  const error = `yaml: unmarshal errors:\n${duplicates.map((duplicate) => `  ${duplicate}`).join('\n')}`;
  return { object: decoded.object, strictErrors: [error, ...decoded.strictErrors] };
}

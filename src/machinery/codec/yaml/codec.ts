// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go
// With its Yaml option.
import type { Steps } from '../../../base/steps.ts';
import { allSteps } from '../../../base/steps.ts';
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { TextDocument } from '../json/document.ts';
import { bail, plainKeys } from '../json/runtime.ts';
import type { Decoded, DecodeMode, JsonCodec } from '../json/codec.ts';
import { writeSorted } from '../json/write.ts';
import { decodeYamlText } from './text.ts';
import { readingYaml } from './read.ts';
import { writeYaml, writingYaml } from './write.ts';

/** A YAML body as the JSON it stands for. `interpret` of the JSON codec tells its kind. */
export class YamlDocument extends TextDocument {
  /** what it was made from */
  readonly yaml: Buffer | string;
  /** keys given twice, in upstream's words, with their lines */
  readonly duplicates: readonly string[];

  constructor(yaml: Buffer | string, json = yaml, duplicates: readonly string[] = []) {
    super(json);
    this.yaml = yaml;
    this.duplicates = duplicates;
  }
}

export interface YamlCodec {
  /** Throws DecodeError. */
  read(source: Buffer | string): YamlDocument;
  decode(source: Buffer | string | YamlDocument, type: StructType, mode: DecodeMode): Decoded;
  decodeUnstructured(source: Buffer | string | YamlDocument, mode: DecodeMode): Decoded;
  encode(object: object, type: StructType): string;
  encoding(object: object, type: StructType): Steps<string>;
  encodeUnstructured(object: object): string;
  encodingUnstructured(object: object): Steps<string>;
}

/** YAML goes through JSON in both directions, as upstream does it. */
export function createYamlCodec(json: JsonCodec): YamlCodec {
  return {
    read,
    decode(source, type, mode) {
      const document = open(source);
      return withDuplicates(document, mode, json.decode(document, type, mode));
    },
    decodeUnstructured(source, mode) {
      const document = open(source);
      return withDuplicates(document, mode, json.decodeUnstructured(document, mode));
    },
    encode: (object, type) => writeYaml(json.ordered(object, type)),
    *encoding(object, type) {
      const ordered = json.ordered(object, type);
      yield;
      return yield* writingYaml(ordered);
    },
    encodeUnstructured: writeYaml,
    encodingUnstructured: writingYaml,
  };
}

function open(source: Buffer | string | YamlDocument): YamlDocument {
  return typeof source === 'string' || Buffer.isBuffer(source) ? read(source) : source;
}

function read(source: Buffer | string): YamlDocument {
  return allSteps(readingDocument(source));
}

/** For what may be long. `mayBeJson`: what is JSON is read as JSON, which takes a tenth of the time. Throws DecodeError. */
export function* readingDocument(source: Buffer | string, mayBeJson = true): Steps<YamlDocument> {
  const json = mayBeJson ? yield* readingJson(source) : undefined;
  if (json !== undefined) return json;
  yield;
  const { value, duplicates } = yield* readingYaml(typeof source === 'string' ? source : decodeYamlText(source));
  yield;
  const text = writeSorted(value);
  yield;
  return new YamlDocument(source, text, duplicates);
}

/**
 * What only looks like YAML, as most configurations that are applied do, is read as the JSON that it is; undefined where the two may read
 * it differently: keys that come twice or are too long for YAML, numbers that are no integers, characters that YAML does not allow.
 */
function* readingJson(source: Buffer | string): Steps<YamlDocument | undefined> {
  if (typeof source === 'string' ? !source.startsWith('{') : source[0] !== 0x7b) return undefined;
  if (differsInYaml.test(typeof source === 'string' ? source : source.toString())) return undefined;
  yield;
  try {
    const document = new YamlDocument(source);
    yield;
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

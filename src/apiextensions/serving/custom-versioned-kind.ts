// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go
import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import { keptBytes } from '../../machinery/codec/kept-bytes.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import type { Decoded, DecodeMode } from '../../machinery/codec/json/codec.ts';
import type { JsonDocument } from '../../machinery/codec/json/document.ts';
import { TextDocument } from '../../machinery/codec/json/document.ts';
import { indentJson } from '../../machinery/codec/json/write.ts';
import { YamlDocument } from '../../machinery/codec/yaml/codec.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { badRequest } from '../../machinery/errors.ts';
import type { StructType } from '../../machinery/type-model.ts';
import { apiVersionOf } from '../../machinery/type-model.ts';
import type { Codecs } from '../../server/object/codecs.ts';
import { metaType } from '../../server/object/codecs.ts';
import type { Media, MediaTypes } from '../../server/http/media-types.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { DecodedObject, VersionedKind } from '../../server/object/versioned-kind.ts';
import { mostFilledIn } from '../schema/defaulting.ts';
import { structTypeOf } from '../schema/struct-type.ts';
import { described } from '../schema/go-value.ts';
import { customProfile } from './custom-profile.ts';
import type { VersionSchema } from './version-schema.ts';

export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
}

/** A custom resource at one version, read and written by its schema. */
export class CustomVersionedKind implements VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly apiVersion: string;
  readonly mediaTypes: MediaTypes;
  readonly profile = customProfile;
  readonly warnings: readonly string[];
  readonly schema: VersionSchema;
  readonly #codecs: Codecs;
  readonly #withoutDefaults = new WeakMap<Buffer, Buffer>();
  readonly #makeType: () => StructType;
  #type: StructType | undefined;

  constructor(names: CustomKind, schema: VersionSchema, preserveUnknown: boolean, deprecation: string | undefined, codecs: Codecs) {
    this.group = names.group;
    this.version = names.version;
    this.kind = names.kind;
    this.listKind = names.listKind;
    this.apiVersion = apiVersionOf(names);
    this.schema = schema;
    this.warnings = deprecation === undefined ? [] : [deprecation];
    this.mediaTypes = codecs.served.custom;
    this.#codecs = codecs;
    this.#makeType = () =>
      structTypeOf(`${names.group}.${names.version}.${names.kind}`, schema.schema, preserveUnknown, metaType(codecs, 'ObjectMeta'));
  }

  /** Made when fields are first tracked. */
  get type(): StructType {
    return (this.#type ??= this.#makeType());
  }

  decode(media: Media, body: Buffer | JsonDocument, strict: boolean): DecodedObject {
    const mode = strict ? 'strict' : 'ignore';
    const { object: read, strictErrors } = this.#read(media, body, mode);
    const object = read as KubeObject;
    const kind = this.#text(object, 'kind');
    const apiVersion = this.#text(object, 'apiVersion');
    if (kind === '') throw new DecodeError(`Object 'Kind' is missing in '${textOf(body)}'`);
    if (apiVersion !== this.apiVersion) {
      throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${this.apiVersion})`);
    }
    const unknown = this.schema.coerce(object, strict);
    return { object, strictErrors: [...strictErrors, ...unknown.map((path) => `unknown field "${path}"`)] };
  }

  #read(media: Media, body: Buffer | JsonDocument, mode: DecodeMode): Decoded {
    if (Buffer.isBuffer(body)) {
      if (media === 'yaml') return this.#codecs.yaml.decodeUnstructured(body, mode);
      if (media === 'cbor') return this.#codecs.cbor.decodeUnstructured(body);
    }
    if (body instanceof YamlDocument) return this.#codecs.yaml.decodeUnstructured(body, mode);
    return this.#codecs.json.decodeUnstructured(body, mode);
  }

  decodeMerged(merged: Readonly<Record<string, unknown>>): KubeObject {
    return allSteps(this.decodingMerged(merged));
  }

  *decodingMerged(merged: Readonly<Record<string, unknown>>): Steps<KubeObject> {
    const object = deepCopy(merged) as KubeObject;
    yield;
    this.schema.coerce(object, false, true);
    return object;
  }

  mostGrown(length: number): number {
    return this.schema.mostGrown(length);
  }

  applyDefaults(object: KubeObject): void {
    this.schema.applyDefaults(object, mostFilledIn);
  }

  encode(media: Media, object: KubeObject, pretty: boolean): Buffer {
    return allSteps(this.encoding(media, object, pretty));
  }

  *encoding(media: Media, object: KubeObject, pretty: boolean): Steps<Buffer> {
    object.kind = this.kind;
    object.apiVersion = this.apiVersion;
    if (media === 'yaml') return Buffer.from(yield* this.#codecs.yaml.encodingUnstructured(object));
    if (media === 'cbor') return this.#codecs.cbor.encodeUnstructured(object, 'shuffled');
    const text = this.#codecs.json.encodeUnstructured(object);
    yield;
    return Buffer.from(pretty ? indentJson(text) : `${text}\n`);
  }

  /** A client that reads it back sees defaults, also of what was dropped since the object was decoded (a status); stored it is without them. */
  encodeStored(object: KubeObject): Buffer {
    const stored = this.encodeAsIs(object);
    if (!this.schema.applyDefaults(object)) return stored;
    const read = this.encodeAsIs(object);
    this.#withoutDefaults.set(read, stored);
    return read;
  }

  *encodingStored(object: KubeObject): Steps<Buffer> {
    const stored = yield* this.encodingAsIs(object);
    yield;
    if (!this.schema.applyDefaults(object)) return stored;
    yield;
    const read = yield* this.encodingAsIs(object);
    this.#withoutDefaults.set(read, stored);
    return read;
  }

  *encodingAsIs(object: KubeObject): Steps<Buffer> {
    return keptBytes(yield* this.#codecs.json.encodingUnstructured(object));
  }

  encodeAsIs(object: KubeObject): Buffer {
    return keptBytes(this.#codecs.json.encodeUnstructured(object));
  }

  /** Bytes of `encodeStored` as they are stored. */
  withoutDefaults(value: Buffer): Buffer {
    return this.#withoutDefaults.get(value) ?? value;
  }

  #text(object: KubeObject, name: 'kind' | 'apiVersion'): string {
    const value: unknown = object[name];
    if (value === undefined) return '';
    if (typeof value === 'string') return value;
    throw new DecodeError(`.${name} accessor error: ${described(value)}, expected string`);
  }
}

/** As it was sent. */
function textOf(body: Buffer | JsonDocument): string {
  if (Buffer.isBuffer(body)) return body.toString();
  if (body instanceof YamlDocument) return body.yaml.toString();
  return body instanceof TextDocument ? body.source.toString() : body.exactText();
}

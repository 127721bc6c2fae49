// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/{json,versioning}
import type { Steps } from '../../base/steps.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import type { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import type { JsonDocument } from '../../machinery/codec/json/document.ts';
import { ValueDocument } from '../../machinery/codec/json/document.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { badRequest } from '../../machinery/errors.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { GroupVersionKind, StructType } from '../../machinery/type-model.ts';
import { apiVersionOf } from '../../machinery/type-model.ts';
import { restore } from '../../patch/restore.ts';
import type { Lifecycle } from '../../schema/table-format.ts';
import type { Codecs } from './codecs.ts';
import { decodeObject, encodeObject, encodingObject } from './codecs.ts';
import type { Media, MediaTypes } from '../http/media-types.ts';
import { kubernetesVersion } from './kubernetes-version.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import { internalPackage } from './internal-package.ts';
import { builtInProfile } from './profile.ts';
import type { DecodedObject, VersionedKind } from './versioned-kind.ts';
import type { WrittenObjects } from './written-objects.ts';

/** `v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice`; nothing before that release */
function deprecationWarnings(apiVersion: string, kind: string, lifecycle: Lifecycle | undefined): readonly string[] {
  if (lifecycle?.deprecated === undefined || minorOf(lifecycle.deprecated) > kubernetesVersion.minor) return [];
  const { deprecated, removed, replacement } = lifecycle;
  const unavailable = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const text = `${apiVersion} ${kind} is deprecated in v${deprecated}+${unavailable}`;
  if (replacement === undefined) return [text];
  const [group, version, use] = replacement;
  return [`${text}; use ${apiVersionOf({ group, version })} ${use}`];
}

/** All releases that have deprecated anything are of major version 1. */
function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}

/** A built-in kind at one version, read and written by its declared type. */
export class BuiltInVersionedKind implements VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly apiVersion: string;
  readonly mediaTypes: MediaTypes;
  readonly profile = builtInProfile;
  readonly #codecs: Codecs;
  readonly #defaults: ((object: KubeObject) => void) | undefined;
  readonly #keptAsJson: boolean;
  readonly #alsoAccepted: readonly string[];
  #type: StructType | undefined;
  #warnings: readonly string[] | undefined;

  /**
   * @param keptAsJson not as protobuf, which does not tell empty lists and maps from absent ones
   * @param alsoAccepted other versions, of the same shape, that bodies may say they are
   */
  constructor(
    gvk: GroupVersionKind,
    codecs: Codecs,
    defaults?: (object: KubeObject) => void,
    keptAsJson = false,
    alsoAccepted: readonly string[] = [],
  ) {
    this.group = gvk.group;
    this.version = gvk.version;
    this.kind = gvk.kind;
    this.listKind = `${gvk.kind}List`;
    this.apiVersion = apiVersionOf(gvk);
    this.mediaTypes = codecs.served.builtIn;
    this.#codecs = codecs;
    this.#defaults = defaults;
    this.#keptAsJson = keptAsJson;
    this.#alsoAccepted = alsoAccepted.map((version) => apiVersionOf({ group: gvk.group, version }));
  }

  /** Looked up when first needed: a start must not pay for kinds that are not used. */
  get type(): StructType {
    this.#type ??= this.#codecs.schema.typeOf(this);
    if (this.#type === undefined) throw new Error(`the schema has no ${this.apiVersion} ${this.kind}`);
    return this.#type;
  }

  /** Looked up when first needed, as the type is. */
  get warnings(): readonly string[] {
    this.#warnings ??= deprecationWarnings(this.apiVersion, this.kind, this.#codecs.schema.lifecycleOf(this));
    return this.#warnings;
  }

  get fieldTexts(): FieldTexts {
    return this.#codecs.json.fieldTexts;
  }

  decode(media: Media, body: Buffer | JsonDocument, strict: boolean): DecodedObject {
    const { object, strictErrors } = decodeObject(this.#codecs, media, body, this.type, strict);
    const decoded = object as KubeObject;
    this.#checkKind(decoded, media, body);
    decoded.metadata ??= {};
    return { object: decoded, strictErrors };
  }

  decodeMerged(merged: Readonly<Record<string, unknown>>): KubeObject {
    try {
      return this.decode('json', new ValueDocument(merged), false).object;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return this.decode('json', new ValueDocument(restore(merged, this.type)), false).object;
    }
  }

  *decodingMerged(merged: Readonly<Record<string, unknown>>): Steps<KubeObject> {
    yield;
    return this.decodeMerged(merged);
  }

  applyDefaults(object: KubeObject): void {
    this.#codecs.defaults.apply(object, this.type);
    this.#defaults?.(object);
  }

  encode(media: Media, object: KubeObject, pretty: boolean): Buffer {
    object.kind = this.kind;
    object.apiVersion = this.apiVersion;
    return encodeObject(this.#codecs, media, object, this.type, pretty);
  }

  encoding(media: Media, object: KubeObject, pretty: boolean): Steps<Buffer> {
    object.kind = this.kind;
    object.apiVersion = this.apiVersion;
    return encodingObject(this.#codecs, media, object, this.type, pretty);
  }

  encodeStored(object: KubeObject, written?: WrittenObjects): Buffer {
    const { json } = this.#codecs;
    if (this.#keptAsJson) return json.encodeBuffer(object, this.type);
    return json.encodeStored(object, this.type, written && ((value, parsed) => written.give(value, parsed as KubeObject)));
  }

  /** A body may leave out what the URL says; it must not contradict it. */
  #checkKind(object: KubeObject, media: Media, body: Buffer | JsonDocument): void {
    const kind = object.kind || this.kind;
    // Go reads an empty group where there is nothing before the slash.
    const stated = object.apiVersion?.replace(/^\/(?=[^/]+$)/, '') || this.apiVersion;
    const apiVersion = this.#alsoAccepted.includes(stated) ? this.apiVersion : stated;
    if (kind !== this.kind || apiVersion !== this.apiVersion) {
      // An object is first read as what it says it is: then that may fail before the kind is compared.
      const gv = parseGroupVersion(apiVersion);
      const type = gv && this.#codecs.schema.typeOf({ ...gv, kind });
      if (type !== undefined) decodeObject(this.#codecs, media, body, type, false);
      throw this.#mismatch(kind, apiVersion);
    }
    object.kind = kind;
    object.apiVersion = apiVersion;
  }

  #mismatch(kind: string, apiVersion: string): ApiError {
    const gv = parseGroupVersion(apiVersion);
    const cannot = `${kind} in version ${JSON.stringify(gv?.version ?? apiVersion)} cannot be handled as a ${this.kind}`;
    if (gv === undefined || this.#codecs.schema.typeOf({ ...gv, kind }) === undefined) {
      const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
      return badRequest(`${cannot}: ${why}`, { cause: new DecodeError(why) });
    }
    if (kind !== this.kind) {
      const why = `converting (${gv.version}.${kind}) to (${internalPackage(this.group)}.${this.kind}): unknown conversion`;
      return badRequest(`${cannot}: ${why}`, { cause: new DecodeError(why) });
    }
    return badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${this.apiVersion})`);
  }
}

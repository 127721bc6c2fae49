import type { Steps } from '../../base/steps.ts';
import type { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import type { JsonDocument } from '../../machinery/codec/json/document.ts';
import type { StructType } from '../../machinery/type-model.ts';
import type { KindProfile } from './profile.ts';
import type { Media, MediaTypes } from '../http/media-types.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { WrittenObjects } from './written-objects.ts';

/** A kind at one version: how it is read, defaulted and written. Built-in kinds get theirs from the schema, custom ones from their definition. */
export interface VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** `v1` or `group/version` */
  readonly apiVersion: string;
  readonly type: StructType;
  readonly mediaTypes: MediaTypes;
  /** the warning for every request to this version: that it is deprecated */
  readonly warnings?: readonly string[];
  /** what is not the same for built-in and custom kinds */
  readonly profile: KindProfile;
  /** where `fieldsV1` of stored objects are known from others; undefined: they are read each time */
  readonly fieldTexts?: FieldTexts;
  /** Throws DecodeError when the body cannot be read as this kind. */
  decode(media: Media, body: Buffer | JsonDocument, strict: boolean): DecodedObject;
  /** An object that server-side apply has merged, as if it had been read; shares nothing with it. Throws DecodeError. */
  decodeMerged(merged: Readonly<Record<string, unknown>>): KubeObject;
  /** The same for what may be large. */
  decodingMerged(merged: Readonly<Record<string, unknown>>): Steps<KubeObject>;
  /** How long an object of so many characters may be once it has its defaults; undefined: not much longer. */
  mostGrown?(length: number): number;
  /** Declared defaults and those of the kind, in place. */
  applyDefaults(object: KubeObject): void;
  /** The object with kind and apiVersion of this version. */
  encode(media: Media, object: KubeObject, pretty: boolean): Buffer;
  /** The same for what may be large. */
  encoding(media: Media, object: KubeObject, pretty: boolean): Steps<Buffer>;
  /** complete JSON as it is stored, from an object without a resource version; `written`: the value is about to be written */
  encodeStored(object: KubeObject, written?: WrittenObjects): Buffer;
  /** The same for what may be large; undefined where it takes little time however large it is. */
  encodingStored?(object: KubeObject): Steps<Buffer>;
}

export interface DecodedObject {
  readonly object: KubeObject;
  /** unknown and duplicate fields, only with `strict` */
  readonly strictErrors: readonly string[];
}

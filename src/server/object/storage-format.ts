// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/{protobuf,versioning}, k8s.io/apiserver/pkg/server/storage/storage_codec.go
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { decodeEnvelope, hasMagic } from '../../machinery/codec/protobuf/envelope.ts';
import { interpret, readDocument } from '../../machinery/codec/json/document.ts';
import type { TypeMeta } from '../../machinery/codec/json/document.ts';
import type { StructType } from '../../machinery/type-model.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { Transformed, Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { Codecs } from './codecs.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { VersionedKind } from './versioned-kind.ts';
import type { WrittenObjects } from './written-objects.ts';

export type StorageMediaType = 'application/json' | 'application/vnd.kubernetes.protobuf';

/** JSON in another version than the one above this line. */
export interface JsonForm {
  readonly versionedKind: VersionedKind;
  readonly fromHub: (object: KubeObject) => KubeObject;
}

export interface StorageFormat {
  readonly codecs: Codecs;
  readonly storage: VersionedKind;
  readonly mediaType: StorageMediaType;
  /** an object stored at another version, in the storage version */
  readonly toStorage: (object: KubeObject, apiVersion: string) => KubeObject;
  /** written so, whatever the media type */
  readonly asJson?: JsonForm;
  /** what values were made of */
  readonly written?: WrittenObjects;
}

/**
 * Values as upstream keeps them in etcd: protobuf in an envelope by default, JSON where asked. Both are read, from any writer;
 * above this line a value is always JSON in our own canonical form.
 */
export function storageFormat(format: StorageFormat): Transformer {
  const { codecs, storage, mediaType, asJson, written } = format;
  const isJson = asJson !== undefined || mediaType === 'application/json';
  return {
    toStorage(value) {
      const isHub = asJson === undefined || asJson.versionedKind.apiVersion === storage.apiVersion;
      if (isJson && isHub) return Buffer.concat([value, newline]);
      const object = written?.take(value) ?? (parseJson(value.toString()) as KubeObject);
      if (asJson !== undefined) return Buffer.concat([asJson.versionedKind.encodeStored(asJson.fromHub(object)), newline]);
      return codecs.protobuf.encodeEnveloped(object, storage.type, storage);
    },
    fromStorage(value) {
      const isProtobuf = hasMagic(value);
      return canonical(format, isProtobuf ? readProtobuf(format, value) : readJson(format, value), isProtobuf === isJson);
    },
  };
}

const newline = Buffer.from('\n');

function readProtobuf(format: StorageFormat, value: Buffer): KubeObject {
  const { raw, typeMeta } = decodeEnvelope(value);
  return format.codecs.protobuf.decode(raw, typeOf(format, typeMeta), typeMeta) as KubeObject;
}

/** Its writer may have left out what objects of the type always have. */
function readJson(format: StorageFormat, value: Buffer): KubeObject {
  const document = readDocument(value);
  const { object } = format.codecs.json.decode(document, typeOf(format, interpret(document)), 'ignore');
  return object as KubeObject;
}

function typeOf({ codecs, storage }: StorageFormat, { apiVersion, kind }: TypeMeta): StructType {
  const gv = parseGroupVersion(apiVersion);
  const type = apiVersion === storage.apiVersion ? storage.type : gv && codecs.schema.typeOf({ ...gv, kind });
  if (type === undefined) throw new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  return type;
}

function canonical({ storage, toStorage, asJson }: StorageFormat, object: KubeObject, stale: boolean): Transformed {
  const { apiVersion = storage.apiVersion } = object;
  const current = apiVersion === storage.apiVersion ? object : toStorage(object, apiVersion);
  current.kind = storage.kind;
  current.apiVersion = storage.apiVersion;
  delete current.metadata.resourceVersion;
  // Its writer may be of a release that knew fewer defaults.
  storage.applyDefaults(current);
  return { value: storage.encodeStored(current), stale: stale || apiVersion !== (asJson?.versionedKind ?? storage).apiVersion };
}

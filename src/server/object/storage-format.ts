// Upstream: apimachinery/pkg/runtime/serializer/{protobuf,versioning}, apiserver/pkg/server/storage/storage_codec.go
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { decodeEnvelope, encodeEnvelope, hasMagic } from '../../machinery/codec/protobuf/envelope.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { Transformed, Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { Codecs } from './codecs.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { Representation } from './representation.ts';

export type StorageMediaType = 'application/json' | 'application/vnd.kubernetes.protobuf';

export interface StorageFormat {
  readonly codecs: Codecs;
  readonly storage: Representation;
  readonly mediaType: StorageMediaType;
  /** an object that somebody stored at another version, in the storage version */
  readonly toStorage: (object: KubeObject, apiVersion: string) => KubeObject;
}

/**
 * Values as the original keeps them in etcd: protobuf in an envelope by default, JSON where asked. Both are read, whoever wrote them;
 * above this line a value is always JSON in our own canonical form.
 */
export function storageFormat(format: StorageFormat): Transformer {
  const { codecs, storage, mediaType } = format;
  return {
    toStorage(value) {
      if (mediaType === 'application/json') return Buffer.concat([value, newline]);
      const object = parseJson(value.toString()) as KubeObject;
      return encodeEnvelope(codecs.protobuf.encode(object, storage.type), { kind: storage.kind, apiVersion: storage.apiVersion });
    },
    fromStorage(value) {
      const isProtobuf = hasMagic(value);
      const object = isProtobuf ? readProtobuf(format, value) : (parseJson(value.toString()) as KubeObject);
      return canonical(format, object, isProtobuf !== (mediaType === 'application/vnd.kubernetes.protobuf'));
    },
  };
}

const newline = Buffer.from('\n');

function readProtobuf({ codecs, storage }: StorageFormat, value: Buffer): KubeObject {
  const { raw, typeMeta } = decodeEnvelope(value);
  const gv = parseGroupVersion(typeMeta.apiVersion);
  const type = typeMeta.apiVersion === storage.apiVersion ? storage.type : gv && codecs.schema.typeOf({ ...gv, kind: typeMeta.kind });
  if (type === undefined)
    throw new Error(`no kind ${JSON.stringify(typeMeta.kind)} is registered for version ${JSON.stringify(typeMeta.apiVersion)}`);
  return codecs.protobuf.decode(raw, type, typeMeta) as unknown as KubeObject;
}

function canonical({ storage, toStorage }: StorageFormat, object: KubeObject, stale: boolean): Transformed {
  const { apiVersion = storage.apiVersion } = object;
  const current = apiVersion === storage.apiVersion ? object : toStorage(object, apiVersion);
  current.kind = storage.kind;
  current.apiVersion = storage.apiVersion;
  delete current.metadata.resourceVersion;
  // Whoever stored it may be of a release that knew fewer defaults.
  storage.applyDefaults(current);
  return { value: storage.encodeStored(current), stale: stale || apiVersion !== storage.apiVersion };
}

import type { GroupResource } from '../../machinery/errors.ts';
import { identityTransformer } from '../../storage/encryption/ciphers/identity.ts';
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import { RecentValues } from '../../storage/encryption/recent-values.ts';
import { withTransformer } from '../../storage/encryption/with-transformer.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TracedKey } from '../../storage/traced-storage.ts';
import { EncodedStorage, EncryptedStorage, TracedStorage } from '../../storage/traced-storage.ts';
import type { Codecs } from '../object/codecs.ts';
import type { KubeObject } from './definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { JsonForm, StorageMediaType } from '../object/storage-format.ts';
import { storageFormat } from '../object/storage-format.ts';
import { WrittenObjects } from '../object/written-objects.ts';
import { BuiltInVersionedKind } from '../object/built-in-versioned-kind.ts';

export interface TransformedStorageOptions {
  readonly codecs: Codecs;
  readonly storage: Storage;
  readonly storageMediaType?: StorageMediaType;
  readonly encryption?: (resource: GroupResource) => Transformer;
  /** `/registry` */
  readonly storagePrefix: string;
}

/** How a resource is stored below a prefix. */
export interface StoredResource {
  /** `services/specs` */
  readonly prefix: string;
  readonly groupResource: GroupResource;
  readonly storage: VersionedKind;
  /** an object that was stored at another version, in the storage version */
  readonly toStorage: (object: KubeObject, apiVersion: string) => KubeObject;
  /** stored as JSON of a version of its own, whatever the media type of the others */
  readonly asJson?: JsonForm;
  /** not encrypted, whatever is asked for */
  readonly plain?: boolean;
}

interface StoredAs {
  readonly groupResource: GroupResource;
  readonly plain: boolean;
  readonly format: Transformer | undefined;
  readonly kind: string;
}

/** The store as resources see it: plain JSON, whatever is written. One transaction may write objects of several of them. */
export class TransformedStorage {
  readonly storage: Storage;
  /** for those who write values that are kept in another format */
  readonly written: WrittenObjects | undefined;
  readonly #options: TransformedStorageOptions;
  readonly #resources = new Map<string, StoredAs>();

  constructor(options: TransformedStorageOptions) {
    this.#options = options;
    const { storage: driver, storageMediaType, encryption, codecs } = options;
    this.written = storageMediaType === 'application/vnd.kubernetes.protobuf' ? new WrittenObjects() : undefined;
    const encryptionAt = (key: string): Transformer => this.#encryptionOf(this.#resourceAt(key));
    const below = new EncryptedStorage(driver);
    const encrypted = new EncodedStorage(encryption === undefined ? below : withTransformer(below, encryptionAt));
    const encoded =
      storageMediaType === undefined
        ? encrypted
        : withTransformer(encrypted, (key) => this.#resourceAt(key).format as Transformer, new RecentValues());
    this.storage = new TracedStorage(encoded, storageMediaType === undefined ? 'store' : 'etcd3', (key) => this.#describe(key));
    this.add({
      prefix: 'ranges',
      groupResource: { group: '', resource: 'servicenodeportallocations' },
      storage: new BuiltInVersionedKind({ group: '', version: 'v1', kind: 'RangeAllocation' }, codecs),
      toStorage: (object) => object,
      // Kept for compatibility: upstream does not encrypt these, and could not read them otherwise.
      plain: true,
    });
    const leases = { masterleases: 'apiServerIPInfo', peerserverleases: 'apiServerPeerIPInfo' };
    for (const [prefix, resource] of Object.entries(leases)) {
      this.add({
        prefix,
        groupResource: { group: '', resource },
        storage: new BuiltInVersionedKind({ group: '', version: 'v1', kind: 'Endpoints' }, codecs),
        toStorage: (object) => object,
        // Kept for compatibility, as above.
        plain: true,
      });
    }
  }

  /** Where two resources share a prefix (events), the first one says how. */
  add({ prefix, groupResource, storage, toStorage, asJson, plain = false }: StoredResource): void {
    if (this.#resources.has(prefix)) return;
    const { codecs, storageMediaType: mediaType } = this.#options;
    const { written } = this;
    const format =
      mediaType === undefined
        ? undefined
        : storageFormat({ codecs, storage, mediaType, toStorage, ...(asJson && { asJson }), ...(written && { written }) });
    this.#resources.set(prefix, { groupResource, format, plain, kind: storage.kind });
  }

  /** How values at a key are encoded, and then encrypted; undefined: no resource that was added is stored there. */
  transformersAt(key: string): readonly [format: Transformer, encryption: Transformer] | undefined {
    const resource = this.#find(key);
    return resource && [resource.format ?? identityTransformer, this.#encryptionOf(resource)];
  }

  #encryptionOf({ groupResource, plain }: StoredAs): Transformer {
    const { encryption } = this.#options;
    return plain || encryption === undefined ? identityTransformer : encryption(groupResource);
  }

  /** What traces say of a key. */
  #describe(key: string): TracedKey {
    const { groupResource, kind } = this.#resourceAt(key);
    const { group, resource } = groupResource;
    // Upstream shows the type of Go that it decodes to: packages have the names of groups without what comes after the first dot.
    const type = `*${group === '' ? 'core' : group.split('.')[0]}.${kind}`;
    return { attributes: { key: key.slice(this.#options.storagePrefix.length), group, resource }, type };
  }

  #resourceAt(key: string): StoredAs {
    const resource = this.#find(key);
    if (resource === undefined) throw new Error(`no resource is stored at ${key}`);
    return resource;
  }

  /** Prefixes have one part or two. */
  #find(key: string): StoredAs | undefined {
    const start = this.#options.storagePrefix.length + 1;
    const first = key.indexOf('/', start);
    const second = key.indexOf('/', first + 1);
    return (second < 0 ? undefined : this.#resources.get(key.slice(start, second))) ?? this.#resources.get(key.slice(start, first));
  }
}

import type { GroupResource } from '../../machinery/errors.ts';
import type { VersionedKind } from '../../server/object/versioned-kind.ts';
import type { ResourceFactory } from '../../server/registry/built-in.ts';
import type { StoredEntry } from '../../server/registry/entry.ts';
import type { Resource, ResourceNames } from '../../server/registry/resource.ts';
import { Store } from '../../server/registry/store.ts';
import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import type { EntryView } from '../../storage/cache/mapped-cache.ts';
import { mappedCache } from '../../storage/cache/mapped-cache.ts';
import type { WatchCache } from '../../storage/cache/types.ts';
import { createWatchCache } from '../../storage/cache/watch-cache.ts';
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import { withTransformer } from '../../storage/encryption/with-transformer.ts';
import { measuredStorage } from '../../storage/measured-storage.ts';
import type { KeyValue, Storage } from '../../storage/storage.ts';
import type { CustomStorageFormat, StoredObjects } from './custom-storage-format.ts';
import { customValues } from './custom-values.ts';

/**
 * The stores of a definition's versions. They share one cache, of objects in the version in which they are stored; other versions of an object are
 * made when they are first read. What a webhook converts is cached per version instead: no read waits for a webhook, and labels may differ.
 */
export class VersionCaches {
  readonly groupResource: GroupResource;
  readonly all: WatchCache<StoredEntry>[] = [];
  readonly #objects: StoredObjects;
  readonly #factory: ResourceFactory;
  /** values before a version's format has read them */
  readonly #values: Storage;
  readonly #stores = new Map<VersionedKind, Store>();
  #shared: WatchCache<StoredEntry> | undefined;

  constructor({ group, plural }: ResourceNames, objects: StoredObjects, factory: ResourceFactory) {
    this.groupResource = { group, resource: plural };
    this.#objects = objects;
    this.#factory = factory;
    const { storage, encryption, storageMediaType, codecs } = factory;
    const encrypted = encryption === undefined ? storage : withTransformer(storage, () => encryption(this.groupResource));
    this.#values = storageMediaType === undefined ? encrypted : withTransformer(encrypted, () => customValues(codecs));
  }

  storeOf(resource: Resource, format: CustomStorageFormat): Store {
    const storage = this.#formatted(format);
    const [sibling] = this.#objects.areViewedAlike ? this.#stores.values() : [];
    const cacheOf = (store: Store): WatchCache<StoredEntry> => {
      if (!this.#objects.areViewedAlike) return this.#newCache(storage, resource, (kv) => store.decode(kv));
      this.#shared ??= this.#newCache(this.#formatted(this.#objects), resource, (kv) => this.#storeOf(kv).decode(kv));
      return mappedCache(this.#shared, viewOf(store, this.#objects, format));
    };
    const store = new Store(resource, storage, cacheOf, { sibling, encryptionEra: this.#factory.encryptionEra });
    this.#stores.set(resource.storage, store);
    // Made at once: `all` is complete when the definition goes away.
    void store.cache;
    return store;
  }

  /** The store of the version in which it is. */
  #storeOf(kv: KeyValue): Store {
    return this.#stores.get(this.#objects.versionOf(kv.value)) as Store;
  }

  #formatted(format: Transformer): Storage {
    const { metrics } = this.#factory;
    return measuredStorage(
      withTransformer(this.#values, () => format),
      metrics,
      this.groupResource,
    );
  }

  #newCache(storage: Storage, { keyPrefix }: Resource, decode: (kv: KeyValue) => StoredEntry): WatchCache<StoredEntry> {
    const { clock, log, metrics, pace, replaced } = this.#factory;
    const cache = createWatchCache<StoredEntry>(storage, {
      prefix: keyPrefix,
      decode,
      tombstone: (last, revision) => last.at(revision),
      bytesOf: ({ value }) => value.length,
      clock,
      log,
      metrics,
      pace,
      replaced,
      resource: this.groupResource,
    });
    this.all.push(cache);
    return cache;
  }
}

/** Entries in the version of a store. Those that were made from others live as long as these. */
function viewOf(store: Store, objects: StoredObjects, format: CustomStorageFormat): EntryView<StoredEntry> {
  const made = new WeakMap<Buffer, StoredEntry>();
  function* making({ key, revision, value, stale }: StoredEntry): Steps<StoredEntry> {
    let view = made.get(value);
    if (view !== undefined) return view;
    const converted = yield* format.convertingAtOnce(value);
    view = store.decode({ key, value: converted, modRevision: revision, createRevision: 0, version: 0, stale });
    made.set(value, view);
    return view;
  }
  const isServed = ({ value }: StoredEntry): boolean => objects.versionOf(value) === store.resource.storage;
  return {
    map(entry) {
      if (isServed(entry)) return entry;
      const { revision, stale, value } = entry;
      const view = made.get(value) ?? allSteps(making(entry));
      return view.revision === revision ? view : view.at(revision, stale);
    },
    *prepare(entry) {
      if (!isServed(entry)) yield* making(entry);
    },
  };
}

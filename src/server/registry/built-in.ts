// Upstream: k8s.io/kubernetes/pkg/registry/*/rest/storage_*.go
import type { ServedGroupVersion, ServedResource } from '../../schema/resources.ts';
import type { WatchCache } from '../../storage/cache/types.ts';
import { measuredStorage } from '../../storage/measured-storage.ts';
import type { Pace } from '../../storage/cache/pace.ts';
import { createWatchCache } from '../../storage/cache/watch-cache.ts';
import type { GroupResource } from '../../machinery/errors.ts';
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { Clock } from '../../base/clock.ts';
import { timestamp } from '../../machinery/time.ts';
import type { Codecs } from '../object/codecs.ts';
import type { StoredResource } from './transformed-storage.ts';
import { TransformedStorage } from './transformed-storage.ts';
import type { DeclaredValidation } from './declared-validation.ts';
import { declaredValidation } from './declared-validation.ts';
import type { KubeObject, ResourceDefinition, Strategy, Verb, VirtualResource } from './definition.ts';
import type { StoredEntry } from './entry.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource, ResourceNames } from './resource.ts';
import { toStorage } from './resource.ts';
import type { StorageMediaType } from '../object/storage-format.ts';
import { Store } from './store.ts';
import { BuiltInVersionedKind } from '../object/built-in-versioned-kind.ts';

export interface ResourceFactory {
  readonly codecs: Codecs;
  readonly storage: Storage;
  /** the store of a built-in resource; undefined: `storage` is that of all */
  readonly storageOf?: (resource: GroupResource) => Storage;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** of the watches of all resources */
  readonly pace: Pace;
  /** of every entry that is not current any more */
  readonly replaced?: (entry: StoredEntry) => void;
  /** the format of values in a store that others read too (etcd); undefined: our own JSON */
  readonly storageMediaType?: StorageMediaType;
  readonly encryption?: (resource: GroupResource) => Transformer;
  /** how often keys were replaced; undefined: they stay as they are */
  readonly encryptionEra?: () => number;
  /** false: no garbage collector is there to take its finalizers away */
  readonly garbageCollection: boolean;
  /** `/registry` unless --etcd-prefix says otherwise */
  readonly storagePrefix: string;
  /** entries of the values that built-in resources have written, for servers whose stores share values; undefined: each resource has its own */
  readonly written?: WeakMap<Buffer, StoredEntry>;
}

/** A resource that is not stored, as it is served. */
export interface VirtualRegistration {
  readonly names: ResourceNames;
  readonly versions: ReadonlyMap<string, VersionedKind>;
  readonly definition: VirtualResource;
}

/** A served resource of one group, with every version that serves it. */
export interface ResourceFacts extends Required<Pick<Resource, 'subresourceVerbs' | 'subresourceKinds' | 'groupResource'>> {
  readonly names: ResourceNames;
  readonly versions: readonly string[];
  /** undefined: it is not stored */
  readonly stored: ServedResource['storage'];
}

/** All of them that are stored, with the definitions' behaviour added; kinds without one get the generic rules. */
export function builtInResources(
  facts: Iterable<ResourceFacts>,
  definitions: readonly ResourceDefinition[],
  factory: ResourceFactory,
): Resource[] {
  const byName = new Map(definitions.map((definition) => [`${definition.group}/${definition.plural}`, definition]));
  const transformed = new Map<Storage, TransformedStorage>();
  const transformedStorageOf = ({ groupResource: { group, resource }, stored }: ResourceFacts): TransformedStorage => {
    // Resources that share what is stored (events) share its place.
    const storage = factory.storageOf?.({ group: stored?.group ?? group, resource }) ?? factory.storage;
    let known = transformed.get(storage);
    if (known === undefined) transformed.set(storage, (known = new TransformedStorage({ ...factory, storage })));
    return known;
  };
  const byPrefix = new Map<string, Store>();
  const resources: Resource[] = [];
  for (const known of facts) {
    if (known.stored === undefined) continue;
    const { group, plural } = known.names;
    const definition = byName.get(`${group}/${plural}`) ?? { group, plural };
    const resource = buildResource(known, known.stored, definition, factory, transformedStorageOf(known), byPrefix);
    byPrefix.set(resource.keyPrefix, resource.store);
    resources.push(resource);
  }
  return resources;
}

/** Resources that are not stored, for which there is a definition. */
export function virtualResources(
  facts: ReadonlyMap<string, ResourceFacts>,
  definitions: readonly ResourceDefinition[],
  codecs: Codecs,
): VirtualRegistration[] {
  return definitions.flatMap(({ group, plural, virtual, strategy }) => {
    const known = facts.get(`${group}/${plural}`);
    if (virtual === undefined || known === undefined || known.stored !== undefined) return [];
    const { names, versions } = known;
    const defaultsOf = (version: string): ((object: KubeObject) => void) | undefined =>
      strategy?.defaults && ((object) => strategy.defaults?.(object, version));
    const versionedKinds = versions.map(
      (version) => [version, new BuiltInVersionedKind({ group, version, kind: names.kind }, codecs, defaultsOf(version))] as const,
    );
    return [{ names, versions: new Map(versionedKinds), definition: virtual }];
  });
}

/** What the group versions say of their resources, by `group/plural`. */
export function resourceFacts(groupVersions: Iterable<ServedGroupVersion>): ReadonlyMap<string, ResourceFacts> {
  const found = new Map<string, ResourceFacts>();
  for (const { group, version, resources } of groupVersions) {
    for (const resource of resources) {
      const key = `${group}/${resource.name}`;
      const known = found.get(key);
      if (known !== undefined) found.set(key, { ...known, versions: [...known.versions, version] });
      else found.set(key, factsOf(group, version, resource));
    }
  }
  return found;
}

function factsOf(group: string, version: string, resource: ServedResource): ResourceFacts {
  const { name, storage: stored, subresources = [] } = resource;
  return {
    names: namesOf(group, resource),
    groupResource: { group, resource: name },
    versions: [version],
    stored,
    subresourceVerbs: new Map(subresources.map((subresource) => [subresource.name, subresource.verbs])),
    subresourceKinds: new Map(subresources.map((subresource) => [subresource.name, subresource])),
  };
}

function namesOf(group: string, facts: ServedResource): ResourceNames {
  return {
    group,
    plural: facts.name,
    singular: facts.singular,
    kind: facts.kind,
    listKind: `${facts.kind}List`,
    namespaced: facts.namespaced,
    shortNames: facts.shortNames ?? [],
    categories: facts.categories ?? [],
    verbs: facts.verbs as readonly Verb[],
  };
}

function defaulting({ defaults, timeDefaults }: Strategy, version: string, clock: Clock): ((object: KubeObject) => void) | undefined {
  if (timeDefaults === undefined) return defaults && ((object) => defaults(object, version));
  return (object) => {
    defaults?.(object, version);
    timeDefaults(object, version, timestamp(clock.now()));
  };
}

function buildResource(
  { names, groupResource, versions, subresourceVerbs, subresourceKinds }: ResourceFacts,
  stored: NonNullable<ServedResource['storage']>,
  definition: ResourceDefinition,
  factory: ResourceFactory,
  transformedStorage: TransformedStorage,
  byPrefix: ReadonlyMap<string, Store>,
): Resource {
  const { storagePrefix, codecs } = factory;
  const { group, kind, namespaced } = names;
  const strategy: Strategy = definition.strategy ?? {};
  const keptAsJson = definition.jsonStorageVersion !== undefined || factory.storageMediaType === 'application/json';
  const versionedKindOf = (ofGroup: string, version: string): VersionedKind =>
    new BuiltInVersionedKind({ group: ofGroup, version, kind }, codecs, defaulting(strategy, version, factory.clock), keptAsJson);
  const served = new Map(versions.map((version) => [version, versionedKindOf(group, version)]));
  const hub = definition.hubVersion ?? (stored.group === group ? stored.version : undefined);
  const storage = (hub === undefined ? undefined : served.get(hub)) ?? versionedKindOf(stored.group, stored.version);
  const resource: Omit<Resource, 'store' | 'declared'> & { store: Store | undefined; declared?: DeclaredValidation } = {
    group,
    kind,
    errorKind: stored.group === group ? undefined : { group: stored.group, kind },
    namespaced,
    names,
    groupResource,
    definition,
    strategy,
    hasStatus: subresourceVerbs.has('status'),
    tracksGeneration: Boolean(strategy.generation),
    versions: served,
    storage,
    store: undefined,
    subresourceVerbs,
    subresourceKinds,
    keyPrefix: `${storagePrefix}/${stored.prefix}/`,
    storagePrefix,
    garbageCollected: factory.garbageCollection,
  };
  resource.declared = declaredValidation(resource as Resource, codecs.rules);
  transformedStorage.add(storedResource(resource as Resource, factory));
  const driver = measuredStorage(transformedStorage.storage, factory.metrics, resource.groupResource);
  const newCache = (store: Store): WatchCache<StoredEntry> =>
    createWatchCache<StoredEntry>(driver, {
      prefix: resource.keyPrefix,
      decode: (kv) => store.decode(kv),
      tombstone: (last, revision) => last.at(revision),
      bytesOf: ({ value }) => value.length,
      clock: factory.clock,
      log: factory.log,
      metrics: factory.metrics,
      pace: factory.pace,
      replaced: factory.replaced,
      resource: resource.groupResource,
      ...(definition.indexedFields !== undefined && { indexedFields: definition.indexedFields }),
    });
  const sibling = byPrefix.get(resource.keyPrefix);
  const cacheOf = sibling === undefined ? newCache : () => sibling.cache;
  resource.store = new Store(resource as Resource, driver, cacheOf, {
    sibling,
    writing: transformedStorage.written,
    written: factory.written,
    encryptionEra: factory.encryptionEra,
  });
  return resource as Resource;
}

/** How a built-in resource is stored. */
export function storedResource(
  resource: Resource,
  { codecs, storagePrefix }: Pick<ResourceFactory, 'codecs' | 'storagePrefix'>,
): StoredResource {
  const { storage, groupResource, definition, keyPrefix } = resource;
  const prefix = keyPrefix.slice(storagePrefix.length + 1, -1);
  const toHub = (object: KubeObject, apiVersion: string): KubeObject => {
    const from = [...resource.versions.values()].find((version) => version.apiVersion === apiVersion);
    if (from !== undefined) return toStorage(resource, from, object);
    return resource.definition.conversions?.[apiVersion]?.toStorage(object) ?? object;
  };
  const { jsonStorageVersion: version } = definition;
  if (version === undefined) return { prefix, groupResource, storage, toStorage: toHub };
  const json = new BuiltInVersionedKind({ group: resource.group, version, kind: resource.kind }, codecs, undefined, true);
  const fromHub = definition.conversions?.[json.apiVersion]?.fromStorage ?? ((object: KubeObject): KubeObject => object);
  return { prefix, groupResource, storage, toStorage: toHub, asJson: { versionedKind: json, fromHub } };
}

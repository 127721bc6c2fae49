// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go#getOrCreateServingInfoFor
import { compareKubeAwareVersions } from '../../machinery/version.ts';
import type { CustomResourceDefinitionVersion } from '../../schema/types/apiextensions-v1.ts';
import type { ResourceFactory } from '../../server/registry/built-in.ts';
import type { ResourceDefinition, Strategy, Verb } from '../../server/registry/definition.ts';
import type { StoredEntry } from '../../server/registry/entry.ts';
import type { Resource, ResourceNames } from '../../server/registry/resource.ts';
import type { Store } from '../../server/registry/store.ts';
import type { WatchCache } from '../../storage/cache/types.ts';
import { celMetrics } from './cel-metrics.ts';
import type { Converter } from '../conversion/converter.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { ObjectMetas } from '../schema/object-meta.ts';
import { metaType } from '../../server/object/codecs.ts';
import { CustomVersionedKind } from './custom-versioned-kind.ts';
import { CustomStorageFormat, StoredObjects } from './custom-storage-format.ts';
import { VersionCaches } from './version-caches.ts';
import { versionDefinition } from './version-definition.ts';
import { VersionSchema } from './version-schema.ts';

export const customVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** One served version of a custom resource: versions differ in schema, columns and subresources, so each is a resource of its own. */
export interface ServedVersion {
  readonly resource: Resource;
  readonly versionedKind: CustomVersionedKind;
  readonly version: CustomResourceDefinitionVersion;
}

/** What a definition brings into being. */
export interface ServedDefinition {
  readonly definition: CustomResourceDefinition;
  readonly versions: readonly ServedVersion[];
  /** through which instances are deleted with their definition */
  readonly storage: Resource;
  readonly caches: readonly WatchCache<StoredEntry>[];
}

/** The resources of a definition whose names are accepted. */
export function serveDefinition(definition: CustomResourceDefinition, factory: ResourceFactory, converter: Converter): ServedDefinition {
  const { spec } = definition;
  const preserveUnknown = spec.preserveUnknownFields === true;
  const metas = new ObjectMetas(factory.codecs.json, metaType(factory.codecs, 'ObjectMeta'));
  const names = namesOf(definition);
  const all = (spec.versions ?? []).map((version) => {
    const schema = new VersionSchema(version.schema?.openAPIV3Schema, preserveUnknown, metas);
    const kind = { group: spec.group, version: version.name, kind: names.kind, listKind: names.listKind };
    return {
      version,
      versionedKind: new CustomVersionedKind(kind, schema, preserveUnknown, deprecationOf(definition, version), factory.codecs),
    };
  });
  const stored = all.find(({ version }) => version.storage);
  if (stored === undefined) throw new Error(`${definition.metadata.name ?? ''} has no storage version`);
  const versionedKinds = new Map(all.map(({ version, versionedKind }) => [version.name, versionedKind]));
  const objects = new StoredObjects(stored.versionedKind, versionedKinds.values(), converter);
  const caches = new VersionCaches(names, objects, factory);
  const build = ({ version, versionedKind }: (typeof all)[number]): ServedVersion => {
    const hooks = versionDefinition({ definition, version, versionedKind, metas, metrics: celMetrics(factory.metrics) });
    return { resource: buildResource(names, hooks, versionedKind, versionedKinds, objects, caches, factory), versionedKind, version };
  };
  // What is stored may be in any of them, served or not.
  const built = all.map(build);
  const versions = built.filter(({ version }) => version.served);
  const storage = (built.find(({ version }) => version.storage) as ServedVersion).resource;
  return { definition, versions, storage, caches: caches.all };
}

function namesOf({ spec, status }: CustomResourceDefinition): ResourceNames {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = status.acceptedNames;
  return {
    group: spec.group,
    plural,
    singular,
    kind,
    listKind,
    namespaced: spec.scope === 'Namespaced',
    shortNames,
    categories,
    verbs: customVerbs,
  };
}

function buildResource(
  names: ResourceNames,
  definition: ResourceDefinition & { readonly strategy: Strategy; readonly hasStatus: boolean },
  versionedKind: CustomVersionedKind,
  versions: ReadonlyMap<string, CustomVersionedKind>,
  objects: StoredObjects,
  caches: VersionCaches,
  factory: ResourceFactory,
): Resource {
  const { group, plural, kind, namespaced } = names;
  const format = new CustomStorageFormat(versionedKind, objects);
  const resource: Omit<Resource, 'store'> & { store: Store | undefined } = {
    group,
    kind,
    namespaced,
    names,
    groupResource: caches.groupResource,
    definition,
    strategy: definition.strategy,
    hasStatus: definition.hasStatus,
    tracksGeneration: false,
    unstructured: true,
    versions,
    storage: versionedKind,
    store: undefined,
    keyPrefix: `${factory.storagePrefix}/${group}/${plural}/`,
    storagePrefix: factory.storagePrefix,
    garbageCollected: factory.garbageCollection,
    convert: (object, apiVersion) => objects.converter.convert(object, apiVersion),
    ...(format.converts && { readBack: (value: Buffer) => format.readBack(value) }),
  };
  resource.store = caches.storeOf(resource as Resource, format);
  return resource as Resource;
}

/** The warning for every request to a deprecated version. */
function deprecationOf(
  { spec }: CustomResourceDefinition,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
): string | undefined {
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const { group, names } = spec;
  const newer = (spec.versions ?? [])
    .filter((version) => version.served && !version.deprecated && compareKubeAwareVersions(name, version.name) < 0)
    .map((version) => version.name)
    .sort((a, b) => compareKubeAwareVersions(b, a));
  const text = `${group}/${name} ${names.kind} is deprecated`;
  return newer[0] === undefined ? text : `${text}; use ${group}/${newer[0]} ${names.kind}`;
}

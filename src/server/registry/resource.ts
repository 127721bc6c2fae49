import type { GroupResource } from '../../machinery/errors.ts';
import type { Conversion, KubeObject, ResourceDefinition, Strategy, Verb } from './definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { RuleSubject } from './rules.ts';
import type { Store } from './store.ts';

/** Names and scope of a resource, as discovery shows them. */
export interface ResourceNames {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
}

/** The kind of a subresource; group and version where they are not those of the resource. */
export interface SubresourceKind {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
}

/** A resource as the server serves it: names, versions, hooks and its store. */
export interface Resource extends RuleSubject {
  readonly names: ResourceNames;
  readonly groupResource: GroupResource;
  readonly definition: ResourceDefinition;
  readonly strategy: Strategy;
  /** served versions by name */
  readonly versions: ReadonlyMap<string, VersionedKind>;
  readonly storage: VersionedKind;
  readonly store: Store;
  /** verbs of its subresources by name, where they are facts of the API; undefined for custom resources */
  readonly subresourceVerbs?: ReadonlyMap<string, readonly string[]>;
  /** kinds that its subresources take, where they are facts of the API; what a kind does not say is that of the resource */
  readonly subresourceKinds?: ReadonlyMap<string, SubresourceKind>;
  /** `/registry/configmaps/` */
  readonly keyPrefix: string;
  /** what all keys of the server begin with: `/registry` */
  readonly storagePrefix: string;
  /** --enable-garbage-collector: deletions leave it finalizers */
  readonly garbageCollected: boolean;
  /** what reading will give of a value that is about to be written, where objects are converted on their way to the store and back */
  readonly readBack?: (value: Buffer) => Promise<Buffer>;
  /** an object in another version, where that is no matter of its definition's conversions; the object given may be changed */
  readonly convert?: (object: KubeObject, apiVersion: string) => KubeObject | Promise<KubeObject>;
}

/** The object in the storage version; may be the same object, changed. */
export function toStorage(resource: Resource, from: VersionedKind, object: KubeObject, before?: KubeObject): KubeObject {
  if (from === resource.storage) return object;
  const converted = conversionOf(resource, from)?.toStorage(object, before) ?? object;
  converted.kind = resource.storage.kind;
  converted.apiVersion = resource.storage.apiVersion;
  return converted;
}

export function fromStorage(resource: Resource, to: VersionedKind, object: KubeObject): KubeObject {
  if (to === resource.storage) return object;
  const converted = conversionOf(resource, to)?.fromStorage(object) ?? object;
  converted.kind = to.kind;
  converted.apiVersion = to.apiVersion;
  return converted;
}

function conversionOf(resource: Resource, { group, version }: VersionedKind): Conversion | undefined {
  const { conversions } = resource.definition;
  return conversions?.[`${group}/${version}`] ?? conversions?.[version];
}

/** `/registry/pods/default/web` */
export function keyOf(resource: Pick<Resource, 'keyPrefix' | 'namespaced'>, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.keyPrefix}${namespace}/${name}` : resource.keyPrefix + name;
}

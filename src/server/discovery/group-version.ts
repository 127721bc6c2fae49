import type { GroupVersion } from '../../machinery/type-model.ts';
import type { ServedGroupVersion } from '../../schema/resources.ts';

/** A resource or, with a slash in its name, a subresource, as discovery shows it. */
export interface DiscoveredResource {
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  /** of the kind, where they are not those of the resource */
  readonly group?: string;
  readonly version?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/**
 * Who serves a group version, which a client can tell: built-in ones stand on routes that know their methods and media types, those of
 * custom resources do not, and another server speaks for itself.
 */
export type Origin = 'built-in' | 'custom' | 'aggregated';

/** A group version as long as it is served. */
export interface DiscoveredGroupVersion extends GroupVersion {
  readonly origin: Origin;
  /** as in its APIService */
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly resources: readonly DiscoveredResource[];
  /** the same as the aggregated server itself has it in its aggregated discovery, which is passed on as it is */
  readonly described?: readonly object[];
  /** what an aggregated server said is old, since it cannot be reached */
  readonly stale?: boolean;
}

/** Priorities that custom resources have in their APIServices. */
export const customResourcePriorities = { groupPriority: 1000, versionPriority: 100 } as const;

/** The aggregator's own group has no APIService; its place is before all others. */
const ownGroupPriorities = { groupPriority: 20_001, versionPriority: 0 } as const;

export function builtInGroupVersion(served: ServedGroupVersion): DiscoveredGroupVersion {
  return {
    group: served.group,
    version: served.version,
    origin: 'built-in',
    groupPriority: served.groupPriority ?? ownGroupPriorities.groupPriority,
    versionPriority: served.versionPriority ?? ownGroupPriorities.versionPriority,
    resources: served.resources.flatMap((resource): DiscoveredResource[] => {
      const { storage: _, subresources = [], ...shown } = resource;
      const below = subresources.map((subresource) => ({
        ...subresource,
        name: `${resource.name}/${subresource.name}`,
        singular: '',
        namespaced: resource.namespaced,
      }));
      return [shown, ...below];
    }),
  };
}

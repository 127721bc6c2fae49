// Upstream: k8s.io/apiserver/pkg/endpoints/discovery/aggregated/peer_aggregated_handler.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type {
  APIGroupDiscovery,
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
} from '../../schema/types/apidiscovery-v2.ts';
import { mergedOrder } from './order.ts';

export type Groups = readonly APIGroupDiscovery[];

/** What all servers together serve, by identity of the server. The first by identity has the word where they differ in detail. */
export function mergedGroups(byServer: ReadonlyMap<string, Groups>): Groups {
  const lists = [...byServer].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, groups]) => groups);
  return merged(lists, nameOf, (one, other) => {
    const versions = merged([one.versions ?? [], other.versions ?? []], ({ version }) => version, mergedVersion);
    return { ...one, versions: [...versions] };
  });
}

export function nameOf({ metadata }: APIGroupDiscovery): string {
  return metadata.name ?? '';
}

function mergedVersion(one: APIVersionDiscovery, other: APIVersionDiscovery): APIVersionDiscovery {
  const resources = merged([one.resources ?? [], other.resources ?? []], ({ resource }) => resource, mergedResource);
  return { ...one, resources: [...resources] };
}

/** Verbs and subresources of both, by name. */
function mergedResource(one: APIResourceDiscovery, other: APIResourceDiscovery): APIResourceDiscovery {
  if (deepEqual(one, other)) return one;
  const verbs = [...new Set([...(one.verbs ?? []), ...(other.verbs ?? [])])].toSorted();
  const subresources = new Map([...(one.subresources ?? []), ...(other.subresources ?? [])].map((each) => [each.subresource, each]));
  return {
    ...one,
    verbs,
    ...(subresources.size > 0 && { subresources: byName([...subresources.values()]) }),
  };
}

function byName(subresources: readonly APISubresourceDiscovery[]): APISubresourceDiscovery[] {
  return subresources.toSorted((one, other) => (one.subresource < other.subresource ? -1 : 1));
}

function merged<T>(lists: readonly (readonly T[])[], name: (item: T) => string, join: (one: T, other: T) => T): readonly T[] {
  const items = new Map<string, T>();
  for (const item of lists.flat()) {
    const known = items.get(name(item));
    items.set(name(item), known === undefined ? item : join(known, item));
  }
  const order = mergedOrder(lists.map((list) => list.map(name)));
  return order.flatMap((key) => items.get(key) ?? []);
}

// Upstream: k8s.io/apiserver/pkg/storageversion/manager.go#ResourceInfo, k8s.io/apiserver/pkg/endpoints/installer.go
import type { ServedGroupVersion } from '../../schema/resources.ts';
import { groupResourceName } from '../../machinery/errors.ts';
import { compareKubeAwareVersions } from '../../machinery/version.ts';
import { olderVersions } from './decodable-versions.ts';

/** How this server stores a resource, and what it makes of what others have stored. */
export interface StoredResourceVersions {
  /** of the StorageVersion: group and resource */
  readonly name: string;
  /** the same objects under the names of other groups included */
  readonly resources: readonly string[];
  readonly encodingVersion: string;
  readonly decodableVersions: readonly string[];
  readonly servedVersions: readonly string[];
}

interface Found {
  readonly group: string;
  readonly plural: string;
  readonly prefix: string;
  readonly encodingVersion: string;
  readonly served: string[];
  readonly known: string[];
}

/** Of all that is served; `known` are versions that could be. Resources that share what is stored are one, under the first of their names. */
export function storedResources(served: readonly ServedGroupVersion[], known: readonly ServedGroupVersion[]): StoredResourceVersions[] {
  const found = collect(served);
  for (const { group, version, resources } of known) {
    for (const { name } of resources) found.get(resourceName(group, name))?.known.push(version);
  }
  const byPrefix = Map.groupBy(
    [...found.values()].toSorted((left, right) => compareTexts(left.group, right.group) || compareTexts(left.plural, right.plural)),
    ({ prefix }) => prefix,
  );
  return [...byPrefix.values()].map((same) => {
    const [{ group, plural, encodingVersion, served: versions, known: own }, ...others] = same as [Found, ...Found[]];
    const decodable = [...new Set([...own, ...(olderVersions[group]?.[plural] ?? [])])].toSorted((left, right) =>
      compareKubeAwareVersions(right, left),
    );
    return {
      name: `${group === '' ? 'core' : group}.${plural}`,
      resources: same.map((one) => resourceName(one.group, one.plural)),
      encodingVersion,
      decodableVersions: [
        ...decodable.map((version) => groupVersion(group, version)),
        ...others.flatMap((other) => other.served.map((version) => groupVersion(other.group, version))),
      ],
      servedVersions: versions.map((version) => groupVersion(group, version)),
    };
  });
}

function collect(served: readonly ServedGroupVersion[]): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const { group, version, resources } of served) {
    for (const { name, storage } of resources) {
      if (storage === undefined) continue;
      const key = resourceName(group, name);
      const before = found.get(key);
      if (before !== undefined) before.served.push(version);
      else {
        const { prefix } = storage;
        const encodingVersion = groupVersion(storage.group, storage.version);
        found.set(key, { group, plural: name, prefix, encodingVersion, served: [version], known: [] });
      }
    }
  }
  return found;
}

function resourceName(group: string, resource: string): string {
  return groupResourceName({ group, resource });
}

function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

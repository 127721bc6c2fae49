// Upstream: k8s.io/apiserver/pkg/server/deleted_kinds.go#removeUnintroducedKinds, k8s.io/apiserver/pkg/server/storage/resource_encoding_config.go#emulatedStorageVersion
import { createHash } from 'node:crypto';
import { compareKubeAwareVersions } from '../machinery/version.ts';
import type { Schema } from '../schema/index.ts';
import type { ServedGroupVersion, ServedResource } from '../schema/resources.ts';
import type { ApiPreferences } from './api-enablement.ts';
import type { EffectiveVersion } from './effective-version.ts';
import { ownVersion } from './effective-version.ts';

type Lifecycles = Pick<Schema, 'lifecycleOf'>;

/** What is in the API of the release that is emulated, of everything that is in this one, and stored as that release does. */
export function emulatedApis(
  all: readonly ServedGroupVersion[],
  version: EffectiveVersion,
  preferences: ApiPreferences,
  schema: Lifecycles,
): readonly ServedGroupVersion[] {
  if (version.emulation === ownVersion.emulation && version.minCompatibility === ownVersion.minCompatibility) return all;
  const introduced = (group: string, of: string, kind: string): number =>
    Number(schema.lifecycleOf({ group, version: of, kind })?.introduced?.split('.')[1] ?? 0);
  const kept = new Map<ServedGroupVersion, readonly ServedResource[]>();
  // From the lowest version of a group to its highest: what is served of a lower one decides on what is newer.
  const ordered = all.toSorted((one, other) => compareKubeAwareVersions(one.version, other.version));
  const enabled = new Set<string>();
  for (const groupVersion of ordered) {
    const { group, version: of, resources } = groupVersion;
    const serves = ({ name, kind }: ServedResource): boolean => {
      const since = introduced(group, of, kind);
      if (since <= version.emulation) return true;
      if (version.forwardCompatible && enabled.has(`${group}/${name}`)) return true;
      const isNamed = preferences.get(`${group}/${of}/${name}`) === true;
      if (version.forwardCompatibleByName && (isNamed || preferences.get(`${group}/${of}`) === true)) return true;
      if (!isNamed) return false;
      throw new Error(
        `cannot enable resource ${group}/${of}, Resource=${name} in runtime-config because it is introduced at 1.${since} after the current version 1.${version.emulation}. Consider setting --runtime-config-emulation-forward-compatible=true`,
      );
    };
    const served = resources.filter(serves);
    if (!of.includes('alpha')) for (const { name } of served) enabled.add(`${group}/${name}`);
    if (served.length === 0 && preferences.get(`${group}/${of}`) === true) {
      throw new Error(
        `cannot enable version ${group === '' ? of : `${group}/${of}`} in runtime-config because all the resources have been introduced after the current version 1.${version.emulation}. Consider setting --runtime-config-emulation-forward-compatible=true`,
      );
    }
    kept.set(groupVersion, served);
  }
  const stored = storageVersions(all, version, introduced);
  return all.flatMap((groupVersion) => {
    const resources = kept.get(groupVersion) ?? [];
    return resources.length === 0 ? [] : [{ ...groupVersion, resources: resources.map((resource) => stored(resource)) }];
  });
}

/** The version that a kind is stored in: the highest that servers of the oldest compatible release can read. */
export function storageVersions(
  all: readonly ServedGroupVersion[],
  { emulation, minCompatibility }: Pick<EffectiveVersion, 'emulation' | 'minCompatibility'>,
  introduced: (group: string, version: string, kind: string) => number,
): (resource: ServedResource) => ServedResource {
  return (resource) => {
    const { storage } = resource;
    if (storage === undefined) return resource;
    const { group, kind } = storage;
    const versions = all
      .filter((one) => one.group === group && one.resources.some((other) => other.kind === kind && other.storage !== undefined))
      .map(({ version }) => version)
      .toSorted((one, other) => compareKubeAwareVersions(other, one));
    // Stored in a version that is not served at all: custom resource definitions are, whatever the release.
    if (!versions.includes(storage.version)) return resource;
    const chosen =
      versions.find((version) => !version.includes('alpha') && introduced(group, version, kind) <= minCompatibility) ??
      versions.find((version) => introduced(group, version, kind) <= emulation);
    if (chosen === undefined || chosen === storage.version) return resource;
    const storageVersionHash = createHash('sha256').update(`${group}/${chosen}/${kind}`).digest().subarray(0, 8).toString('base64');
    return { ...resource, storage: { ...storage, version: chosen }, storageVersionHash };
  };
}

// Upstream: k8s.io/apiserver/pkg/server/resourceconfig/helpers.go, k8s.io/kubernetes/pkg/registry/*/rest/storage_*.go
import type { Logger } from '../base/log.ts';
import type { ServedGroupVersion } from '../schema/resources.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import type { FeatureGates } from '../server/registry/features.ts';

/**
 * What to serve and what not, by `group/version/resource`, `group/version` or level (`api/beta`); the narrower one counts. The core group's
 * name is empty: `/v1`.
 */
export type ApiPreferences = ReadonlyMap<string, boolean>;

/** Keys for versions of one maturity; of two that apply to a version the later one counts. */
const levels: Readonly<Record<string, RegExp>> = {
  'api/all': /^/,
  'api/ga': /^v\d+$/,
  'api/beta': /^v\d+beta\d+$/,
  'api/alpha': /^v\d+alpha\d+$/,
};

export const apiLevels: readonly string[] = Object.keys(levels);

/** Resources that take a feature gate as well. */
const gates: Readonly<Record<string, string>> = {
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'certificates.k8s.io/podcertificaterequests': 'PodCertificateRequest',
  'lifecycle.k8s.io/evictionrequests': 'EvictionRequestAPI',
  'lifecycle.k8s.io/evictions': 'EvictionRequestAPI',
  'scheduling.k8s.io/compositepodgroups': 'CompositePodGroup',
  'scheduling.k8s.io/podgroups': 'GenericWorkload',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
};

/** Throws when one of the keys means no API that this server has, and says which there are. */
export function refuseUnknownApis(keys: readonly string[]): void {
  const versions = servedGroupVersions().map(({ group, version, resources }) => ({ id: `${group}/${version}`, resources }));
  for (const key of keys) {
    if (apiLevels.includes(key)) continue;
    const found = versions.find(({ id }) => key === id || key.startsWith(`${id}/`));
    if (found === undefined) {
      throw new TypeError(`there is no API ${key}; there are ${[...apiLevels, ...versions.map(({ id }) => id)].join(', ')}`);
    }
    const names = found.resources.map(({ name }) => name);
    const resource = key.slice(found.id.length + 1);
    if (resource !== '' && !names.includes(resource)) {
      throw new TypeError(`there is no resource ${resource} in ${found.id}; there are ${names.join(', ')}`);
    }
  }
}

/** What a server serves of everything it could. A group version without resources is not served. */
export function enabledApis(
  all: readonly ServedGroupVersion[],
  preferences: ApiPreferences,
  features: FeatureGates,
  log: Pick<Logger, 'warn'>,
): readonly ServedGroupVersion[] {
  return all.flatMap((groupVersion) => {
    const { group, version, resources } = groupVersion;
    const id = `${group}/${version}`;
    const ofVersion = preferences.get(id) ?? levelPreference(version, preferences) ?? groupVersion.servedByDefault;
    const served = resources.filter(({ name, kind }) => {
      if (!(preferences.get(`${id}/${name}`) ?? ofVersion)) return false;
      const gate = gates[`${group}/${name}`];
      if (gate === undefined || features.enabled(gate)) return true;
      log.warn(`${kind} storage is disabled because the ${gate} feature gate is disabled`);
      return false;
    });
    if (served.length === 0) return [];
    return [served.length === resources.length ? groupVersion : { ...groupVersion, resources: served }];
  });
}

/** Kinds that were switched off altogether: they are not served, but the server keeps its own books in some. */
export function unservedKinds(all: readonly ServedGroupVersion[], served: readonly ServedGroupVersion[]): readonly ServedGroupVersion[] {
  const names = new Set(served.flatMap(({ group, resources }) => resources.map(({ name }) => `${group}/${name}`)));
  return all
    .filter(({ servedByDefault }) => servedByDefault)
    .map((one) => ({ ...one, resources: one.resources.filter(({ name }) => !names.has(`${one.group}/${name}`)) }))
    .filter(({ resources }) => resources.length > 0);
}

function levelPreference(version: string, preferences: ApiPreferences): boolean | undefined {
  const level = apiLevels.findLast((key) => preferences.has(key) && levels[key]?.test(version));
  return level === undefined ? undefined : preferences.get(level);
}

// Upstream: k8s.io/apiserver/pkg/server/deleted_kinds.go#removeDeletedKinds, k8s.io/kubernetes/pkg/registry/*/rest/storage_*.go
import { compareKubeAwareVersions } from '../machinery/version.ts';
import type { ServedGroupVersion, ServedResource } from '../schema/resources.ts';
import type { EffectiveVersion } from './effective-version.ts';

/** Versions of resources that are gone in this release or in one that it emulates; the minor release that took each away. */
const removals: readonly (readonly [group: string, version: string, resource: string, removed: number])[] = [
  ['admissionregistration.k8s.io', 'v1beta1', 'validatingadmissionpolicies', 34],
  ['admissionregistration.k8s.io', 'v1beta1', 'validatingadmissionpolicybindings', 34],
  ['certificates.k8s.io', 'v1alpha1', 'clustertrustbundles', 37],
  ['networking.k8s.io', 'v1beta1', 'ipaddresses', 37],
  ['networking.k8s.io', 'v1beta1', 'servicecidrs', 37],
  ['storage.k8s.io', 'v1beta1', 'volumeattributesclasses', 37],
];

/** Everything that there is, and what the emulated release still has, or the one before it where that is to be served for one more release. */
export function withRemovedApis(
  all: readonly ServedGroupVersion[],
  { emulation, servesRemoved = false }: Pick<EffectiveVersion, 'emulation' | 'servesRemoved'>,
): readonly ServedGroupVersion[] {
  return removals
    .filter(([, , , removed]) => removed > emulation || (removed === emulation && servesRemoved))
    .reduce((known, [group, version, name]) => withResource(known, group, version, name), all);
}

function withResource(all: readonly ServedGroupVersion[], group: string, version: string, name: string): readonly ServedGroupVersion[] {
  const ofGroup = all.filter((one) => one.group === group);
  const newest = ofGroup.find(({ resources }) => resources.some((one) => one.name === name));
  const resource = newest?.resources.find((one) => one.name === name);
  if (newest === undefined || resource === undefined) throw new Error(`no version of ${name}.${group} is served`);
  const present = ofGroup.find((one) => one.version === version);
  if (present !== undefined) {
    const resources = [...present.resources, resource].toSorted(byName);
    return all.map((one) => (one === present ? { ...present, resources } : one));
  }
  const added: ServedGroupVersion = {
    ...newest,
    version,
    servedByDefault: false,
    versionPriority: version.includes('alpha') ? 1 : 9,
    resources: [resource],
  };
  const next = all.findLastIndex((one) => one.group === group && compareKubeAwareVersions(one.version, version) > 0) + 1;
  return all.toSpliced(next, 0, added);
}

function byName(one: ServedResource, other: ServedResource): number {
  return one.name < other.name ? -1 : 1;
}

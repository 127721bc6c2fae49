// Upstream: k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper/helpers.go, k8s.io/apiserver/pkg/endpoints/discovery/aggregated/handler.go
import { compareKubeAwareVersions } from '../../machinery/version.ts';
import type { DiscoveredGroupVersion } from './group-version.ts';

export interface DiscoveredGroup {
  readonly name: string;
  /** the preferred one first */
  readonly versions: readonly DiscoveredGroupVersion[];
}

type Tie = (a: DiscoveredGroupVersion, b: DiscoveredGroupVersion) => number;

/** Groups of equal priority follow the names of their APIServices in `/apis`, and their own names in aggregated discovery. */
const byServiceName: Tie = (a, b) => compareText(`${a.version}.${a.group}`, `${b.version}.${b.group}`);
const byGroupName: Tie = (a, b) => compareText(a.group, b.group);

export function groupsInOrder(all: readonly DiscoveredGroupVersion[], aggregated: boolean): DiscoveredGroup[] {
  const tie = aggregated ? byGroupName : byServiceName;
  const groups = new Map<string, DiscoveredGroupVersion[]>();
  for (const one of all.toSorted((a, b) => b.groupPriority - a.groupPriority || tie(a, b))) {
    const known = groups.get(one.group);
    if (known === undefined) groups.set(one.group, [one]);
    else known.push(one);
  }
  return Array.from(groups, ([name, versions]) => ({ name, versions: versions.sort(byVersion) }));
}

function byVersion(a: DiscoveredGroupVersion, b: DiscoveredGroupVersion): number {
  return b.versionPriority - a.versionPriority || compareKubeAwareVersions(b.version, a.version);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

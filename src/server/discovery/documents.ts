// Upstream: k8s.io/apiserver/pkg/endpoints/discovery/{group,version}.go, k8s.io/apiserver/pkg/endpoints/installer.go#ConvertGroupVersionIntoToDiscovery
import { apiVersionOf } from '../../machinery/type-model.ts';
import type { DiscoveredGroupVersion, DiscoveredResource } from './group-version.ts';
import type { DiscoveredGroup } from './order.ts';

interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

interface ApiGroupFields {
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion: GroupVersionForDiscovery;
}

export interface ApiGroup extends ApiGroupFields {
  readonly kind: 'APIGroup';
  readonly apiVersion: 'v1';
}

export interface ApiGroupList {
  readonly kind: 'APIGroupList';
  readonly apiVersion: 'v1';
  readonly groups: readonly ApiGroupFields[];
}

export interface ApiResourceList {
  readonly kind: 'APIResourceList';
  readonly apiVersion?: 'v1';
  readonly groupVersion: string;
  readonly resources: readonly object[];
}

export function apiGroup(group: DiscoveredGroup): ApiGroup {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) };
}

export function apiGroupList(groups: readonly DiscoveredGroup[]): ApiGroupList {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(groupFields) };
}

function groupFields({ name, versions }: DiscoveredGroup): ApiGroupFields {
  const shown = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: shown, preferredVersion: shown[0] as GroupVersionForDiscovery };
}

/** The core group's list says no apiVersion: the first clients did not know it, and it stayed that way. */
export function apiResourceList(groupVersion: DiscoveredGroupVersion): ApiResourceList {
  return {
    kind: 'APIResourceList',
    ...(groupVersion.group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(groupVersion),
    resources: groupVersion.resources.map(({ singular, ...resource }) => ({ ...resource, singularName: singular })),
  };
}

export interface ApiGroupDiscoveryList {
  readonly metadata: object;
  readonly items: readonly object[];
}

export function apiGroupDiscoveryList(groups: readonly DiscoveredGroup[]): ApiGroupDiscoveryList {
  return {
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map((one) => ({
        version: one.version,
        resources: one.described ?? resourceDiscoveries(one),
        freshness: one.stale === true ? 'Stale' : 'Current',
      })),
    })),
  };
}

interface ResourceDiscovery {
  readonly resource: string;
  readonly scope: string;
  readonly subresources?: object[];
}

function resourceDiscoveries(groupVersion: DiscoveredGroupVersion): ResourceDiscovery[] {
  const parents = new Map<string, ResourceDiscovery & { subresources?: object[] }>();
  for (const resource of groupVersion.resources) {
    if (resource.name.includes('/')) continue;
    const { name, singular, namespaced, verbs, shortNames, categories } = resource;
    parents.set(name, {
      resource: name,
      responseKind: responseKind(groupVersion, resource),
      scope: scopeOf(namespaced),
      singularResource: singular,
      verbs,
      ...(shortNames !== undefined && { shortNames }),
      ...(categories !== undefined && { categories }),
    } as ResourceDiscovery);
  }
  for (const resource of groupVersion.resources) {
    const slash = resource.name.indexOf('/');
    if (slash < 0) continue;
    const name = resource.name.slice(0, slash);
    let parent = parents.get(name);
    if (parent === undefined) {
      // Clients expect the kind to be there, even where nothing is known of the parent.
      parent = {
        resource: name,
        responseKind: { group: '', version: '', kind: '' },
        scope: scopeOf(resource.namespaced),
        verbs: [],
      } as ResourceDiscovery;
      parents.set(name, parent);
    }
    parent.subresources ??= [];
    parent.subresources.push({
      subresource: resource.name.slice(slash + 1),
      responseKind: responseKind(groupVersion, resource),
      verbs: resource.verbs,
    });
  }
  return [...parents.values()];
}

/** Only custom resources say the group version of a kind that is their own. */
function responseKind({ origin, group, version }: DiscoveredGroupVersion, resource: DiscoveredResource): object {
  const own = origin === 'custom' ? { group, version } : { group: '', version: '' };
  return { group: resource.group ?? own.group, version: resource.version ?? own.version, kind: resource.kind };
}

function scopeOf(namespaced: boolean): string {
  return namespaced ? 'Namespaced' : 'Cluster';
}

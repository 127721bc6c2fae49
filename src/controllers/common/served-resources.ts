// Upstream: k8s.io/client-go/discovery/discovery_client.go, k8s.io/client-go/discovery/aggregated_discovery.go
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { Client } from './client.ts';

const discoveryForm = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** A resource that the server has. */
export interface ServedResource extends GroupVersionKind {
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

export interface Discovered {
  /** versions of a group in the server's order of preference */
  readonly resources: readonly ServedResource[];
  /** group versions of other servers that did not respond, as `group/version`, sorted */
  readonly unknown: readonly string[];
}

interface DiscoveryDocument {
  readonly items: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly singularResource?: string;
        readonly scope?: string;
        readonly verbs?: readonly string[];
        readonly responseKind?: { readonly kind?: string };
      }[];
    }[];
  }[];
}

export async function discover(client: Client): Promise<Discovered> {
  const documents = await Promise.all(['/api', '/apis'].map((path) => client.get(path, discoveryForm)));
  const resources: ServedResource[] = [];
  const unknown: string[] = [];
  for (const { metadata, versions = [] } of (documents as DiscoveryDocument[]).flatMap(({ items }) => items)) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources: served = [] } of versions) {
      if (freshness === 'Stale') unknown.push(`${group}/${version}`);
      for (const { resource, singularResource: singular = '', scope, verbs = [], responseKind } of served)
        resources.push({ group, version, kind: responseKind?.kind ?? '', resource, singular, namespaced: scope === 'Namespaced', verbs });
    }
  }
  return { resources, unknown: unknown.toSorted() };
}

/** Each resource in one version only: the one that the server likes best. */
export function preferred(resources: readonly ServedResource[]): ServedResource[] {
  const first = new Map<string, ServedResource>();
  for (const one of resources) {
    const key = `${one.group}/${one.resource}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** Of the list, of the list in a namespace, or of an object. */
export function resourcePath({ group, version, resource, namespaced }: ServedResource, namespace = '', name = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${resource}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}

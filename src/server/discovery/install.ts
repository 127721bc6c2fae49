// Upstream: k8s.io/kube-aggregator/pkg/apiserver/{apiserver,handler_apis}.go, k8s.io/apiserver/pkg/server/handler.go#director
// Upstream: k8s.io/apiserver/pkg/endpoints/discovery
import type { MetricsRegistry } from '../../base/metrics.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Request } from '../http/request.ts';
import type { Handler, Response } from '../http/response.ts';
import type { Codecs } from '../object/codecs.ts';
import { requireProduced } from '../http/produced.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { ServerAddresses } from './addresses.ts';
import { serverAddressesFor } from './addresses.ts';
import type { ApiGroupDiscoveryList } from './documents.ts';
import { apiGroup, apiGroupDiscoveryList, apiGroupList, apiResourceList } from './documents.ts';
import type { DiscoveredGroupVersion } from './group-version.ts';
import { negotiateAggregated } from './negotiate-aggregated.ts';
import { groupsInOrder } from './order.ts';
import type { DiscoveryRegistry } from './registry.ts';
import { DiscoveryRenderer } from './renderer.ts';

export interface DiscoveryOptions {
  readonly registry: DiscoveryRegistry;
  readonly codecs: Codecs;
  /** known for certain only when the server listens */
  readonly addresses: () => ServerAddresses;
  /** what other API servers serve; undefined: nothing is known of any */
  readonly peers?: DiscoveredPeers | undefined;
  /** for paths at which nothing is */
  readonly notFound: Handler;
  readonly metrics?: MetricsRegistry;
}

/** What other API servers of the cluster serve. */
export interface DiscoveredPeers {
  /** changes whenever that does */
  readonly generation: number;
  /** The groups of this server, and those of its peers. */
  merged(own: ApiGroupDiscoveryList): ApiGroupDiscoveryList;
  /** A client asked for what all serve, which had to be put together, or was known; or for what this server itself serves. */
  asked(which: 'merged' | 'known' | 'own'): void;
}

/** `/api`, `/apis` and what lies below them as far as no resource is meant. */
export function installDiscovery(mux: PathMux, { registry, codecs, addresses, peers, notFound, metrics }: DiscoveryOptions): void {
  const aggregations = metrics?.counter({
    name: 'aggregator_discovery_aggregation_count_total',
    help: 'How often the documents of aggregated discovery were made anew',
  });
  // Both only grow, so that their sum changes with either.
  const renderer = new DiscoveryRenderer(codecs, () => registry.generation + (peers?.generation ?? 0), aggregations?.with());

  const coreVersions: Handler = (request) => {
    requireRoute(request, codecs);
    const aggregated = negotiateAggregated(request, codecs.served.documents.plain);
    if (aggregated?.withoutPeers) peers?.asked('own');
    if (aggregated !== undefined) return renderer.renderAggregated(request, aggregated.media, '/api', () => aggregatedList(true));
    const versions = registry.group('')?.versions.map(({ version }) => version) ?? [];
    return renderer.render(request, 'APIVersions', undefined, () => ({
      kind: 'APIVersions',
      versions,
      serverAddressByClientCIDRs: serverAddressesFor(request, addresses()),
    }));
  };

  const groupList: Handler = (request) => renderer.render(request, 'APIGroupList', '/apis', () => apiGroupList(registry.groups));

  const groups: Handler = (request) => {
    const aggregated = negotiateAggregated(request, codecs.served.documents.plain);
    if (aggregated === undefined) return groupList(request);
    const { media, withoutPeers } = aggregated;
    if (withoutPeers) peers?.asked('own');
    if (withoutPeers || peers === undefined) return renderer.renderAggregated(request, media, '/apis', () => aggregatedList(false));
    let merged: ApiGroupDiscoveryList | undefined;
    const response = renderer.renderAggregated(request, media, '/apis and peers', () => (merged = peers.merged(aggregatedList(false))));
    peers.asked(merged === undefined ? 'known' : 'merged');
    return response;
  };

  function aggregatedList(core: boolean): ApiGroupDiscoveryList {
    return apiGroupDiscoveryList(
      groupsInOrder(
        registry.all.filter(({ group }) => (group === '') === core),
        true,
      ),
    );
  }

  function resources(request: Request, groupVersion: DiscoveredGroupVersion): Response {
    if (groupVersion.origin === 'built-in') requireRoute(request, codecs);
    const key = `${groupVersion.group}/${groupVersion.version}`;
    return renderer.render(request, 'APIResourceList', key, () => apiResourceList(groupVersion));
  }

  /** `/api/v1` */
  const core: Handler = (request) => {
    const [, , version = '', ...rest] = request.path.split('/');
    const groupVersion = registry.get('', version);
    if (groupVersion === undefined || !isEnd(rest)) throw serverResponseError({ code: 404 });
    return resources(request, groupVersion);
  };

  /** `/apis/apps`, `/apis/apps/v1` */
  const named: Handler = (request) => {
    const [, , name = '', version = '', ...rest] = request.path.split('/');
    const group = registry.group(name);
    if (group === undefined || name === '') return notFound(request);
    if (version === '' && isEnd(rest)) return renderer.render(request, 'APIGroup', name, () => apiGroup(group));
    const groupVersion = registry.get(name, version);
    const isBuiltIn = registry.isBuiltIn(name);
    // Below a built-in group every path has a handler; custom resources leave the rest to the end of the chain.
    const answers = isBuiltIn ? groupVersion?.origin === 'built-in' : groupVersion?.origin === 'custom';
    if (groupVersion !== undefined && answers && isEnd(rest)) return resources(request, groupVersion);
    if (isBuiltIn) throw serverResponseError({ code: 404 });
    return notFound(request);
  };

  mux.handle('/api', coreVersions);
  mux.handleUnlisted('/api/', coreVersions);
  mux.handlePrefix('/api/', core);
  mux.handle('/apis', groups);
  mux.handle('/apis/', groupList);
  mux.handlePrefix('/apis/', named);
}

/** Built-in discovery stands on routes with a method and media types of their own. */
function requireRoute(request: Request, { served }: Codecs): void {
  if (request.method !== 'GET') throw serverResponseError({ code: 405 });
  requireProduced(request, served.documents.plain, false);
}

function isEnd(rest: readonly string[]): boolean {
  return rest.length === 0 || (rest.length === 1 && rest[0] === '');
}

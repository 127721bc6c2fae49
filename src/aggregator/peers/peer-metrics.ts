// Upstream: k8s.io/apiserver/pkg/util/peerproxy/metrics/metrics.go, k8s.io/apiserver/pkg/endpoints/discovery/aggregated/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';

export function peerFamilies(registry: MetricsRegistry) {
  const what = ['group', 'version', 'resource'] as const;
  return {
    passedOn: registry.counter({
      name: 'apiserver_rerouted_request_total',
      help: 'Requests that another API server of the cluster served, by its status and by what they were for; for nothing: its discovery',
      labels: ['code', ...what],
    }),
    failures: registry.counter({
      name: 'apiserver_peer_proxy_errors_total',
      help: 'Requests that could not be passed on to another API server of the cluster',
      labels: ['type', ...what],
    }),
    discoveryFailures: registry.counter({
      name: 'apiserver_peer_discovery_sync_errors_total',
      help: 'Times that what another API server serves could not be found out',
      labels: ['type'],
    }),
  };
}

/** Only where discovery of peers is shown. */
export function peerDiscoveryFamilies(registry: MetricsRegistry) {
  return {
    cacheHits: registry.counter({
      name: 'aggregator_discovery_peer_aggregated_cache_hits_total',
      help: 'Times that discovery of all API servers together was asked for, and known',
    }),
    cacheMisses: registry.counter({
      name: 'aggregator_discovery_peer_aggregated_cache_misses_total',
      help: 'Times that discovery of all API servers together was asked for, and had to be put together',
    }),
    ownRequests: registry.counter({
      name: 'aggregator_discovery_nopeer_requests_total',
      help: 'Times that discovery of this API server alone was asked for',
    }),
  };
}

export type PeerMetrics = ReturnType<typeof peerFamilies> & ReturnType<typeof peerDiscoveryFamilies>;

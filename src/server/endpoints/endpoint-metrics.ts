// Upstream: k8s.io/apiserver/pkg/endpoints/metrics/metrics.go, k8s.io/apiserver/pkg/endpoints/handlers/metrics/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';
import { listMetrics } from '../../storage/storage-metrics.ts';
import { exponentialBuckets, linearBuckets } from '../../base/metrics.ts';

const resource = ['group', 'version', 'resource'] as const;

export type EndpointMetrics = ReturnType<typeof endpointMetrics>;

/** What handlers count. */
export function endpointMetrics(registry: MetricsRegistry) {
  const beta = { stability: 'BETA' } as const;
  return {
    lists: listMetrics(registry),
    watchEvents: registry.counter({
      name: 'apiserver_watch_events_total',
      help: 'Events that were sent to watches',
      labels: resource,
      ...beta,
    }),
    watchEventSizes: registry.histogram({
      name: 'apiserver_watch_events_sizes',
      help: 'Bytes in the events that were sent to watches',
      labels: resource,
      buckets: exponentialBuckets(1024, 2, 8),
      ...beta,
    }),
    watchListSeconds: registry.histogram({
      name: 'apiserver_watch_list_duration_seconds',
      help: 'Time until a watch that began with the objects there are had sent them all',
      labels: [...resource, 'scope'],
      buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300],
      ...beta,
    }),
    bodySizes: registry.histogram({
      name: 'apiserver_request_body_size_bytes',
      help: 'Bytes in the bodies of requests that write',
      labels: ['group', 'resource', 'verb'],
      buckets: linearBuckets(50_000, 100_000, 31),
    }),
    deprecated: registry.gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated APIs that clients have asked for; 1 for each of them',
      labels: [...resource, 'subresource', 'removed_release'],
      stability: 'STABLE',
    }),
  };
}

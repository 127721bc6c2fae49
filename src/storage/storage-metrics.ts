// Upstream: k8s.io/apiserver/pkg/storage/etcd3/metrics/metrics.go, k8s.io/apiserver/pkg/storage/metrics/metrics.go
import type { MetricsRegistry } from '../base/metrics.ts';

const ofResource = ['group', 'resource'] as const;
const seconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60] as const;

/** What is asked of the store, whichever it is: dashboards know these names, and etcd is the only store they know. */
export function storageRequestMetrics(registry: MetricsRegistry) {
  const labels = ['operation', ...ofResource] as const;
  return {
    seconds: registry.histogram({
      name: 'etcd_request_duration_seconds',
      help: 'Time that the store took for a request, be it etcd or the embedded one',
      labels,
      buckets: seconds,
    }),
    requests: registry.counter({ name: 'etcd_requests_total', help: 'Requests to the store, be it etcd or the embedded one', labels }),
    errors: registry.counter({ name: 'etcd_request_errors_total', help: 'Requests to the store that failed', labels }),
    listSeconds: registry.histogram({
      name: 'apiserver_storage_list_duration_seconds',
      help: 'Time that the store took for a list',
      labels: ['streamed', ...ofResource],
      buckets: seconds,
    }),
  };
}

/** What the store holds. */
export function storedMetrics(registry: MetricsRegistry) {
  return {
    objects: registry.gauge({
      name: 'apiserver_resource_objects',
      help: 'Stored objects when they were last counted; -1 when they could not be',
      labels: ofResource,
    }),
    deprecatedObjects: registry.gauge({
      name: 'apiserver_storage_objects',
      help: 'Stored objects when they were last counted; -1 when they could not be. apiserver_resource_objects takes its place',
      labels: ['resource'],
      stability: 'STABLE',
      deprecated: '1.34.0',
    }),
    bytes: registry.gauge({
      name: 'apiserver_resource_size_estimate_bytes',
      help: 'About how many bytes the stored objects have; -1 when that is not known',
      labels: ofResource,
    }),
    databaseBytes: registry.gauge({
      name: 'apiserver_storage_size_bytes',
      help: 'Bytes that the files of the store take',
      labels: ['storage_cluster_id'],
      stability: 'STABLE',
    }),
    leaseObjects: registry.histogram({
      name: 'etcd_lease_object_counts',
      help: 'Objects that one lease of etcd is used for',
      buckets: [10, 50, 100, 500, 1000, 2500, 5000],
    }),
  };
}

/** How much is looked at for a list, and how much of it is sent. */
export function listMetrics(registry: MetricsRegistry) {
  const from = ['group', 'resource', 'storage'] as const;
  const old = { deprecated: '1.37.0' } as const;
  return {
    lists: registry.counter({ name: 'apiserver_storage_list_total', help: 'Lists that were read', labels: [...from, 'index'] }),
    fetched: registry.counter({
      name: 'apiserver_storage_list_fetched_objects_total',
      help: 'Objects that were read for lists',
      labels: [...from, 'index'],
    }),
    evaluated: registry.counter({
      name: 'apiserver_storage_list_evaluated_objects_total',
      help: 'Objects that selectors of lists were asked about',
      labels: from,
    }),
    returned: registry.counter({
      name: 'apiserver_storage_list_returned_objects_total',
      help: 'Objects in lists that were sent',
      labels: from,
    }),
    cacheLists: registry.counter({
      name: 'apiserver_cache_list_total',
      help: 'Lists that were read from the watch cache',
      labels: [...ofResource, 'index'],
      ...old,
    }),
    cacheFetched: registry.counter({
      name: 'apiserver_cache_list_fetched_objects_total',
      help: 'Objects that were read from the watch cache for lists',
      labels: [...ofResource, 'index'],
      ...old,
    }),
    cacheReturned: registry.counter({
      name: 'apiserver_cache_list_returned_objects_total',
      help: 'Objects from the watch cache in lists that were sent',
      labels: ofResource,
      ...old,
    }),
  };
}

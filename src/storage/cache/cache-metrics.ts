// Upstream: k8s.io/apiserver/pkg/storage/cacher/metrics/metrics.go
import type { Counter, Histogram, MetricsRegistry } from '../../base/metrics.ts';

const labels = ['group', 'resource'] as const;

/** What watch caches count. */
export function cacheFamilies(registry: MetricsRegistry) {
  const counter = (name: string, help: string) => registry.counter({ name, help, labels });
  terminatedWatchers(registry);
  return {
    initializations: counter('apiserver_watch_cache_initializations_total', 'How often a watch cache was filled from the store'),
    initializationErrors: counter('apiserver_watch_cache_initialization_errors_total', 'How often filling a watch cache failed'),
    initializationSeconds: registry.histogram({
      name: 'apiserver_watch_cache_initialization_duration_seconds',
      help: 'Time that it took to fill a watch cache',
      labels,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600],
    }),
    storageEvents: registry.counter({
      name: 'apiserver_storage_events_received_total',
      help: 'Changes that came from the store',
      labels,
      stability: 'BETA',
    }),
    received: counter('apiserver_watch_cache_events_received_total', 'Changes that watch caches have taken in'),
    dispatched: counter('apiserver_watch_cache_events_dispatched_total', 'Changes that watch caches have passed on to watches'),
    progress: counter('etcd_bookmark_total', 'Times that the store said how far it is, without a change'),
    progressOld: registry.gauge({
      name: 'etcd_bookmark_counts',
      help: 'Times that the store said how far it is, without a change. etcd_bookmark_total takes its place',
      labels,
      deprecated: '1.36.0',
    }),
    revision: registry.gauge({
      name: 'apiserver_watch_cache_resource_version',
      help: 'Resource version that a watch cache has come to',
      labels,
    }),
    capacity: registry.gauge({ name: 'watch_cache_capacity', help: 'Changes that the history of a watch cache has room for', labels }),
    unread: registry.gauge({
      name: 'wheelhouse_watch_unread_bytes',
      help: 'Bytes of events that the clients of watches have not read yet',
      labels,
    }),
    history: registry.gauge({ name: 'wheelhouse_watch_cache_history_events', help: 'Changes in the history of a watch cache', labels }),
    readWait: registry.histogram({
      name: 'apiserver_watch_cache_read_wait_seconds',
      help: 'Time that reads waited until a watch cache was as fresh as they asked for',
      labels,
      buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    }),
    consistentReads: registry.counter({
      name: 'apiserver_watch_cache_consistent_read_total',
      help: 'Reads of the newest state that a watch cache has served',
      labels: [...labels, 'success', 'fallback'],
    }),
    initEvents: counter('apiserver_init_events_total', 'Events that watches were sent before they had caught up with the present'),
    dispatchSeconds: registry.histogram({
      name: 'apiserver_watch_events_dispatch_duration_seconds',
      help: 'Time from the arrival of a change in a watch cache until the watches that it concerns had it, for each of them',
      labels: [...labels, 'stage'],
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    }),
    decodeErrors: counter('apiserver_storage_decode_errors_total', 'Stored values that could not be read'),
  };
}

export function terminatedWatchers(registry: MetricsRegistry) {
  const help = 'Watches that were cut off because their clients read too slowly';
  return registry.counter({ name: 'apiserver_terminated_watchers_total', help, labels });
}

/** What one cache counts. */
export interface CacheMetrics {
  readonly initializationSeconds: Histogram;
  readonly initializations: Counter;
  readonly initializationErrors: () => Counter;
  readonly storageEvents: Counter;
  readonly received: Counter;
  readonly dispatched: Counter;
  readonly progress: Counter;
  readonly decodeErrors: () => Counter;
  readonly initEvents: () => Counter;
  readonly dispatchSeconds: Histogram;
  readonly readWait: Histogram;
  readonly consistentReads: Counter;
  /** Forgets what is shown of a cache that is gone. */
  forget(): void;
}

export interface CacheState {
  readonly revision: number;
  readonly capacity: number;
  /** changes in the history */
  readonly history: number;
  /** bytes, of all watches */
  readonly unread: number;
}

/** Made when a cache is first used: one that is never used shows nothing. */
export function cacheMetrics(
  registry: MetricsRegistry,
  { group, resource }: { group: string; resource: string },
  state: () => CacheState,
): CacheMetrics {
  const families = registry.of(cacheFamilies);
  const progress = families.progress.with(group, resource);
  const stop = registry.onCollect(() => {
    const { revision, capacity, history, unread } = state();
    families.revision.with(group, resource).set(revision);
    families.capacity.with(group, resource).set(capacity);
    families.history.with(group, resource).set(history);
    families.unread.with(group, resource).set(unread);
    families.progressOld.with(group, resource).set(progress.value);
  });
  return {
    initializationSeconds: families.initializationSeconds.with(group, resource),
    initializations: families.initializations.with(group, resource),
    initializationErrors: () => families.initializationErrors.with(group, resource),
    storageEvents: families.storageEvents.with(group, resource),
    received: families.received.with(group, resource),
    dispatched: families.dispatched.with(group, resource),
    progress,
    decodeErrors: () => families.decodeErrors.with(group, resource),
    initEvents: () => families.initEvents.with(group, resource),
    dispatchSeconds: families.dispatchSeconds.with(group, resource, 'total'),
    readWait: families.readWait.with(group, resource),
    consistentReads: families.consistentReads.with(group, resource, 'true', 'false'),
    forget() {
      stop();
      families.revision.remove(group, resource);
      families.capacity.remove(group, resource);
      families.history.remove(group, resource);
      families.unread.remove(group, resource);
      families.progressOld.remove(group, resource);
    },
  };
}

// Upstream: k8s.io/apiserver/pkg/storage/cacher/metrics/metrics.go#RecordShardedWatchStarted
import type { Counter, Gauge } from '../../base/metrics.ts';
import type { Endpoint } from './endpoint.ts';
import type { Selection } from './list-query.ts';
import type { ShardSelector } from './shard-selector.ts';

/** Counts watches that want a part of the objects, and what of the events is not in it. */
export class ShardedWatch implements Disposable {
  readonly #shard: ShardSelector;
  readonly #filtered: Counter;
  readonly #active: Gauge;

  constructor({ context: { metrics }, resource: { groupResource } }: Endpoint, shard: ShardSelector) {
    this.#shard = shard;
    const labels = ['group', 'resource'] as const;
    this.#active = metrics
      .gauge({
        name: 'apiserver_watch_shards_total',
        help: 'Number of active sharded watch connections broken by resource type.',
        labels,
      })
      .with(groupResource.group, groupResource.resource);
    this.#filtered = metrics
      .counter({
        name: 'apiserver_watch_filtered_events_total',
        help: 'Counter of events filtered out by shard selector during watch dispatch, broken by resource type.',
        labels,
      })
      .with(groupResource.group, groupResource.resource);
    this.#active.add(1);
  }

  counting(matches: Selection['matchesAttributes']): Selection['matches'] {
    return (entry) => {
      if (this.#shard.matches(entry)) return matches(entry);
      this.#filtered.inc();
      return false;
    };
  }

  [Symbol.dispose](): void {
    this.#active.add(-1);
  }
}

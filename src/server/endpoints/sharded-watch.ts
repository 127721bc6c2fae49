// Upstream: k8s.io/apiserver/pkg/storage/cacher/metrics/metrics.go#RecordShardedWatchStarted
import type { Counter, Gauge, MetricsRegistry } from '../../base/metrics.ts';
import type { Endpoint } from './endpoint.ts';
import type { Selection } from './list-query.ts';
import type { ShardSelector } from './shard-selector.ts';

export function shardFamilies(registry: MetricsRegistry) {
  const labels = ['group', 'resource'] as const;
  return {
    active: registry.gauge({ name: 'apiserver_watch_shards_total', help: 'Watches of a part of the objects that are open', labels }),
    filtered: registry.counter({
      name: 'apiserver_watch_filtered_events_total',
      help: 'Events that were not sent because they are about another part of the objects',
      labels,
    }),
  };
}

/** Counts watches that want a part of the objects, and what of the events is not in it. */
export class ShardedWatch implements Disposable {
  readonly #shard: ShardSelector;
  readonly #filtered: Counter;
  readonly #active: Gauge;

  constructor({ context: { metrics }, resource: { groupResource } }: Endpoint, shard: ShardSelector) {
    this.#shard = shard;
    const { active, filtered } = shardFamilies(metrics);
    this.#active = active.with(groupResource.group, groupResource.resource);
    this.#filtered = filtered.with(groupResource.group, groupResource.resource);
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

// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/store.go#startObservingCount, k8s.io/apiserver/pkg/storage/etcd3/metrics/metrics.go#UpdateStoreStats
import type { MetricsRegistry } from '../base/metrics.ts';
import type { PostStartHook } from '../server/api-server.ts';
import type { Resource } from '../server/registry/resource.ts';
import { storedMetrics } from '../storage/storage-metrics.ts';
import { periodically } from './bootstrap/periodically.ts';
import type { ServerContext } from './server-context.ts';

export interface StoredMetricsOptions {
  readonly resources: () => Iterable<Resource>;
  /** --etcd-count-metric-poll-period; 0: objects are not counted */
  readonly countIntervalMs: number;
  /** --etcd-db-metric-poll-interval; 0: the size of the files is not looked at */
  readonly sizeIntervalMs: number;
  /** bytes of the store's files, by a name of each store; undefined: it has none */
  readonly databaseBytes: (() => Promise<ReadonlyMap<string, number>>) | undefined;
}

const sampledObjects = 16;

/** Counts what is stored, now and then. */
export function storedMetricsHook(options: StoredMetricsOptions, { clock, log, metrics }: ServerContext): PostStartHook {
  return {
    name: 'storage-object-count-tracker-hook',
    run: async (signal) => {
      const counts = new StoredCounts(metrics, options.resources);
      const count = (): Promise<void> => counts.update();
      const failed = (error: unknown): void => log.error('stored objects could not be counted', { err: error });
      const { countIntervalMs, sizeIntervalMs, databaseBytes } = options;
      if (countIntervalMs > 0) {
        await count().catch(failed);
        periodically(count, { everyMs: countIntervalMs, clock, signal, failed });
      }
      if (databaseBytes !== undefined && sizeIntervalMs > 0) {
        const { databaseBytes: shown } = storedMetrics(metrics);
        const look = async (): Promise<void> => {
          for (const [name, bytes] of await databaseBytes()) shown.with(name).set(bytes);
        };
        const sizeFailed = (error: unknown): void => log.error('size of the store could not be found out', { err: error });
        void look().catch(sizeFailed);
        periodically(look, { everyMs: sizeIntervalMs, clock, signal, failed: sizeFailed });
      }
    },
  };
}

class StoredCounts {
  readonly #families: ReturnType<typeof storedMetrics>;
  readonly #resources: () => Iterable<Resource>;
  /** those that were shown, by name: they go when the resource goes */
  #shown = new Map<string, Resource['groupResource']>();

  constructor(registry: MetricsRegistry, resources: () => Iterable<Resource>) {
    this.#families = storedMetrics(registry);
    this.#resources = resources;
  }

  async update(): Promise<void> {
    const { objects, deprecatedObjects, bytes } = this.#families;
    const now = new Map<string, Resource['groupResource']>();
    for (const resource of this.#resources()) {
      const { group, resource: plural } = resource.groupResource;
      const name = group === '' ? plural : `${plural}.${group}`;
      const stored = await amountOf(resource);
      now.set(name, resource.groupResource);
      objects.with(group, plural).set(stored.objects);
      deprecatedObjects.with(name).set(stored.objects);
      bytes.with(group, plural).set(stored.bytes);
    }
    for (const [name, { group, resource: plural }] of this.#shown) {
      if (now.has(name)) continue;
      objects.remove(group, plural);
      deprecatedObjects.remove(name);
      bytes.remove(group, plural);
    }
    this.#shown = now;
  }
}

/** -1 for what cannot be found out. A resource that no request has asked for yet is counted by the store, and not read. */
async function amountOf({ store, keyPrefix }: Resource): Promise<{ objects: number; bytes: number }> {
  const { cache, storage } = store;
  try {
    if (!cache.isReady) {
      const objects = await storage.count(keyPrefix);
      return { objects, bytes: objects === 0 ? 0 : -1 };
    }
    const { items, total } = cache.list({ prefix: keyPrefix, limit: sampledObjects });
    let sum = 0;
    let count = 0;
    for (const { value } of items) {
      sum += value.length;
      if (++count === sampledObjects) break;
    }
    return { objects: total, bytes: count === 0 ? 0 : Math.round((sum / count) * total) };
  } catch {
    return { objects: -1, bytes: -1 };
  }
}

// Upstream: k8s.io/component-base/metrics/prometheus/workqueue/metrics.go, k8s.io/client-go/util/workqueue/metrics.go
import type { MetricsRegistry } from './metrics.ts';
import { exponentialBuckets } from './metrics.ts';

export function workQueueFamilies(registry: MetricsRegistry) {
  const common = { labels: ['name'], stability: 'BETA' } as const;
  const buckets = exponentialBuckets(1e-8, 10, 10);
  return {
    depth: registry.gauge({ name: 'workqueue_depth', help: 'What waits in a queue', ...common }),
    adds: registry.counter({ name: 'workqueue_adds_total', help: 'What was put into a queue', ...common }),
    waits: registry.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'Time that something waited in a queue before work on it began',
      buckets,
      ...common,
    }),
    works: registry.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'Time that the work on something from a queue took',
      buckets,
      ...common,
    }),
    unfinished: registry.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'Time that all work under way has taken so far; where it grows, something hangs',
      ...common,
    }),
    longest: registry.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'Time that the work which began first of all under way has taken so far',
      ...common,
    }),
    retries: registry.counter({ name: 'workqueue_retries_total', help: 'What was put back into a queue because it failed', ...common }),
  };
}

/** What is measured of one queue of keys. */
export class WorkQueueMetrics<K> {
  readonly #children;
  readonly #added = new Map<K, number>();
  readonly #begun = new Map<K, number>();

  constructor(registry: MetricsRegistry, name: string) {
    const families = workQueueFamilies(registry);
    this.#children = {
      depth: families.depth.with(name),
      adds: families.adds.with(name),
      waits: families.waits.with(name),
      works: families.works.with(name),
      retries: families.retries.with(name),
    };
    const [unfinished, longest] = [families.unfinished.with(name), families.longest.with(name)];
    registry.onCollect(() => {
      const now = performance.now();
      let sum = 0;
      let most = 0;
      for (const began of this.#begun.values()) {
        sum += now - began;
        most = Math.max(most, now - began);
      }
      unfinished.set(sum / 1000);
      longest.set(most / 1000);
      this.#children.depth.set(this.#added.size);
    });
  }

  /** A key that waits already is not counted again. */
  added(key: K): void {
    if (this.#added.has(key)) return;
    this.#added.set(key, performance.now());
    this.#children.adds.inc();
  }

  begun(key: K): void {
    const now = performance.now();
    this.#children.waits.observe((now - (this.#added.get(key) ?? now)) / 1000);
    this.#added.delete(key);
    this.#begun.set(key, now);
  }

  ended(key: K): void {
    const now = performance.now();
    this.#children.works.observe((now - (this.#begun.get(key) ?? now)) / 1000);
    this.#begun.delete(key);
  }

  retried(): void {
    this.#children.retries.inc();
  }

  /** Nothing of what waits will be worked on. */
  emptied(): void {
    this.#added.clear();
  }
}

// Upstream: k8s.io/kube-aggregator/pkg/controllers/status/metrics/metrics.go
import type { MetricsRegistry } from '../base/metrics.ts';

export function availabilityFamilies(registry: MetricsRegistry) {
  return {
    current: registry.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'APIServices: 1 when it is not available, 0 when it is',
      labels: ['name'],
    }),
    total: registry.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'Times that an APIService became unavailable',
      labels: ['name', 'reason'],
    }),
  };
}

/** Whether APIServices are available, as it was last found out. */
export class AvailabilityMetrics {
  readonly #families: ReturnType<typeof availabilityFamilies>;
  readonly #available = new Map<string, boolean>();

  constructor(registry: MetricsRegistry) {
    this.#families = availabilityFamilies(registry);
  }

  found(name: string, isAvailable: boolean, reason: string): void {
    if (!isAvailable && this.#available.get(name) !== false) this.#families.total.with(name, reason).inc();
    this.#available.set(name, isAvailable);
    this.#families.current.with(name).set(isAvailable ? 0 : 1);
  }

  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#available.keys()) {
      if (names.has(name)) continue;
      this.#available.delete(name);
      this.#families.current.remove(name);
    }
  }
}

// Upstream: k8s.io/component-base/metrics/prometheus/slis/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';

export type HealthObserver = (name: string, isHealthy: boolean) => void;

/** How the health checks fare, for `/metrics/slis`. A check counts when all of its path are asked for. */
export class HealthMetrics {
  readonly #families: ReturnType<typeof families>;

  constructor(registry: MetricsRegistry) {
    this.#families = families(registry);
  }

  observer(type: 'healthz' | 'livez' | 'readyz'): HealthObserver {
    const { current, total } = this.#families;
    return (name, isHealthy) => {
      current.with(name, type).set(isHealthy ? 1 : 0);
      total.with(name, type, isHealthy ? 'success' : 'error').inc();
    };
  }
}

function families(registry: MetricsRegistry) {
  return {
    current: registry.gauge({
      name: 'kubernetes_healthcheck',
      help: 'Whether a health check passed when it was last asked',
      labels: ['name', 'type'],
      stability: 'STABLE',
    }),
    total: registry.counter({
      name: 'kubernetes_healthchecks_total',
      help: 'How often a health check was asked, and what came of it',
      labels: ['name', 'type', 'status'],
      stability: 'STABLE',
    }),
  };
}

// Upstream: k8s.io/apiserver/pkg/cel/metrics/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';
import { defaultBuckets } from '../../base/metrics.ts';

/** Rules of custom resources. */
export function celMetrics(registry: MetricsRegistry) {
  const common = { buckets: defaultBuckets, stability: 'BETA' } as const;
  return {
    compilation: registry
      .histogram({
        name: 'apiserver_cel_compilation_duration_seconds',
        help: 'Time that it took to compile the rules of a schema',
        ...common,
      })
      .with(),
    evaluation: registry
      .histogram({
        name: 'apiserver_cel_evaluation_duration_seconds',
        help: 'Time that it took to evaluate the rules for an object',
        ...common,
      })
      .with(),
  };
}

export type CelMetrics = ReturnType<typeof celMetrics>;

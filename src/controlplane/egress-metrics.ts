// Upstream: k8s.io/apiserver/pkg/server/egressselector/metrics/metrics.go
import type { MetricsRegistry } from '../base/metrics.ts';

export function egressFamilies(registry: MetricsRegistry) {
  const labels = ['protocol', 'transport'] as const;
  const prefix = 'apiserver_egress_dialer';
  return {
    starts: registry.counter({ name: `${prefix}_dial_start_total`, help: 'Connections asked for through a proxy', labels }),
    latency: registry.histogram({
      name: `${prefix}_dial_duration_seconds`,
      help: 'Time that a connection through a proxy took to make',
      labels,
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 12.5],
    }),
    failures: registry.counter({
      name: `${prefix}_dial_failure_count`,
      help: 'Connections through a proxy that failed: connect, the proxy was not reached, or proxy, it failed',
      labels: [...labels, 'stage'] as const,
    }),
  };
}

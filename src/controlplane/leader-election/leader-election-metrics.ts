// Upstream: k8s.io/component-base/metrics/prometheus/clientgo/leaderelection/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';

/** Who leads, of several servers on one store, by the Lease that they compete for. */
export function leaderElectionFamilies(registry: MetricsRegistry) {
  return {
    status: registry.gauge({
      name: 'leader_election_master_status',
      help: 'Leases that this server competes for: 1 while it leads, 0 while another does',
      labels: ['name'] as const,
    }),
  };
}

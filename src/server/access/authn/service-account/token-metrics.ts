// Upstream: k8s.io/kubernetes/pkg/serviceaccount/metrics.go
import type { MetricsRegistry } from '../../../../base/metrics.ts';

/** Which tokens of service accounts are used. */
export function tokenMetrics(registry: MetricsRegistry) {
  const beta = { stability: 'BETA' } as const;
  return {
    legacy: registry.counter({ name: 'serviceaccount_legacy_tokens_total', help: 'Uses of tokens from secrets', ...beta }).with(),
    stale: registry
      .counter({ name: 'serviceaccount_stale_tokens_total', help: 'Uses of tokens that live longer than they should have to', ...beta })
      .with(),
    valid: registry
      .counter({ name: 'serviceaccount_valid_tokens_total', help: 'Uses of tokens that are as they should be', ...beta })
      .with(),
  };
}

export type TokenMetrics = ReturnType<typeof tokenMetrics>;

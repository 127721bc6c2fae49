// Upstream: k8s.io/apiserver/pkg/authorization/metrics/metrics.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import type { Decision } from '../../request/authorizer.ts';

export function decisionFamily(registry: MetricsRegistry) {
  return registry.counter({
    name: 'apiserver_authorization_decisions_total',
    help: 'Requests that an authorizer has allowed or denied; what it has no opinion on is not counted',
    labels: ['type', 'name', 'decision'],
  });
}

/** Counts what one authorizer of the chain decides. */
export function decisionCounter(registry: MetricsRegistry, type: string, name: string): (decision: Decision) => Decision {
  const family = decisionFamily(registry);
  return (decision) => {
    if (decision.decision === 'allow') family.with(type, name, 'allowed').inc();
    else if (decision.decision === 'deny') family.with(type, name, 'denied').inc();
    return decision;
  };
}

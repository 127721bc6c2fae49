// Upstream: k8s.io/apiserver/pkg/validation/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';

/**
 * Upstream validates some kinds twice, by hand and by declaration, and counts where the two differ or one of them panics. Here there is one
 * validation, which cannot differ from itself: these stay at zero, for alerts that watch them.
 */
export function registerValidationMetrics(registry: MetricsRegistry): void {
  const beta = { stability: 'BETA' } as const;
  registry.counter({
    name: 'apiserver_validation_declarative_validation_mismatch_total',
    help: 'Differences between two ways to validate the same; always 0, as this server has one',
    ...beta,
  });
  registry.counter({
    name: 'apiserver_validation_declarative_validation_panic_total',
    help: 'Panics of declared validation; always 0, a fault of it is an error of its request',
    ...beta,
  });
  registry.counter({
    name: 'apiserver_validation_duplicate_validation_error_total',
    help: 'Errors that two ways to validate have both found; always 0, as this server has one',
    stability: 'INTERNAL',
  });
}

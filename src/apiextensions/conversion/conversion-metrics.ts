// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';
import { exponentialBuckets } from '../../base/metrics.ts';

/** What went wrong with a webhook, as metrics name it. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

export function conversionFamilies(registry: MetricsRegistry) {
  const labels = ['result', 'failure_type'] as const;
  return {
    perDefinition: registry.histogram({
      name: 'apiserver_crd_conversion_webhook_duration_seconds',
      help: 'Time that it took to convert an object of a custom resource by webhook',
      labels: ['crd_name', 'from_version', 'to_version', 'succeeded'],
      buckets: exponentialBuckets(0.001, 2, 15),
    }),
    requests: registry.counter({
      name: 'apiserver_conversion_webhook_request_total',
      help: 'Conversions by webhook, by how they ended',
      labels,
    }),
    seconds: registry.histogram({
      name: 'apiserver_conversion_webhook_duration_seconds',
      help: 'Time that conversions by webhook took, by how they ended',
      labels,
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
    }),
  };
}

/** What is counted of the webhook of one definition. */
export class ConversionMetrics {
  readonly #families: ReturnType<typeof conversionFamilies>;
  readonly #definition: string;

  constructor(registry: MetricsRegistry, definition: string) {
    this.#families = conversionFamilies(registry);
    this.#definition = definition;
  }

  /** `failure`: '' when there is none; undefined: the webhook was not even called */
  converted(from: string, to: string, began: number, failure: ConversionFailure | '' | undefined): void {
    const seconds = (performance.now() - began) / 1000;
    if (from !== to) this.#families.perDefinition.with(this.#definition, from, to, String(failure === '')).observe(seconds);
    if (failure === undefined) return;
    const result = failure === '' ? 'success' : 'failure';
    this.#families.requests.with(result, failure).inc();
    this.#families.seconds.with(result, failure).observe(seconds);
  }
}

// Upstream: k8s.io/apiserver/plugin/pkg/authorizer/webhook/metrics/metrics.go, k8s.io/apiserver/pkg/authorization/cel/metrics.go
import type { MetricsRegistry } from '../../../../base/metrics.ts';
import { defaultBuckets } from '../../../../base/metrics.ts';
import { ApiError } from '../../../../machinery/errors.ts';

export function webhookAuthorizerFamilies(registry: MetricsRegistry) {
  const name = (what: string): string => `apiserver_authorization_${what}`;
  const byResult = ['name', 'result'] as const;
  const byAuthorizer = ['type', 'name'] as const;
  return {
    evaluations: registry.counter({
      name: name('webhook_evaluations_total'),
      help: 'Tries to ask an authorization webhook, by how they ended: success, timeout, error or canceled',
      labels: byResult,
    }),
    seconds: registry.histogram({
      name: name('webhook_duration_seconds'),
      help: 'Time that an authorization webhook took for one try',
      labels: byResult,
      buckets: defaultBuckets,
    }),
    failOpen: registry.counter({
      name: name('webhook_evaluations_fail_open_total'),
      help: 'Requests that went on to the next authorizer because an authorization webhook could not be asked',
      labels: byResult,
    }),
    conditionErrors: registry.counter({
      name: name('match_condition_evaluation_errors_total'),
      help: 'Requests for which match conditions of an authorizer could not be evaluated',
      labels: byAuthorizer,
    }),
    conditionExclusions: registry.counter({
      name: name('match_condition_exclusions_total'),
      help: 'Requests that an authorizer was not asked about, as its match conditions say',
      labels: byAuthorizer,
    }),
    conditionSeconds: registry.histogram({
      name: name('match_condition_evaluation_seconds'),
      help: 'Time that match conditions of an authorizer took for a request',
      labels: byAuthorizer,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    }),
  };
}

/** What is counted of one webhook. */
export class WebhookAuthorizerMetrics {
  readonly #families: ReturnType<typeof webhookAuthorizerFamilies>;
  readonly #name: string;

  constructor(registry: MetricsRegistry, name: string) {
    this.#families = webhookAuthorizerFamilies(registry);
    this.#name = name;
  }

  attempted(seconds: number, failure: unknown, isClosed: boolean): void {
    const result = failure === undefined ? 'success' : isClosed ? 'canceled' : resultOf(failure);
    this.#families.evaluations.with(this.#name, result).inc();
    this.#families.seconds.with(this.#name, result).observe(seconds);
  }

  failedOpen(failure: unknown): void {
    this.#families.failOpen.with(this.#name, resultOf(failure)).inc();
  }

  conditionsEvaluated(began: number, outcome: 'matches' | 'excluded' | 'error'): void {
    const { conditionErrors, conditionExclusions, conditionSeconds } = this.#families;
    conditionSeconds.with('Webhook', this.#name).observe((performance.now() - began) / 1000);
    if (outcome === 'error') conditionErrors.with('Webhook', this.#name).inc();
    else if (outcome === 'excluded') conditionExclusions.with('Webhook', this.#name).inc();
  }
}

function resultOf(failure: unknown): 'timeout' | 'error' {
  if (failure instanceof ApiError) return failure.status.reason === 'Timeout' || failure.status.code === 504 ? 'timeout' : 'error';
  for (let error = failure; error instanceof Error; error = error.cause) if (error.name === 'TimeoutError') return 'timeout';
  return 'error';
}

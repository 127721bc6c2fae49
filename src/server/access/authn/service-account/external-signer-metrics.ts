// Upstream: k8s.io/kubernetes/pkg/serviceaccount/externaljwt/metrics/metrics.go
import type { MetricsRegistry } from '../../../../base/metrics.ts';

/** What is asked of a process that signs tokens in place of this server. */
export function signerMetrics(metrics: MetricsRegistry) {
  const prefix = 'apiserver_externaljwt';
  return {
    succeededAt: metrics.gauge({
      name: `${prefix}_fetch_keys_success_timestamp`,
      help: 'When keys were last had from the external signer',
    }),
    dataAt: metrics.gauge({ name: `${prefix}_fetch_keys_data_timestamp`, help: 'When the external signer had the keys from their source' }),
    fetches: metrics.counter({ name: `${prefix}_fetch_keys_request_total`, help: 'Requests for keys', labels: ['code'] }),
    signs: metrics.counter({ name: `${prefix}_sign_request_total`, help: 'Requests for signatures', labels: ['code'] }),
    durations: metrics.histogram({
      name: `${prefix}_request_duration_seconds`,
      help: 'Time that requests to the external signer took',
      labels: ['method', 'code'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
  };
}

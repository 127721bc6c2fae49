// Upstream: k8s.io/apiserver/pkg/endpoints/metrics/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';
import { exponentialBuckets } from '../../base/metrics.ts';

const sliBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60] as const;
const what = ['group', 'version', 'resource', 'subresource', 'scope'] as const;
const where = [...what, 'component'] as const;

export type RequestFamilies = ReturnType<typeof requestFamilies>;

/** What is counted of every request, by what it asks for. */
export function requestFamilies(registry: MetricsRegistry) {
  const stable = { stability: 'STABLE' } as const;
  return {
    total: registry.counter({
      name: 'apiserver_request_total',
      help: 'Requests that were served, by what they asked for and the status code they got',
      labels: ['verb', 'dry_run', ...where, 'code'],
      ...stable,
    }),
    duration: registry.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the arrival of a request until its response was complete',
      labels: ['verb', 'dry_run', ...where],
      buckets: [0.005, 0.025, ...sliBuckets],
      ...stable,
    }),
    sli: registry.histogram({
      name: 'apiserver_request_sli_duration_seconds',
      help: 'Time that the server itself took for a request: without waiting in queues and for admission webhooks',
      labels: ['verb', ...where],
      buckets: sliBuckets,
    }),
    responseSizes: registry.histogram({
      name: 'apiserver_response_sizes',
      help: 'Bytes in responses to requests that read',
      labels: ['verb', ...where],
      buckets: exponentialBuckets(1000, 10, 7),
      ...stable,
    }),
    longRunning: registry.gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Requests under way that stay open for as long as the client likes, such as watches',
      labels: ['verb', ...where],
      ...stable,
    }),
    fieldValidation: registry.histogram({
      name: 'field_validation_request_duration_seconds',
      help: 'Field validation levels that requests asked for; as in upstream nothing is observed, a level that was asked for shows with zeros',
      labels: ['field_validation'],
      buckets: sliBuckets,
    }),
    self: registry.counter({
      name: 'apiserver_selfrequest_total',
      help: 'Requests of this server to itself',
      labels: ['verb', 'group', 'resource', 'subresource'],
    }),
    terminations: registry.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Requests that the server ended early to protect itself: too many at once, too slow, or a server behind it that failed',
      labels: ['verb', ...where, 'code'],
    }),
    aborts: registry.counter({
      name: 'apiserver_request_aborts_total',
      help: 'Requests whose response broke off in the middle',
      labels: ['verb', ...what],
    }),
    postTimeout: registry.counter({
      name: 'apiserver_request_post_timeout_total',
      help: 'Requests that had timed out, by what became of the work on them',
      labels: ['source', 'status'],
    }),
    handshakeErrors: registry.counter({
      name: 'apiserver_tls_handshake_errors_total',
      help: 'Connections that failed before they were secure',
    }),
    timeouts: registry.counter({
      name: 'wheelhouse_request_timeouts_total',
      help: 'Requests whose deadline passed before their response was ready, by what they were waiting for',
      labels: ['place'] as const,
    }),
  };
}

// Upstream: k8s.io/component-base/metrics/prometheus/restclient/metrics.go, k8s.io/client-go/rest/request.go
import type { MetricsRegistry } from '../../base/metrics.ts';

const perHost = ['verb', 'host'] as const;
const sizes = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

export function restClientFamilies(registry: MetricsRegistry) {
  return {
    requests: registry.counter({
      name: 'rest_client_requests_total',
      help: 'Requests of this server to webhooks, and of its controllers to itself, by the status code they got; <error> without one',
      labels: ['code', 'method', 'host'],
    }),
    retries: registry.counter({
      name: 'rest_client_request_retries_total',
      help: 'Requests that were made once more because the server said that it is busy',
      labels: ['code', ...perHost],
    }),
    seconds: registry.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Time that a request took, with all its retries',
      labels: perHost,
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
    }),
    sent: registry.histogram({ name: 'rest_client_request_size_bytes', help: 'Bytes in requests', labels: perHost, buckets: sizes }),
    received: registry.histogram({ name: 'rest_client_response_size_bytes', help: 'Bytes in responses', labels: perHost, buckets: sizes }),
  };
}

/** One request, with all its attempts. */
export interface RestCall {
  /** it is made once more */
  retried(code: number): void;
  /** undefined: there is no response. `received`: bytes of it, where they are known */
  ended(code: number | undefined, received?: number): void;
}

/** What clients of one server count. Hosts come from those who may configure webhooks. */
export class RestClientMetrics {
  readonly #families;

  constructor(registry: MetricsRegistry) {
    this.#families = restClientFamilies(registry);
  }

  begin(method: string, host: string, sent: number): RestCall {
    const { requests, retries, seconds, sent: sentBytes, received: receivedBytes } = this.#families;
    const began = performance.now();
    return {
      retried: (code) => retries.with(String(code), method, host).inc(),
      ended(code, received) {
        requests.with(code === undefined ? '<error>' : String(code), method, host).inc();
        seconds.with(method, host).observe((performance.now() - began) / 1000);
        if (sent > 0) sentBytes.with(method, host).observe(sent);
        if (received !== undefined) receivedBytes.with(method, host).observe(received);
      },
    };
  }
}

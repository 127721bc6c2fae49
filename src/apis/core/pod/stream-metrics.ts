// Upstream: k8s.io/apiserver/pkg/util/proxy/metrics/metrics.go, k8s.io/kubernetes/pkg/registry/core/pod/rest/metrics.go
import type { MetricsRegistry } from '../../../base/metrics.ts';

/** Requests for streams and logs of pods. */
export function podStreamFamilies(registry: MetricsRegistry) {
  const labels = ['code'] as const;
  return {
    requests: registry.counter({
      name: 'apiserver_websocket_streaming_requests_total',
      help: 'Requests for streams of pods, by whether the kubelet speaks WebSocket itself (proxied_to_kubelet) or not (translated_at_apiserver)',
      labels: ['subresource', 'proxy_type'],
    }),
    translated: registry.counter({
      name: 'apiserver_stream_translator_requests_total',
      help: 'Commands in pods that came over WebSocket and went on over SPDY, by how they ended',
      labels,
    }),
    tunneled: registry.counter({
      name: 'apiserver_stream_tunnel_requests_total',
      help: 'Requests to forward ports of pods that came over WebSocket and went on over SPDY, by how they began',
      labels,
    }),
    logs: registry.counter({
      name: 'kube_apiserver_pod_logs_insecure_backend_total',
      help: 'Requests for logs of pods, by whether the certificate of the kubelet must be right (enforce_tls) or need not be (skip_tls_allowed)',
      labels: ['usage'],
    }),
    untrustedLogs: registry.counter({
      name: 'kube_apiserver_pod_logs_backend_tls_failure_total',
      help: 'Requests for logs of pods that failed because the certificate of the kubelet is not to be trusted',
    }),
  };
}

export type PodStreamFamilies = ReturnType<typeof podStreamFamilies>;

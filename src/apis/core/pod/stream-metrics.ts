// Upstream: k8s.io/apiserver/pkg/util/proxy/metrics/metrics.go#IncWebSocketStreamingRequest
import type { MetricsRegistry } from '../../../base/metrics.ts';

export function streamingRequests(registry: MetricsRegistry) {
  return registry.counter({
    name: 'apiserver_websocket_streaming_requests_total',
    help: 'Requests for streams of pods, by whether the kubelet speaks WebSocket itself (proxied_to_kubelet) or not (translated_at_apiserver)',
    labels: ['subresource', 'proxy_type'],
  });
}

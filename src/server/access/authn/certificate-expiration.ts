// Upstream: k8s.io/apiserver/pkg/authentication/request/x509/x509.go#clientCertificateExpirationHistogram
import type { Histogram, MetricsRegistry } from '../../../base/metrics.ts';

const [minute, hour, day] = [60, 3600, 86_400] as const;

/** How long client certificates are still good for, seen at every request with one: an alert tells before they are not. */
export function certificateExpiration(registry: MetricsRegistry): Histogram {
  return registry
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Seconds until the client certificate of a request expires',
      buckets: [
        0,
        30 * minute,
        hour,
        2 * hour,
        6 * hour,
        12 * hour,
        day,
        2 * day,
        4 * day,
        7 * day,
        30 * day,
        90 * day,
        180 * day,
        360 * day,
      ],
    })
    .with();
}

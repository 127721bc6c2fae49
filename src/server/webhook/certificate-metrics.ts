// Upstream: k8s.io/apiserver/pkg/util/webhook/metrics.go, k8s.io/kube-aggregator/pkg/apiserver/metrics.go
import type { Counter, MetricsRegistry } from '../../base/metrics.ts';

/** Certificates of servers that this one calls, which will not do for long. */
export interface CertificateMetrics {
  readonly missingSan: Counter;
  readonly insecureSha1: Counter;
}

export function certificateMetrics(registry: MetricsRegistry, of: 'webhooks' | 'kube_aggregator'): CertificateMetrics {
  const stability = of === 'webhooks' ? 'BETA' : 'ALPHA';
  return {
    missingSan: registry
      .counter({
        name: `apiserver_${of}_x509_missing_san_total`,
        help: 'Calls of servers whose certificate names no host but in its subject',
        stability,
      })
      .with(),
    insecureSha1: registry
      .counter({
        name: `apiserver_${of}_x509_insecure_sha1_total`,
        help: 'Calls of servers whose certificate is signed with SHA-1',
        stability,
      })
      .with(),
  };
}

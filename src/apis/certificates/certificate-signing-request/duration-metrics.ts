// Upstream: k8s.io/kubernetes/pkg/registry/certificates/certificates/storage/metrics.go
import { X509Certificate } from 'node:crypto';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import type { SigningRequestObject } from './validation.ts';

/** signers backdate certificates a little, and round */
const toleratedMs = 5 * 60_000;
const toleratedShare = 20;

export function durationFamilies(registry: MetricsRegistry) {
  const name = (what: string): string => `apiserver_certificates_registry_csr_${what}_duration_total`;
  const labels = ['signerName'] as const;
  const rest = 'by signer; those that are not of kubernetes.io are one';
  return {
    requested: registry.counter({
      name: name('requested'),
      help: `Certificates that were issued where a duration had been asked for, ${rest}`,
      labels,
    }),
    honored: registry.counter({
      name: name('honored'),
      help: `Certificates that were issued for the duration that had been asked for, ${rest}`,
      labels,
    }),
  };
}

/** Counts requests for a certificate of some duration when they get their certificate. */
export function durationCounter(registry: MetricsRegistry): (request: SigningRequestObject, old: SigningRequestObject) => void {
  const { requested, honored } = durationFamilies(registry);
  return ({ status: { certificate = '' } }, { spec, status }) => {
    if ((status.certificate ?? '') !== '' || spec.expirationSeconds === undefined || certificate === '') return;
    const signer = spec.signerName.startsWith('kubernetes.io/') ? spec.signerName : 'other';
    requested.with(signer).inc();
    // Validation has read it: of more than one, the first is what was asked for.
    const { validFromDate, validToDate } = new X509Certificate(Buffer.from(certificate, 'base64'));
    const wantedMs = spec.expirationSeconds * 1000;
    const differenceMs = Math.abs(validToDate.getTime() - validFromDate.getTime() - wantedMs);
    if (differenceMs < toleratedMs + wantedMs / toleratedShare) honored.with(signer).inc();
  };
}

// Upstream: k8s.io/apiserver/pkg/util/webhook/validation.go#ValidateCABundle, k8s.io/client-go/transport/transport.go#rootCertPool
import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../apis/common/pem.ts';

/** Why these authorities, in base64, verify no certificate; undefined where they can, or where there are none. */
export function caBundleProblem(caBundle: string | undefined): string | undefined {
  const bytes = Buffer.from(caBundle ?? '', 'base64');
  if (bytes.length === 0) return undefined;
  const blocks = pemBlocks(bytes.toString());
  const certificates = blocks.filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  let problem: string | undefined;
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate.bytes);
      return undefined;
    } catch (error) {
      problem ??= `failed to parse certificate: ${(error as Error).message}`;
    }
  }
  if (blocks.length === 0) problem = 'unable to parse bytes as PEM block';
  return `unable to load root certificates: ${problem ?? 'no valid certificate authority data seen'}`;
}

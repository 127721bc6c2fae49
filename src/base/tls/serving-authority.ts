import { X509Certificate } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** PEM of the certificate that the serving certificate was signed with, if it is in its own chain or among the client authorities. */
export function servingAuthority({ cert, ca = [] }: Pick<TlsOptions, 'cert' | 'ca'>): string | undefined {
  const certificatesIn = (pem: unknown): string[] => String(pem).match(pemCertificate) ?? [];
  const [leaf, ...chain] = certificatesIn(cert);
  if (leaf === undefined) return undefined;
  const authorities = [...[ca].flat().flatMap(certificatesIn), ...chain];
  // Up to the root, where there is one: a chain may have intermediate authorities.
  let current = leaf;
  for (let depth = 0; depth < authorities.length && !signed(current, current); depth++) {
    const signer = authorities.find((candidate) => signed(candidate, current));
    if (signer === undefined) break;
    current = signer;
  }
  return current !== leaf || signed(leaf, leaf) ? current : undefined;
}

function signed(signer: string, certificate: string): boolean {
  const [by, one] = [new X509Certificate(signer), new X509Certificate(certificate)];
  return one.checkIssued(by) && one.verify(by.publicKey);
}

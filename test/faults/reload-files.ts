import { X509Certificate } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import type { CertificateUse, KeyPair } from '../../src/base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';

const day = 24 * 3600 * 1000;
const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };

export const authorityOf = (commonName: string): KeyPair => createAuthority({ commonName }, validity);
export const pairOf = (authority: KeyPair, commonName: string, uses: CertificateUse[], organizations: string[] = []): KeyPair =>
  issueCertificate(authority, {
    subject: { commonName, organizations },
    uses,
    names: ['127.0.0.1', 'localhost', 'sni.example.com', 'backend.default.svc'],
    validity,
  });
export const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint256;

/** As an administrator does it who knows what he does. */
export function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

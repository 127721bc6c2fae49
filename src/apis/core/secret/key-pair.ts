// Upstream: std/crypto/tls#X509KeyPair
import type { KeyObject } from 'node:crypto';
import { X509Certificate, createPrivateKey } from 'node:crypto';

interface PemBlock {
  readonly type: string;
  readonly text: string;
}

const pemPattern = /-----BEGIN ([^\n-]+)-----[\s\S]*?-----END \1-----/g;

function pemBlocks(base64: string): PemBlock[] {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return [...text.matchAll(pemPattern)]
    .filter(([block]) => isBase64(block))
    .map(([block, type]) => ({ type: type as string, text: block }));
}

/** What is not base64 between the lines is no block, and is passed over. */
function isBase64(block: string): boolean {
  const content = block
    .split('\n')
    .slice(1, -1)
    .filter((line) => !line.includes(':'))
    .join('')
    .replaceAll(/\s/g, '');
  return content.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(content);
}

/** What a TLS server would say that cannot use this certificate with this key; undefined when it can. Both are base64 of PEM. */
export function keyPairProblem(certificateData: string, keyData: string): string | undefined {
  const certificates = pemBlocks(certificateData);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return certificateMissing(certificates.map(({ type }) => type));
  const keys = pemBlocks(keyData);
  const key = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (key === undefined) return keyMissing(keys.map(({ type }) => type));
  return mismatch(certificate, key);
}

function certificateMissing(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function keyMissing(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function mismatch(certificateBlock: PemBlock, keyBlock: PemBlock): string | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certificateBlock.text);
  } catch {
    // Whatever is wrong inside, clients of upstream mostly hear this.
    return 'x509: malformed certificate';
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(keyBlock.text);
  } catch {
    return 'tls: failed to parse private key';
  }
  if (certificate.publicKey.asymmetricKeyType !== key.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

// Upstream: std/crypto/tls#X509KeyPair
import type { KeyObject } from 'node:crypto';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { PemBlock } from '../../common/pem.ts';
import { pemBlocks } from '../../common/pem.ts';

/** Upstream tries each form, whatever the block says that it is. */
const keyForms = ['pkcs1', 'pkcs8', 'sec1'] as const;

function blocksOf(base64: string): PemBlock[] {
  return pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
}

/** What a TLS server would say that cannot use this certificate with this key; undefined when it can. Both are base64 of PEM. */
export function keyPairProblem(certificateData: string, keyData: string): string | undefined {
  const certificates = blocksOf(certificateData);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return certificateMissing(certificates.map(({ type }) => type));
  const keys = blocksOf(keyData);
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
    certificate = new X509Certificate(certificateBlock.bytes);
  } catch {
    // Whatever is wrong inside, clients of upstream mostly hear this.
    return 'x509: malformed certificate';
  }
  const key = privateKeyOf(keyBlock);
  if (key === undefined) return 'tls: failed to parse private key';
  if (certificate.publicKey.asymmetricKeyType !== key.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

function privateKeyOf({ bytes }: PemBlock): KeyObject | undefined {
  for (const type of keyForms) {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type });
    } catch {
      // not in this form
    }
  }
  return undefined;
}

// Upstream: k8s.io/client-go/util/keyutil/key.go, k8s.io/kubernetes/pkg/serviceaccount/jwt.go#keyIDFromPublicKey
// Upstream: k8s.io/kubernetes/pkg/serviceaccount/openidmetadata.go#algorithmFromPublicKey
import type { KeyObject } from 'node:crypto';
import { X509Certificate, createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { CertificatePool } from '../../../../base/x509/certificate-pool.ts';
import { readAuthorities } from '../peer-certificate.ts';

export type SignatureAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A public key that tokens may be signed with. */
export interface VerificationKey {
  readonly id: string;
  readonly algorithm: SignatureAlgorithm;
  readonly key: KeyObject;
  /** for tokens that were issued before: it is not among the keys that others are to trust */
  readonly isUndiscoverable?: boolean;
}

/** Keys that tokens may be signed with, which may change. */
export interface KeySource {
  readonly all: readonly VerificationKey[];
  /** for how long others may take them for current; undefined: as they always are */
  readonly maxAgeSeconds?: number | undefined;
  /** Those of an id; all for ''. */
  find(id: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]>;
}

export function fixedKeys(all: readonly VerificationKey[]): KeySource {
  return { all, find: (id) => (id === '' ? all : all.filter((key) => key.id === id)) };
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const curves: Readonly<Record<string, SignatureAlgorithm>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

/** Reads PEM files, the same text once. */
export class KeyReader {
  readonly #verification = new Map<string, readonly VerificationKey[]>();
  readonly #signing = new Map<string, SigningKey>();
  readonly #authorities = new Map<string, CertificatePool>();

  verificationKeys(pem: string): readonly VerificationKey[] {
    let keys = this.#verification.get(pem);
    if (keys === undefined) this.#verification.set(pem, (keys = readVerificationKeys(pem)));
    return keys;
  }

  signingKey(pem: string): SigningKey {
    let key = this.#signing.get(pem);
    if (key === undefined) this.#signing.set(pem, (key = readSigningKey(pem)));
    return key;
  }

  authorities(pem: string): CertificatePool {
    let pool = this.#authorities.get(pem);
    if (pool === undefined) this.#authorities.set(pem, (pool = readAuthorities(pem)));
    return pool;
  }
}

/** All RSA and ECDSA keys of a PEM file: public keys, private keys (their public half) and certificates. */
export function readVerificationKeys(pem: string): VerificationKey[] {
  const keys = [...pem.matchAll(pemBlock)].flatMap(([block, label]) => publicKeyOf(block, label as string));
  if (keys.length === 0) throw new Error('data does not contain any valid RSA or ECDSA public keys');
  return keys.map(verificationKey);
}

export function readSigningKey(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch (error) {
    throw new Error('data does not contain a valid RSA or ECDSA private key', { cause: error });
  }
  return { ...verificationKey(createPublicKey(privateKey)), privateKey };
}

/** The key as it appears in a key set, members in the order of upstream. */
export function jsonWebKey({ id, algorithm, key }: VerificationKey): Record<string, string> {
  const { kty = '', n, e, crv, x, y } = key.export({ format: 'jwk' });
  return {
    use: 'sig',
    kty,
    kid: id,
    ...(crv !== undefined && { crv }),
    alg: algorithm,
    ...(n !== undefined && { n }),
    ...(e !== undefined && { e }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
  };
}

function publicKeyOf(block: string, label: string): KeyObject[] {
  try {
    if (label === 'CERTIFICATE') return [new X509Certificate(block).publicKey].filter(isSupported);
    if (label.endsWith('PUBLIC KEY')) return [createPublicKey(block)].filter(isSupported);
    if (label.endsWith('PRIVATE KEY')) return [createPublicKey(createPrivateKey(block))].filter(isSupported);
  } catch {
    // One block that cannot be read does not spoil the others of its file; a file without any key is refused.
  }
  return [];
}

function isSupported({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa' || asymmetricKeyType === 'ec';
}

function verificationKey(key: KeyObject): VerificationKey {
  const der = key.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(der).digest('base64url'), algorithm: algorithmOf(key), key };
}

export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SignatureAlgorithm {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = curves[asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm === undefined) throw new Error('unknown private key curve, must be 256, 384, or 521');
  return algorithm;
}

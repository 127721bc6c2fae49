// Upstream: std/crypto/x509/parser.go#parsePublicKey
import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { DerReader, MalformedError, tags } from './der-reader.ts';

export interface SubjectPublicKey {
  /** undefined: of an unknown algorithm */
  readonly key: KeyObject | undefined;
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'other';
  /** size of an RSA key's modulus; 0 for others */
  readonly bits: number;
}

const algorithms = { rsa: '2a864886f70d010101', ec: '2a8648ce3d0201', ed25519: '2b6570', x25519: '2b656e', dsa: '2a8648ce380401' } as const;
/** P-224, P-256, P-384, P-521 */
const curves: ReadonlySet<string> = new Set(['2b81040021', '2a8648ce3d030107', '2b81040022', '2b81040023']);
const uncompressed = 0x04;

/** Throws when a key of a known kind is not written as it must be. */
export function readPublicKey(info: Buffer): SubjectPublicKey {
  const reader = new DerReader(info, 'x509: malformed spki').sequence();
  const algorithm = reader.sequence();
  const identifier = algorithm.identifier();
  const parameters = algorithm.isEmpty ? undefined : algorithm.any();
  const bytes = reader.wholeBytes();
  if (identifier === algorithms.rsa) {
    if (parameters?.whole.toString('hex') !== '0500') throw new MalformedError('x509: RSA key missing NULL parameters');
    return { type: 'rsa', key: keyOf(info), bits: modulusBits(bytes) };
  }
  if (identifier === algorithms.ec) {
    if (parameters?.tag !== tags.objectIdentifier) throw new MalformedError('x509: invalid ECDSA parameters');
    if (!curves.has(parameters.content.toString('hex'))) throw new MalformedError('x509: unsupported elliptic curve');
    if (bytes[0] !== uncompressed) throw new MalformedError('x509: invalid elliptic curve point');
    return { type: 'ec', key: keyOf(info), bits: 0 };
  }
  if (identifier === algorithms.ed25519) {
    if (parameters !== undefined) throw new MalformedError('x509: Ed25519 key encoded with illegal parameters');
    if (bytes.length !== 32) throw new MalformedError('x509: wrong Ed25519 public key size');
    return { type: 'ed25519', key: keyOf(info), bits: 0 };
  }
  // Read, and of no use: no certificate is signed with the one, and signatures with the other do not count.
  const isKnown = identifier === algorithms.x25519 || identifier === algorithms.dsa;
  return { type: 'other', key: isKnown ? keyOf(info) : undefined, bits: 0 };
}

function keyOf(info: Buffer): KeyObject {
  try {
    return createPublicKey({ key: info, format: 'der', type: 'spki' });
  } catch (error) {
    throw new MalformedError('x509: invalid public key', { cause: error });
  }
}

function modulusBits(bytes: Buffer): number {
  const reader = new DerReader(bytes, 'x509: invalid RSA public key').sequence();
  const modulus = reader.integer();
  const exponent = reader.number();
  const isNegative = (modulus[0] ?? 0) >= 0x80;
  const digits = modulus[0] === 0 ? modulus.subarray(1) : modulus;
  if (isNegative || digits.length === 0) throw new MalformedError('x509: RSA modulus is not a positive number');
  if (exponent <= 0) throw new MalformedError('x509: RSA public exponent is not a positive number');
  return digits.length * 8 - Math.clz32(digits[0] as number) + 24;
}

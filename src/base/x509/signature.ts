// Upstream: std/crypto/x509/x509.go#signatureAlgorithmDetails, #getSignatureAlgorithmFromAI, #checkSignature, std/crypto/rsa
import { constants, verify } from 'node:crypto';
import type { SignKeyObjectInput, VerifyKeyObjectInput } from 'node:crypto';
import type { DerReader } from './der-reader.ts';
import { DerReader as Reader, MalformedError, constructedTag } from './der-reader.ts';
import type { SubjectPublicKey } from './public-key.ts';

export interface SignatureAlgorithm {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** null: the algorithm has its own */
  readonly hash: 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512' | null;
  readonly pss?: true;
}

/** by the hexadecimal content of their object identifiers */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010104': { keyType: 'rsa', hash: 'md5' },
  '2a864886f70d010105': { keyType: 'rsa', hash: 'sha1' },
  '2b0e03021d': { keyType: 'rsa', hash: 'sha1' },
  '2a864886f70d01010b': { keyType: 'rsa', hash: 'sha256' },
  '2a864886f70d01010c': { keyType: 'rsa', hash: 'sha384' },
  '2a864886f70d01010d': { keyType: 'rsa', hash: 'sha512' },
  '2a8648ce3d0401': { keyType: 'ec', hash: 'sha1' },
  '2a8648ce3d040302': { keyType: 'ec', hash: 'sha256' },
  '2a8648ce3d040303': { keyType: 'ec', hash: 'sha384' },
  '2a8648ce3d040304': { keyType: 'ec', hash: 'sha512' },
  '2b6570': { keyType: 'ed25519', hash: null },
};
const ed25519 = '2b6570';
const pss = '2a864886f70d01010a';
const mgf1 = '2a864886f70d010108';
const pssHashes: Readonly<Record<string, readonly [hash: 'sha256' | 'sha384' | 'sha512', size: number]>> = {
  '608648016503040201': ['sha256', 32],
  '608648016503040202': ['sha384', 48],
  '608648016503040203': ['sha512', 64],
};
const minRsaBits = 1024;

/** `algorithm` is inside an AlgorithmIdentifier. Undefined: none that can be verified. */
export function readSignatureAlgorithm(algorithm: DerReader): SignatureAlgorithm | undefined {
  const identifier = algorithm.identifier();
  const parameters = algorithm.isEmpty ? undefined : algorithm.any().whole;
  if (identifier === ed25519 && parameters !== undefined) return undefined;
  return identifier === pss ? pssAlgorithm(parameters) : algorithms[identifier];
}

/** One of three ways to use PSS: all hashes the same, a salt as long as they are, and the usual trailer. */
function pssAlgorithm(parameters: Buffer | undefined): SignatureAlgorithm | undefined {
  if (parameters === undefined) return undefined;
  try {
    const reader = new Reader(parameters, 'malformed PSS parameters').sequence();
    const hash = hashIdentifier(reader.inside(constructedTag(0)));
    const mask = reader.inside(constructedTag(1)).sequence();
    if (mask.identifier() !== mgf1 || hashIdentifier(mask) !== hash) return undefined;
    const saltLength = reader.inside(constructedTag(2)).number();
    const trailer = reader.isNext(constructedTag(3)) ? reader.inside(constructedTag(3)).number() : 1;
    const [name, size] = pssHashes[hash] ?? [];
    return name === undefined || saltLength !== size || trailer !== 1 ? undefined : { keyType: 'rsa', hash: name, pss: true };
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

function hashIdentifier(reader: DerReader): string {
  const algorithm = reader.sequence();
  const identifier = algorithm.identifier();
  if (!algorithm.isEmpty && algorithm.any().whole.toString('hex') !== '0500') throw reader.malformed();
  return identifier;
}

/** Undefined when the signature is by the key; otherwise why not. Verifies outside the event loop: a chain may ask for a hundred of these. */
export async function signatureFault(
  algorithm: SignatureAlgorithm | undefined,
  signed: Buffer,
  signature: Buffer,
  publicKey: SubjectPublicKey,
): Promise<string | undefined> {
  const fault = algorithmFault(algorithm, publicKey, false);
  if (fault !== undefined || algorithm === undefined || publicKey.key === undefined) return fault ?? unsupported;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  verify(algorithm.hash, signed, keyInput(algorithm, publicKey.key), signature, (error, isValid) => resolve(error === null && isValid));
  return (await promise) ? undefined : 'x509: signature verification failure';
}

/** The same at once, where SHA-1 is enough: a request only proves possession of the key. */
export function isSignedBy(
  algorithm: SignatureAlgorithm | undefined,
  signed: Buffer,
  signature: Buffer,
  publicKey: SubjectPublicKey,
): boolean {
  if (algorithmFault(algorithm, publicKey, true) !== undefined || algorithm === undefined || publicKey.key === undefined) return false;
  return verify(algorithm.hash, signed, keyInput(algorithm, publicKey.key), signature);
}

const unsupported = 'x509: cannot verify signature: algorithm unimplemented';

function algorithmFault(
  algorithm: SignatureAlgorithm | undefined,
  { type, bits, key }: SubjectPublicKey,
  weak: boolean,
): string | undefined {
  if (algorithm === undefined || key === undefined) return unsupported;
  const { hash } = algorithm;
  if (hash === 'md5' || (hash === 'sha1' && !weak)) return `x509: cannot verify signature: insecure algorithm ${hash}`;
  if (algorithm.keyType !== type)
    return `x509: signature algorithm specifies an ${algorithm.keyType} public key, but have public key of type ${type}`;
  if (type !== 'rsa') return undefined;
  if (bits < minRsaBits) return `crypto/rsa: ${bits}-bit keys are insecure`;
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n;
  return exponent < 2n || exponent % 2n === 0n || exponent > 0x7fffffffn ? 'crypto/rsa: bad public exponent' : undefined;
}

function keyInput({ pss: isPss }: SignatureAlgorithm, key: SubjectPublicKey['key'] & object): VerifyKeyObjectInput & SignKeyObjectInput {
  if (isPss === undefined) return { key };
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

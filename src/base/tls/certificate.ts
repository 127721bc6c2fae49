import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIpAddress } from '../ip-address.ts';
import { ipBytes } from './ip-bytes.ts';
import * as der from './der.ts';

/** A certificate and the private key that belongs to it, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export type CertificateUse = 'server' | 'client';

export interface CertificateRequest {
  readonly subject: Subject;
  readonly uses: readonly CertificateUse[];
  /** DNS names and IP addresses; which one an entry is shows from its form */
  readonly names?: readonly string[];
  readonly validity: Validity;
}

export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const oid = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** Bits of KeyUsage (RFC 5280, 4.2.1.3). */
const usage = { digitalSignature: 0, keyEncipherment: 2, certificateSign: 5 } as const;

/** A self-signed certificate authority with a new ECDSA P-256 key. */
export function createAuthority(subject: Subject, validity: Validity): KeyPair {
  const { publicKey, privateKey } = newKey();
  const identifier = keyIdentifier(publicKey);
  const certificate = signCertificate(
    {
      subject: name(subject),
      issuer: name(subject),
      validity,
      publicKey: spki(publicKey),
      extensions: [
        extension(oid.keyUsage, der.namedBits([usage.digitalSignature, usage.keyEncipherment, usage.certificateSign]), 'critical'),
        extension(oid.basicConstraints, der.sequence(der.boolean(true)), 'critical'),
        extension(oid.subjectKeyIdentifier, der.octetString(identifier)),
      ],
    },
    privateKey,
  );
  return { certificate, key: pemKey(privateKey) };
}

/** A certificate with a new ECDSA P-256 key, signed by an authority whose key is ECDSA too. */
export function issueCertificate(authority: KeyPair, request: CertificateRequest): KeyPair {
  const issuer = new X509Certificate(authority.certificate);
  const { publicKey, privateKey } = newKey();
  const extensions = [
    extension(oid.keyUsage, der.namedBits([usage.digitalSignature, usage.keyEncipherment]), 'critical'),
    extension(oid.extendedKeyUsage, der.sequence(...request.uses.map((use) => der.objectIdentifier(oid[use])))),
    extension(oid.basicConstraints, der.sequence(), 'critical'),
    extension(oid.authorityKeyIdentifier, der.sequence(der.taggedPrimitive(0, keyIdentifier(issuer.publicKey)))),
  ];
  if (request.names !== undefined && request.names.length > 0) {
    extensions.push(extension(oid.subjectAlternativeName, der.sequence(...request.names.map(alternativeName))));
  }
  const certificate = signCertificate(
    { subject: name(request.subject), issuer: subjectBytes(issuer), validity: request.validity, publicKey: spki(publicKey), extensions },
    createPrivateKey(authority.key),
  );
  return { certificate, key: pemKey(privateKey) };
}

export interface CertificateContents {
  /** as it is encoded */
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly validity: Validity;
  /** SubjectPublicKeyInfo */
  readonly publicKey: Buffer;
  readonly extensions: readonly Buffer[];
}

/** PEM of a certificate with these contents and a new serial number. */
export function signCertificate(contents: CertificateContents, signer: KeyObject): string {
  const { identifier, digest } = signatureAlgorithm(signer);
  const algorithm = der.sequence(...identifier);
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // never negative, never zero, always as long
  const body = der.sequence(
    der.tagged(0, der.unsignedInteger(Buffer.from([2]))), // v3
    der.unsignedInteger(serial),
    algorithm,
    contents.issuer,
    der.sequence(der.time(contents.validity.from), der.time(contents.validity.to)),
    contents.subject,
    contents.publicKey,
    der.tagged(3, der.sequence(...contents.extensions)),
  );
  return pem('CERTIFICATE', der.sequence(body, algorithm, der.bitString(sign(digest, body, signer))));
}

/** As Go chooses it for a key: its elements in an AlgorithmIdentifier, and the digest by Node's name. */
function signatureAlgorithm(key: KeyObject): { readonly identifier: readonly Buffer[]; readonly digest: string | null } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') return { identifier: [der.objectIdentifier('1.2.840.113549.1.1.11'), der.nothing], digest: 'sha256' };
  if (type === 'ed25519') return { identifier: [der.objectIdentifier('1.3.101.112')], digest: null };
  if (type !== 'ec') throw new Error(`certificates cannot be signed with a key of type ${type ?? 'secret'}`);
  if (details?.namedCurve === 'secp384r1') return { identifier: [der.objectIdentifier('1.2.840.10045.4.3.3')], digest: 'sha384' };
  if (details?.namedCurve === 'secp521r1') return { identifier: [der.objectIdentifier('1.2.840.10045.4.3.4')], digest: 'sha512' };
  return { identifier: [der.objectIdentifier(oid.ecdsaWithSha256)], digest: 'sha256' };
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }) as string;
}

function name({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: string, value: string): Buffer => der.sequence(der.objectIdentifier(type), der.utf8String(value));
  // A set of its own for each organization: within one set DER would sort them.
  const parts = organizations.map((one) => der.setOf(attribute(oid.organization, one)));
  return der.sequence(...parts, der.setOf(attribute(oid.commonName, commonName)));
}

/** The issuer's subject exactly as it is encoded there, since a chain is matched by these bytes. */
function subjectBytes(certificate: X509Certificate): Buffer {
  const { raw } = certificate;
  const outer = contentOf(raw, 0);
  let at = contentOf(raw, outer.start).start;
  // version, serial number, algorithm, issuer, validity; the subject is next
  const skipped = raw[at] === 0xa0 ? 5 : 4;
  for (let i = 0; i < skipped; i++) at = contentOf(raw, at).end;
  return raw.subarray(at, contentOf(raw, at).end);
}

function contentOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  const start = at + 2 + size;
  return { start, end: start + bytes.readUIntBE(at + 2, size) };
}

/** RFC 5280, 4.2.1.2, method 1: SHA-1 of the key's bits, which for P-256 are the last 65 bytes of its SPKI. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(spki(key).subarray(-65)).digest();
}

function alternativeName(text: string): Buffer {
  return isIpAddress(text) ? der.taggedPrimitive(7, ipBytes(text)) : der.taggedPrimitive(2, Buffer.from(text, 'ascii'));
}

export function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return der.sequence(der.objectIdentifier(id), ...(critical === undefined ? [] : [der.boolean(true)]), der.octetString(value));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

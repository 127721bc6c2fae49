/** Makes certificates of any kind, right and wrong ones: for every field there is a way to say what goes in instead. */
import type { KeyObject } from 'node:crypto';
import { constants, createHash, generateKeyPairSync, sign } from 'node:crypto';
import * as der from '../../src/base/tls/der.ts';

export type KeyKind = 'p224' | 'p256' | 'p384' | 'p521' | 'ed25519' | 'rsa512' | 'rsa1000' | 'rsa1024' | 'rsa2048' | 'rsa8200' | 'rsa-e3';
export type Signature = 'sha1' | 'md5' | 'sha256' | 'sha384' | 'sha512' | 'pss-sha256' | 'pss-salt' | 'pss-sha1';

/** Attributes of one set each, or several of one set. */
export type NamePart = Buffer | readonly Buffer[];

export interface CertificateSpec {
  readonly subject: readonly NamePart[];
  /** undefined: signed with its own key */
  readonly issuer?: MadeCertificate | undefined;
  readonly key?: KeyKind;
  /** keys of one name are the same */
  readonly keyName?: string;
  readonly signature?: Signature;
  /** days from now */
  readonly from?: number;
  readonly to?: number;
  /** 3 where nothing is said */
  readonly version?: 1 | 2 | 3;
  readonly extensions?: readonly Buffer[];
  readonly serial?: Buffer;
  /** the name that it says its issuer has */
  readonly issuerName?: Buffer;
  /** its last byte is another */
  readonly isForged?: boolean;
  readonly outerAlgorithm?: Buffer;
  readonly publicKeyInfo?: Buffer;
  readonly validity?: Buffer;
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface MadeCertificate {
  readonly bytes: Buffer;
  readonly subject: Buffer;
  readonly privateKey: KeyObject;
  readonly keyId: Buffer;
}

const day = 86_400_000;
const rsaOid = '1.2.840.113549.1.1';
const hashOids = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};
const rsaOids = { md5: 4, sha1: 5, sha256: 11, sha384: 12, sha512: 13 } as const;
const ecOids = { sha1: '1.2.840.10045.4.1', sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' };

/** A context-specific or any other element that `der` has no word for. */
export function element(tag: number, content: Uint8Array): Buffer {
  const whole = der.octetString(content);
  whole[0] = tag;
  return whole;
}

export const nullElement = Buffer.from([5, 0]);

export class CertificateMaker {
  readonly #now: number;
  readonly #keys = new Map<string, KeyPair>();
  #serial = 0;

  constructor(now: number) {
    this.#now = now;
  }

  make(spec: CertificateSpec): MadeCertificate {
    const { key = 'p256', keyName = `${key} ${++this.#serial}`, version = 3 } = spec;
    const { publicKey, privateKey } = this.#key(key, keyName);
    const info = spec.publicKeyInfo ?? publicKey.export({ type: 'spki', format: 'der' });
    const keyId = createHash('sha1').update(info).digest();
    const subject = name(spec.subject);
    const signer = spec.issuer?.privateKey ?? privateKey;
    const { algorithm, signed } = signing(signer, spec.signature ?? 'sha256');
    const body = der.sequence(
      ...(version === 1 ? [] : [der.tagged(0, der.unsignedInteger(Buffer.from([version - 1])))]),
      spec.serial ?? der.unsignedInteger(Buffer.from([1, ++this.#serial >> 8, this.#serial & 0xff])),
      algorithm,
      spec.issuerName ?? spec.issuer?.subject ?? subject,
      spec.validity ?? der.sequence(this.time(spec.from ?? -10), this.time(spec.to ?? 10)),
      subject,
      info,
      ...(spec.extensions === undefined || spec.extensions.length === 0 ? [] : [der.tagged(3, der.sequence(...spec.extensions))]),
    );
    const signature = signed(body);
    if (spec.isForged === true) signature[signature.length - 1] = (signature.at(-1) as number) ^ 1;
    const bytes = der.sequence(body, spec.outerAlgorithm ?? algorithm, der.bitString(signature));
    return { bytes, subject, privateKey, keyId };
  }

  time(days: number): Buffer {
    return der.time(new Date(this.#now + days * day));
  }

  #key(kind: KeyKind, name: string): KeyPair {
    let pair = this.#keys.get(name);
    if (pair === undefined) this.#keys.set(name, (pair = newKey(kind)));
    return pair;
  }
}

function newKey(kind: KeyKind): KeyPair {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'rsa-e3') return generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 3 });
  if (kind.startsWith('rsa')) return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) });
  return generateKeyPairSync('ec', { namedCurve: { p224: 'secp224r1', p256: 'P-256', p384: 'P-384', p521: 'P-521' }[kind as 'p256'] });
}

function signing(key: KeyObject, signature: Signature): { algorithm: Buffer; signed: (body: Buffer) => Buffer } {
  if (key.asymmetricKeyType === 'ed25519') {
    return { algorithm: der.sequence(der.objectIdentifier('1.3.101.112')), signed: (body) => sign(null, body, key) };
  }
  if (signature.startsWith('pss')) return pssSigning(key, signature);
  const hash = signature as keyof typeof ecOids;
  if (key.asymmetricKeyType === 'ec') {
    return { algorithm: der.sequence(der.objectIdentifier(ecOids[hash])), signed: (body) => sign(hash, body, key) };
  }
  const algorithm = der.sequence(der.objectIdentifier(`${rsaOid}.${rsaOids[hash]}`), nullElement);
  return { algorithm, signed: (body) => sign(hash, body, key) };
}

function pssSigning(key: KeyObject, signature: Signature): { algorithm: Buffer; signed: (body: Buffer) => Buffer } {
  const hash = signature === 'pss-sha1' ? 'sha1' : 'sha256';
  const saltLength = signature === 'pss-salt' ? 20 : hash === 'sha1' ? 20 : 32;
  const hashAlgorithm = der.sequence(der.objectIdentifier(hashOids[hash]), nullElement);
  const parameters = der.sequence(
    der.tagged(0, hashAlgorithm),
    der.tagged(1, der.sequence(der.objectIdentifier(`${rsaOid}.8`), hashAlgorithm)),
    der.tagged(2, der.unsignedInteger(Buffer.from([saltLength]))),
  );
  return {
    algorithm: der.sequence(der.objectIdentifier(`${rsaOid}.10`), parameters),
    signed: (body) => sign(hash, body, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }),
  };
}

function name(parts: readonly NamePart[]): Buffer {
  // Sets are not sorted: what is compared is the order in which others read them.
  return der.sequence(...parts.map((part) => element(0x31, Buffer.isBuffer(part) ? part : Buffer.concat(part as Buffer[]))));
}

export const stringTags = { utf8: 12, numeric: 18, printable: 19, t61: 20, ia5: 22, visible: 26, universal: 28, bmp: 30 } as const;

/** One attribute of a name. */
export function attribute(type: string, value: string | Buffer, tag: keyof typeof stringTags = 'utf8'): Buffer {
  const content = Buffer.isBuffer(value)
    ? value
    : tag === 'bmp'
      ? Buffer.from(value, 'utf16le').swap16()
      : Buffer.from(value, tag === 't61' ? 'latin1' : 'utf8');
  return der.sequence(der.objectIdentifier(type), element(stringTags[tag], content));
}

export const commonName = (value: string | Buffer, tag?: keyof typeof stringTags): Buffer => attribute('2.5.4.3', value, tag);
export const organization = (value: string | Buffer, tag?: keyof typeof stringTags): Buffer => attribute('2.5.4.10', value, tag);

export function extension(id: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

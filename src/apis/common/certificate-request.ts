// Upstream: Go's crypto/x509 (ParseCertificateRequest, CheckSignature)
import { isUtf8 } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { constants, createPublicKey, verify } from 'node:crypto';

/** A PKCS #10 request: whose key it is for, and whether its sender has the key. */
export interface CertificateRequest {
  readonly publicKey: KeyObject;
  /** the request is signed with the private key that belongs to its public one */
  readonly isSigned: boolean;
  /** of its subject; the last, where it has several */
  readonly commonName: string;
  /** the organizations of its subject */
  readonly organizations: readonly string[];
}

type Subject = Pick<CertificateRequest, 'commonName' | 'organizations'>;

interface Element {
  readonly tag: number;
  /** with tag and length */
  readonly whole: Buffer;
  readonly content: Buffer;
}

interface SignatureAlgorithm {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly hash: string | null;
  readonly pss?: boolean;
}

const tags = { integer: 0x02, bitString: 0x03, objectIdentifier: 0x06, sequence: 0x30, set: 0x31 } as const;
const identifiers = { commonName: '550403', organization: '55040a' } as const;

/** Texts by their tags: how they are read; undefined when they are not what their tag says. */
const texts: Readonly<Record<number, (content: Buffer) => string | undefined>> = {
  0x0c: (content) => (isUtf8(content) ? content.toString() : undefined),
  0x12: (content) => matching(content, /^[0-9 ]*$/),
  0x13: (content) => matching(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/),
  0x14: (content) => content.toString('latin1'),
  // eslint-disable-next-line no-control-regex
  0x16: (content) => matching(content, /^[\x00-\x7f]*$/),
  0x1e: basicMultilingual,
};

/** by the hexadecimal content of their object identifiers */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010105': { keyType: 'rsa', hash: 'sha1' },
  '2a864886f70d01010b': { keyType: 'rsa', hash: 'sha256' },
  '2a864886f70d01010c': { keyType: 'rsa', hash: 'sha384' },
  '2a864886f70d01010d': { keyType: 'rsa', hash: 'sha512' },
  '2a8648ce3d0401': { keyType: 'ec', hash: 'sha1' },
  '2a8648ce3d040302': { keyType: 'ec', hash: 'sha256' },
  '2a8648ce3d040303': { keyType: 'ec', hash: 'sha384' },
  '2a8648ce3d040304': { keyType: 'ec', hash: 'sha512' },
  '2b6570': { keyType: 'ed25519', hash: null },
};
/** Node's names of the curves that Go knows; a key on any other does not parse */
const knownCurves: ReadonlySet<string> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);
const pssIdentifier = '2a864886f70d01010a';
const pssHashes: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

/** Undefined when the bytes are not a certificate request. */
export function readCertificateRequest(bytes: Buffer): CertificateRequest | undefined {
  const [request, ...more] = elementsOf(bytes);
  const [info, algorithm, signature] = inside(request, tags.sequence);
  if (more.length > 0 || info?.tag !== tags.sequence || signature?.tag !== tags.bitString) return undefined;
  const [version, subject, key] = elementsOf(info.content);
  const publicKey = version?.tag === tags.integer && key !== undefined ? readPublicKey(key.whole) : undefined;
  if (publicKey === undefined) return undefined;
  const named = subjectOf(subject);
  if (named === undefined) return undefined;
  const isSigned = isSignedBy(publicKey, algorithm, info.whole, signature.content.subarray(1));
  return { publicKey, isSigned, ...named };
}

/** A name is a list of sets of attributes. Undefined when a text in it is malformed; what is no text is passed over. */
function subjectOf(subject: Element | undefined): Subject | undefined {
  let commonName = '';
  const organizations: string[] = [];
  for (const attribute of inside(subject, tags.sequence).flatMap((one) => inside(one, tags.set))) {
    const [identifier, value] = inside(attribute, tags.sequence);
    const read = value && texts[value.tag];
    if (identifier === undefined || value === undefined || read === undefined) continue;
    const text = read(value.content);
    if (text === undefined) return undefined;
    const name = identifier.content.toString('hex');
    if (name === identifiers.commonName) commonName = text;
    else if (name === identifiers.organization) organizations.push(text);
  }
  return { commonName, organizations };
}

/** Two bytes a character; a zero at the end is none. Halves of characters and what will never be one do not belong there. */
function basicMultilingual(content: Buffer): string | undefined {
  if (content.length % 2 !== 0) return undefined;
  const text = Buffer.from(content).swap16().toString('utf16le').replace(/\0$/, '');
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? undefined : text;
}

function matching(content: Buffer, pattern: RegExp): string | undefined {
  const text = content.toString('latin1');
  return pattern.test(text) ? text : undefined;
}

/** A SubjectPublicKeyInfo; undefined when the bytes are something else. */
export function readPublicKey(bytes: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    const { namedCurve } = key.asymmetricKeyDetails ?? {};
    return namedCurve === undefined || knownCurves.has(namedCurve) ? key : undefined;
  } catch {
    // What exactly is wrong inside, clients are not told.
    return undefined;
  }
}

function isSignedBy(publicKey: KeyObject, algorithm: Element | undefined, signed: Buffer, signature: Buffer): boolean {
  const known = algorithmOf(inside(algorithm, tags.sequence));
  if (known === undefined || known.keyType !== publicKey.asymmetricKeyType) return false;
  if (known.pss !== true) return verify(known.hash, signed, publicKey, signature);
  const options = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return verify(known.hash, signed, options, signature);
}

function algorithmOf([identifier, parameters]: readonly Element[]): SignatureAlgorithm | undefined {
  if (identifier?.tag !== tags.objectIdentifier) return undefined;
  const name = identifier.content.toString('hex');
  if (name !== pssIdentifier) return algorithms[name];
  const [tagged] = inside(parameters, tags.sequence);
  const [hashAlgorithm] = tagged === undefined ? [] : elementsOf(tagged.content);
  const [hashIdentifier] = inside(hashAlgorithm, tags.sequence);
  const hash = pssHashes[hashIdentifier?.content.toString('hex') ?? ''];
  return hash === undefined ? undefined : { keyType: 'rsa', hash, pss: true };
}

function inside(element: Element | undefined, tag: number): readonly Element[] {
  return element?.tag === tag ? elementsOf(element.content) : [];
}

/** DER elements one after another; none when any of them is cut short. */
function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let start = 0; start < bytes.length;) {
    const first = bytes[start + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const head = start + 2 + lengthBytes;
    if (head > bytes.length || lengthBytes > 4) return [];
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes);
    const end = head + length;
    if (end > bytes.length) return [];
    elements.push({ tag: bytes[start] as number, whole: bytes.subarray(start, end), content: bytes.subarray(head, end) });
    start = end;
  }
  return elements;
}

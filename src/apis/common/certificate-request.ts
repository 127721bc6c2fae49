// Upstream: std/crypto/x509#ParseCertificateRequest, #CheckSignature
import type { KeyObject } from 'node:crypto';
import { readTime } from '../../base/x509/certificate.ts';
import { DerReader, MalformedError, constructedTag, tags } from '../../base/x509/der-reader.ts';
import type { NameAttribute } from '../../base/x509/directory-name.ts';
import { directoryName, isStringTag, stringOf } from '../../base/x509/directory-name.ts';
import type { AlternativeNames } from '../../base/x509/extensions.ts';
import { readAlternativeNames } from '../../base/x509/extensions.ts';
import type { SubjectPublicKey } from '../../base/x509/public-key.ts';
import { readPublicKey as readKey } from '../../base/x509/public-key.ts';
import { isSignedBy, readSignatureAlgorithm } from '../../base/x509/signature.ts';

/** A PKCS #10 request: whose key it is for, and whether its sender has the key. */
export interface CertificateRequest {
  /** undefined: of an unknown kind */
  readonly publicKey: KeyObject | undefined;
  /** the request is signed with the private key that belongs to its public one */
  readonly isSigned: boolean;
  /** of its subject; the last, where it has several */
  readonly commonName: string;
  /** the organizations of its subject */
  readonly organizations: readonly string[];
  /** of its subject, all that are text */
  readonly attributes: readonly NameAttribute[];
  /** names that are asked for beside the subject */
  readonly names: AlternativeNames | undefined;
  /** the extension that asks for them, as it is written */
  readonly nameBytes: Buffer | undefined;
  /** SubjectPublicKeyInfo */
  readonly publicKeyBytes: Buffer;
}

const what = 'x509: malformed certificate request';
const extensionRequest = '2a864886f70d01090e';
const alternativeNames = '551d11';

/** Undefined when the bytes are not a certificate request that Go reads. */
export function readCertificateRequest(bytes: Buffer): CertificateRequest | undefined {
  return unlessMalformed(() => {
    const outer = new DerReader(bytes, what);
    const request = outer.sequence();
    if (!outer.isEmpty) throw outer.malformed();
    const { whole: signed, content } = request.element(tags.sequence);
    const info = new DerReader(content, what);
    info.integer();
    const { commonName, organizations, attributes } = directoryName(subjectAttributes(info.sequence()));
    const { whole: publicKeyBytes } = info.element(tags.sequence);
    const publicKey = readKey(publicKeyBytes);
    const nameBytes = readRequestedNames(info.inside(constructedTag(0)));
    const names = nameBytes && readAlternativeNames(nameBytes);
    const algorithm = readSignatureAlgorithm(request.sequence());
    const isSigned = isSignedBy(algorithm, signed, request.wholeBytes(), publicKey);
    return { publicKey: publicKey.key, isSigned, commonName, organizations, attributes, names, nameBytes, publicKeyBytes };
  });
}

/** Attributes that are text. Others, and text in parts, are skipped, as the signer skips them. */
function subjectAttributes(sets: DerReader): NameAttribute[] {
  const attributes: NameAttribute[] = [];
  while (!sets.isEmpty) {
    for (const set = sets.inside(tags.set); !set.isEmpty;) {
      const attribute = set.sequence();
      const type = attribute.identifier();
      const { tag, content, whole } = attribute.any();
      if (isStringTag(tag)) attributes.push({ type, value: stringOf(tag, content) });
      else requireValue(tag, new DerReader(whole, what));
    }
  }
  return attributes;
}

/** Throws when a value of another type is not what its type says. */
function requireValue(tag: number, value: DerReader): void {
  if (tag === tags.boolean) value.boolean();
  else if (tag === tags.bitString) value.bitString();
  else if (tag === tags.objectIdentifier) value.identifier();
  else if (tag === tags.utcTime || tag === tags.generalizedTime) readTime(value);
  else if (tag === tags.integer && value.integer().length > 8) throw value.malformed();
}

/** The extension for names beside the subject. Throws when an extension is asked for twice. */
function readRequestedNames(attributes: DerReader): Buffer | undefined {
  const seen = new Set<string>();
  let names: Buffer | undefined;
  while (!attributes.isEmpty) {
    const value = requestedExtensions(attributes.any().whole);
    if (value === undefined) continue;
    for (const list = value.sequence(); !list.isEmpty;) {
      const extension = list.sequence();
      const identifier = extension.identifier();
      if (extension.isNext(tags.boolean)) extension.boolean();
      if (seen.has(identifier)) throw extension.malformed();
      seen.add(identifier);
      if (identifier === alternativeNames) names = extension.content(tags.octetString);
    }
  }
  return names;
}

/** The first value of an attribute that asks for extensions; undefined when it is another attribute, or none that can be read. */
function requestedExtensions(bytes: Buffer): DerReader | undefined {
  return unlessMalformed(() => {
    const attribute = new DerReader(bytes, what).sequence();
    const identifier = attribute.identifier();
    const values = attribute.inside(tags.set);
    return identifier === extensionRequest && !values.isEmpty ? values : undefined;
  });
}

/** A SubjectPublicKeyInfo of a kind that Go knows; undefined when the bytes are something else. */
export function readPublicKey(bytes: Buffer): KeyObject | undefined {
  return unlessMalformed((): SubjectPublicKey => readKey(bytes))?.key;
}

function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

// Upstream: std/crypto/x509/parser.go#parseCertificate
import { DerReader, MalformedError, constructedTag, contextTag, tags } from './der-reader.ts';
import type { DirectoryName } from './directory-name.ts';
import { readDirectoryName } from './directory-name.ts';
import type { Extensions } from './extensions.ts';
import { noExtensions, readExtensions } from './extensions.ts';
import type { SubjectPublicKey } from './public-key.ts';
import { readPublicKey } from './public-key.ts';
import type { SignatureAlgorithm } from './signature.ts';
import { readSignatureAlgorithm } from './signature.ts';

/** A certificate as Go reads it, which is stricter than OpenSSL and sees what node does not show. */
export interface Certificate extends Readonly<Extensions> {
  readonly raw: Buffer;
  /** what is signed */
  readonly toBeSigned: Buffer;
  /** 1, 2 or 3 */
  readonly version: number;
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly signature: Buffer;
  /** names are compared by their bytes */
  readonly issuerBytes: Buffer;
  readonly subjectBytes: Buffer;
  readonly subject: DirectoryName;
  /** milliseconds since the epoch */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKeyBytes: Buffer;
  readonly publicKey: SubjectPublicKey;
}

/** Throws a MalformedError when the bytes are not a certificate that Go would read. */
export function readCertificate(bytes: Buffer): Certificate {
  const outer = new DerReader(bytes, 'x509: malformed certificate');
  const { content, whole: raw } = outer.element(tags.sequence);
  if (!outer.isEmpty) throw new MalformedError('x509: trailing data');
  const parts = new DerReader(content, 'x509: malformed certificate');
  const { whole: toBeSigned, content: body } = parts.element(tags.sequence);
  const reader = new DerReader(body, 'x509: malformed tbs certificate');
  const version = readVersion(reader);
  if ((reader.integer()[0] as number) >= 0x80) throw new MalformedError('x509: negative serial number');
  const algorithm = reader.content(tags.sequence);
  if (!algorithm.equals(parts.content(tags.sequence))) {
    throw new MalformedError("x509: inner and outer signature algorithm identifiers don't match");
  }
  const { whole: issuerBytes } = reader.element(tags.sequence);
  readDirectoryName(new DerReader(issuerBytes, 'x509: invalid RDNSequence'));
  const validity = reader.sequence();
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  const { whole: subjectBytes } = reader.element(tags.sequence);
  const { whole: publicKeyBytes } = reader.element(tags.sequence);
  return {
    ...readOptionalParts(reader, version),
    raw,
    toBeSigned,
    version,
    signatureAlgorithm: readSignatureAlgorithm(new DerReader(algorithm, 'x509: malformed algorithm identifier')),
    signature: parts.wholeBytes(),
    issuerBytes,
    subjectBytes,
    subject: readDirectoryName(new DerReader(subjectBytes, 'x509: invalid RDNSequence')),
    notBefore,
    notAfter,
    publicKeyBytes,
    publicKey: readPublicKey(publicKeyBytes),
  };
}

function readVersion(reader: DerReader): number {
  if (!reader.isNext(constructedTag(0))) return 1;
  const inside = reader.inside(constructedTag(0));
  const version = inside.number() + 1;
  if (!inside.isEmpty || version < 1 || version > 3) throw new MalformedError('x509: invalid version');
  return version;
}

function readOptionalParts(reader: DerReader, version: number): Extensions {
  if (version === 1) return noExtensions();
  reader.optional(contextTag(1));
  reader.optional(contextTag(2));
  return version === 3 && reader.isNext(constructedTag(3)) ? readExtensions(reader.inside(constructedTag(3))) : noExtensions();
}

const utcTime = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/** Milliseconds since the epoch. */
export function readTime(reader: DerReader): number {
  const { tag, content } = reader.any();
  const text = content.toString('latin1');
  const parts = tag === tags.utcTime ? utcTime.exec(text) : tag === tags.generalizedTime ? generalizedTime.exec(text) : null;
  if (parts === null) throw new MalformedError('x509: unsupported time format');
  const [, written = '', month, day, hour, minute, second = '0', zone = 'Z'] = parts;
  // Two digits are of the century from 1950 on.
  const year = written.length === 4 ? Number(written) : Number(written) + (Number(written) >= 50 ? 1900 : 2000);
  const [m, d, h, min, s] = [month, day, hour, minute, second].map(Number) as [number, number, number, number, number];
  const time = new Date(0);
  time.setUTCFullYear(year, m - 1, d);
  time.setUTCHours(h, min, s);
  const isDate = time.getUTCMonth() === m - 1 && time.getUTCDate() === d && h < 24 && min < 60 && s < 60;
  if (!isDate || /^[+-]0000$/.test(zone)) throw new MalformedError('x509: malformed time');
  if (zone === 'Z') return time.getTime();
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * 60_000;
  return time.getTime() - (zone.startsWith('-') ? -offset : offset);
}

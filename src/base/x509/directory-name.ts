// Upstream: std/crypto/x509/parser.go#parseName, #parseASN1String, std/crypto/x509/pkix/pkix.go
import { isAscii, isUtf8 } from 'node:buffer';
import type { DerReader } from './der-reader.ts';
import { MalformedError, tags } from './der-reader.ts';

export interface NameAttribute {
  /** the object identifier's content, hexadecimal */
  readonly type: string;
  readonly value: string;
}

/** A subject or issuer as those who look for users in it read it. */
export interface DirectoryName {
  /** of several the last */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** all of them, in the order in which they are written */
  readonly attributes: readonly NameAttribute[];
}

const stringTags = { utf8: 0x0c, numeric: 0x12, printable: 0x13, t61: 0x14, ia5: 0x16, bmp: 0x1e } as const;
const commonName = '550403';
const organization = '55040a';
/** `*` and `&` are not allowed in a PrintableString, and common there. */
const printable = /^[A-Za-z0-9'()+,\-./ :=?*&]*$/;
/** what UTF-16 keeps for itself, and what is no character */
const notInBmp = /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/;

/** `name` is at the whole element. Sets of several attributes are read as attributes one after another. */
export function readDirectoryName(name: DerReader): DirectoryName {
  const attributes: NameAttribute[] = [];
  for (const sets = name.sequence(); !sets.isEmpty;) {
    for (const set = sets.inside(tags.set); !set.isEmpty;) {
      const attribute = set.sequence();
      const type = attribute.identifier();
      const { tag, content } = attribute.any();
      attributes.push({ type, value: stringOf(tag, content) });
    }
  }
  return directoryName(attributes);
}

export function directoryName(attributes: readonly NameAttribute[]): DirectoryName {
  const valuesOf = (type: string): string[] => attributes.filter((one) => one.type === type).map(({ value }) => value);
  return { commonName: valuesOf(commonName).at(-1) ?? '', organizations: valuesOf(organization), attributes };
}

/** Whether a tag is one of the texts that Go knows. */
export function isStringTag(tag: number): boolean {
  return (Object.values(stringTags) as number[]).includes(tag);
}

/** Throws when the bytes are not of their type, or the type is none that Go knows. */
export function stringOf(tag: number, content: Buffer): string {
  const text = textOf(tag, content);
  if (text === undefined) throw new MalformedError('x509: invalid RDNSequence: invalid attribute value');
  return text;
}

function textOf(tag: number, content: Buffer): string | undefined {
  switch (tag) {
    // A character set of its own once; in practice it is read as Latin-1.
    case stringTags.t61:
      return content.toString('latin1');
    case stringTags.utf8:
      return isUtf8(content) ? content.toString() : undefined;
    case stringTags.printable:
      return matching(content, printable);
    case stringTags.numeric:
      return matching(content, /^[0-9 ]*$/);
    case stringTags.ia5:
      return isAscii(content) ? content.toString('latin1') : undefined;
    case stringTags.bmp:
      return bmpText(content);
    default:
      return undefined;
  }
}

function matching(content: Buffer, pattern: RegExp): string | undefined {
  const text = content.toString('latin1');
  return pattern.test(text) ? text : undefined;
}

/** Two bytes for each character; one NUL at the end does not count. */
function bmpText(content: Buffer): string | undefined {
  if (content.length % 2 !== 0) return undefined;
  const text = Buffer.from(content).swap16().toString('utf16le');
  const ended = text.endsWith('\0') ? text.slice(0, -1) : text;
  return notInBmp.test(ended) ? undefined : ended;
}

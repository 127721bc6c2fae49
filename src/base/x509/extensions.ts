// Upstream: std/crypto/x509/parser.go#processExtensions
import { isAscii } from 'node:buffer';
import { isIP } from 'node:net';
import { DerReader, MalformedError, constructedTag, contextTag, tags } from './der-reader.ts';
import { isDomainName, readMailbox } from './domain-name.ts';
import { uriHost } from './uri-host.ts';

export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  /** 4 or 16 bytes each */
  readonly addresses: readonly Buffer[];
  /** hosts, with their ports */
  readonly uris: readonly string[];
}

export interface AddressRange {
  readonly address: Buffer;
  readonly mask: Buffer;
}

export interface Subtrees {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly AddressRange[];
  readonly uris: readonly string[];
}

export interface NameConstraints {
  readonly permitted: Subtrees;
  readonly excluded: Subtrees;
}

/** What the extensions of a certificate say; members are undefined when an extension is not there. */
export interface Extensions {
  /** bits of KeyUsage, the first in the lowest; 0: nothing is said */
  keyUsage: number;
  basicConstraints: { readonly isAuthority: boolean; readonly maxPathLength: number | undefined } | undefined;
  alternativeNames: AlternativeNames | undefined;
  /** bytes of the extension, by which certificates are compared */
  alternativeNameBytes: Buffer | undefined;
  nameConstraints: NameConstraints | undefined;
  /** object identifiers, hexadecimal */
  usages: readonly string[];
  subjectKeyId: Buffer | undefined;
  authorityKeyId: Buffer | undefined;
  policies: readonly string[];
  policyMappings: readonly (readonly [issuer: string, subject: string])[];
  requireExplicitPolicy: number | undefined;
  inhibitPolicyMapping: number | undefined;
  inhibitAnyPolicy: number | undefined;
  /** there is a critical extension that this package does not know */
  hasUnknownCritical: boolean;
}

export function noExtensions(): Extensions {
  return {
    keyUsage: 0,
    basicConstraints: undefined,
    alternativeNames: undefined,
    alternativeNameBytes: undefined,
    nameConstraints: undefined,
    usages: [],
    subjectKeyId: undefined,
    authorityKeyId: undefined,
    policies: [],
    policyMappings: [],
    requireExplicitPolicy: undefined,
    inhibitPolicyMapping: undefined,
    inhibitAnyPolicy: undefined,
    hasUnknownCritical: false,
  };
}

/** Reads one extension into `into`; true when it was understood whole. Throws when it is malformed. */
type ExtensionReader = (value: Buffer, into: Extensions, isCritical: boolean) => boolean;

const certificateExtension = '551d';
const readers: Readonly<Record<string, ExtensionReader>> = {
  [`${certificateExtension}0f`]: (value, into) => {
    const { bytes } = new DerReader(value, 'x509: invalid key usage').bitString();
    for (let bit = 0; bit < 9; bit++) if (((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0) into.keyUsage |= 1 << bit;
    return true;
  },
  [`${certificateExtension}13`]: (value, into) => {
    const reader = new DerReader(value, 'x509: invalid basic constraints').sequence();
    const isAuthority = reader.isNext(tags.boolean) && reader.boolean();
    const maxPathLength = reader.isNext(tags.integer) ? reader.number() : undefined;
    if (maxPathLength !== undefined && maxPathLength < 0) throw reader.malformed();
    into.basicConstraints = { isAuthority, maxPathLength };
    return true;
  },
  [`${certificateExtension}11`]: (value, into) => {
    const names = readAlternativeNames(value);
    into.alternativeNames = names;
    into.alternativeNameBytes = value;
    return names.dns.length + names.emails.length + names.addresses.length + names.uris.length > 0;
  },
  [`${certificateExtension}1e`]: readNameConstraints,
  [`${certificateExtension}1f`]: (value) => {
    for (const points = new DerReader(value, 'x509: invalid CRL distribution points').sequence(); !points.isEmpty;) {
      const name = points.sequence().optional(constructedTag(0));
      if (name === undefined) continue;
      const names = new DerReader(name, 'x509: invalid CRL distribution point').inside(constructedTag(0));
      while (names.isNext(contextTag(6))) names.any();
    }
    return true;
  },
  [`${certificateExtension}23`]: (value, into, isCritical) => {
    if (isCritical) throw new MalformedError('x509: authority key identifier incorrectly marked critical');
    into.authorityKeyId = new DerReader(value, 'x509: invalid authority key identifier').sequence().optional(contextTag(0));
    return true;
  },
  [`${certificateExtension}24`]: (value, into) => {
    const reader = new DerReader(value, 'x509: invalid policy constraints extension').sequence();
    if (reader.isNext(contextTag(0))) into.requireExplicitPolicy = reader.number(contextTag(0));
    if (reader.isNext(contextTag(1))) into.inhibitPolicyMapping = reader.number(contextTag(1));
    return true;
  },
  [`${certificateExtension}25`]: (value, into) => {
    const usages: string[] = [];
    for (const reader = new DerReader(value, 'x509: invalid extended key usages').sequence(); !reader.isEmpty;)
      usages.push(reader.identifier());
    into.usages = usages;
    return true;
  },
  [`${certificateExtension}0e`]: (value, into, isCritical) => {
    if (isCritical) throw new MalformedError('x509: subject key identifier incorrectly marked critical');
    into.subjectKeyId = new DerReader(value, 'x509: invalid subject key identifier').content(tags.octetString);
    return true;
  },
  [`${certificateExtension}20`]: (value, into) => {
    const policies: string[] = [];
    for (const reader = new DerReader(value, 'x509: invalid certificate policies').sequence(); !reader.isEmpty;)
      policies.push(reader.sequence().content(tags.objectIdentifier).toString('hex'));
    if (new Set(policies).size < policies.length) throw new MalformedError('x509: invalid certificate policies');
    into.policies = policies;
    return true;
  },
  [`${certificateExtension}21`]: (value, into) => {
    const mappings: (readonly [string, string])[] = [];
    for (const reader = new DerReader(value, 'x509: invalid policy mappings extension').sequence(); !reader.isEmpty;) {
      const pair = reader.sequence();
      mappings.push([pair.content(tags.objectIdentifier).toString('hex'), pair.content(tags.objectIdentifier).toString('hex')]);
    }
    into.policyMappings = mappings;
    return true;
  },
  [`${certificateExtension}36`]: (value, into) => {
    into.inhibitAnyPolicy = new DerReader(value, 'x509: invalid inhibit any policy extension').number();
    return true;
  },
  // Authority information access
  '2b06010505070101': (value, _into, isCritical) => {
    if (isCritical) throw new MalformedError('x509: authority info access incorrectly marked critical');
    for (const reader = new DerReader(value, 'x509: invalid authority info access').sequence(); !reader.isEmpty;) {
      const access = reader.sequence();
      access.identifier();
      access.optional(contextTag(6));
    }
    return true;
  },
};

/** `list` is at the sequence of all extensions. */
export function readExtensions(list: DerReader): Extensions {
  const extensions = noExtensions();
  const seen = new Map<string, { readonly value: Buffer; readonly isCritical: boolean }>();
  for (const reader = list.sequence(); !reader.isEmpty;) {
    const extension = reader.sequence();
    const identifier = extension.identifier();
    const isCritical = extension.isNext(tags.boolean) && extension.boolean();
    if (seen.has(identifier)) throw new MalformedError('x509: certificate contains duplicate extensions');
    seen.set(identifier, { value: extension.content(tags.octetString), isCritical });
  }
  for (const [identifier, { value, isCritical }] of seen) {
    const isUnderstood = readers[identifier]?.(value, extensions, isCritical) ?? false;
    if (isCritical && !isUnderstood) extensions.hasUnknownCritical = true;
  }
  return extensions;
}

export function readAlternativeNames(value: Buffer): AlternativeNames {
  const names = { dns: [] as string[], emails: [] as string[], addresses: [] as Buffer[], uris: [] as string[] };
  for (const reader = new DerReader(value, 'x509: invalid subject alternative names').sequence(); !reader.isEmpty;) {
    const { tag, content } = reader.any();
    if (tag === contextTag(1)) names.emails.push(asciiText(content, 'x509: SAN rfc822Name is malformed'));
    else if (tag === contextTag(2)) names.dns.push(asciiText(content, 'x509: SAN dNSName is malformed'));
    else if (tag === contextTag(6)) names.uris.push(uriHost(asciiText(content, 'x509: SAN uniformResourceIdentifier is malformed')));
    else if (tag === contextTag(7)) names.addresses.push(addressOf(content));
  }
  return names;
}

function addressOf(content: Buffer): Buffer {
  if (content.length !== 4 && content.length !== 16) throw new MalformedError(`x509: cannot parse IP address of length ${content.length}`);
  return content;
}

/** False when one of the subtrees is of names that cannot be compared. */
function readNameConstraints(value: Buffer, into: Extensions): boolean {
  const outer = new DerReader(value, 'x509: invalid NameConstraints extension');
  const reader = outer.sequence();
  const [permitted, excluded] = [reader.optional(constructedTag(0)), reader.optional(constructedTag(1))];
  if (!outer.isEmpty || !reader.isEmpty) throw outer.malformed();
  if ((permitted?.length ?? 0) + (excluded?.length ?? 0) === 0) throw new MalformedError('x509: empty name constraints extension');
  const parts = [permitted, excluded].map((bytes) => readSubtrees(bytes ?? Buffer.alloc(0)));
  into.nameConstraints = { permitted: (parts[0] as ReadSubtrees).subtrees, excluded: (parts[1] as ReadSubtrees).subtrees };
  return parts.every(({ isWhole }) => isWhole);
}

interface ReadSubtrees {
  readonly subtrees: Subtrees;
  readonly isWhole: boolean;
}

function readSubtrees(bytes: Buffer): ReadSubtrees {
  const subtrees = { dns: [] as string[], emails: [] as string[], addresses: [] as AddressRange[], uris: [] as string[] };
  let isWhole = true;
  for (const reader = new DerReader(bytes, 'x509: invalid NameConstraints extension'); !reader.isEmpty;) {
    const { tag, content } = reader.sequence().any();
    if (tag === contextTag(1)) subtrees.emails.push(emailConstraint(content));
    else if (tag === contextTag(2)) subtrees.dns.push(domainConstraint(content, 'dnsName'));
    else if (tag === contextTag(6)) subtrees.uris.push(uriConstraint(content));
    else if (tag === contextTag(7)) subtrees.addresses.push(addressRange(content));
    else isWhole = false;
  }
  return { subtrees, isWhole };
}

function domainConstraint(content: Buffer, what: string): string {
  const domain = asciiText(content, 'x509: invalid constraint value');
  if (!isDomainName(domain, true)) throw new MalformedError(`x509: failed to parse ${what} constraint ${JSON.stringify(domain)}`);
  return domain;
}

function uriConstraint(content: Buffer): string {
  const domain = domainConstraint(content, 'URI');
  if (isIP(domain) !== 0) throw new MalformedError(`x509: failed to parse URI constraint ${JSON.stringify(domain)}: cannot be IP address`);
  return domain;
}

function emailConstraint(content: Buffer): string {
  const text = asciiText(content, 'x509: invalid constraint value');
  if (!text.includes('@')) return domainConstraint(content, 'rfc822Name');
  if (readMailbox(text) === undefined) throw new MalformedError(`x509: failed to parse rfc822Name constraint ${JSON.stringify(text)}`);
  return text;
}

function addressRange(content: Buffer): AddressRange {
  if (content.length !== 8 && content.length !== 32) {
    throw new MalformedError(`x509: IP constraint contained value of length ${content.length}`);
  }
  const mask = content.subarray(content.length / 2);
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  if (!/^1*0*$/.test(bits)) throw new MalformedError(`x509: IP constraint contained invalid mask ${mask.toString('hex')}`);
  return { address: content.subarray(0, content.length / 2), mask };
}

function asciiText(content: Buffer, what: string): string {
  if (!isAscii(content)) throw new MalformedError(what);
  return content.toString('latin1');
}

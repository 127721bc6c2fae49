// Upstream: std/crypto/x509/constraints.go
import type { Certificate } from './certificate.ts';
import type { Mailbox } from './domain-name.ts';
import { isDomainName, readMailbox } from './domain-name.ts';
import type { AddressRange, Subtrees } from './extensions.ts';
import { constrainedDomain } from './uri-host.ts';

/** Whether a name is in one of the subtrees; undefined: there are none of its kind. */
type Query<Name> = ((name: Name) => boolean) | undefined;

interface Queries {
  readonly dns: Query<string>;
  readonly emails: Query<Mailbox>;
  readonly addresses: Query<Buffer>;
  readonly uris: Query<string>;
}

interface Constraints {
  /** place in the chain of the certificate that has them */
  readonly index: number;
  readonly permitted: Queries;
  readonly excluded: Queries;
}

/** Why a chain, the leaf first, breaks the name constraints of one of its authorities; undefined when it does not. */
export function nameConstraintFault(chain: readonly Certificate[]): string | undefined {
  const all: Constraints[] = [];
  for (const [index, { nameConstraints }] of chain.entries()) {
    if (nameConstraints === undefined) continue;
    const { permitted, excluded } = nameConstraints;
    all.push({ index, permitted: queriesOf(permitted, true), excluded: queriesOf(excluded, false) });
  }
  if (all.length === 0) return undefined;
  for (const [index, certificate] of chain.entries()) {
    if (certificate.alternativeNames === undefined) continue;
    const above = all.filter((one) => one.index > index);
    if (above.length === 0) return undefined;
    const fault = namesFault(certificate, above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function namesFault({ alternativeNames }: Certificate, constraints: readonly Constraints[]): string | undefined {
  if (alternativeNames === undefined) return undefined;
  const domains = alternativeNames.uris.map(constrainedDomain);
  if (domains.includes(undefined)) return 'URI with empty host or IP cannot be matched against constraints';
  const mailboxes = alternativeNames.emails.map(readMailbox);
  if (mailboxes.includes(undefined)) return 'cannot parse rfc822Name';
  for (const one of constraints) {
    const fault =
      kindFault('IP address', alternativeNames.addresses, one.permitted.addresses, one.excluded.addresses, () => true) ??
      kindFault('DNS name', alternativeNames.dns, one.permitted.dns, one.excluded.dns, (name) => isDomainName(name, false)) ??
      kindFault('URI', domains as string[], one.permitted.uris, one.excluded.uris, (name) => isDomainName(name, false)) ??
      kindFault('email address', mailboxes as Mailbox[], one.permitted.emails, one.excluded.emails, ({ domain }) =>
        isDomainName(domain, false),
      );
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function kindFault<Name>(
  kind: string,
  names: readonly Name[],
  permitted: Query<Name>,
  excluded: Query<Name>,
  isName: (name: Name) => boolean,
): string | undefined {
  for (const name of names) {
    if (!isName(name)) return `x509: cannot parse ${kind}`;
    if (permitted !== undefined && !permitted(name)) return `${kind} is not permitted by any constraint`;
    if (excluded?.(name) === true) return `${kind} is excluded by constraint`;
  }
  return undefined;
}

function queriesOf({ dns, emails, addresses, uris }: Subtrees, isPermitted: boolean): Queries {
  return {
    dns: domainQuery(dns, isPermitted),
    uris: domainQuery(uris, isPermitted),
    emails: emailQuery(emails, isPermitted),
    addresses: addressQuery(addresses),
  };
}

/**
 * A domain is in the subtree of itself and of whatever it ends with after a dot; a subtree with a leading dot is of longer names only. An
 * excluded subtree also covers a wildcard that could stand for it. Subtrees are looked up by the endings of a name: what a query costs does
 * not depend on how many there are.
 */
function domainQuery(subtrees: readonly string[], isPermitted: boolean): Query<string> {
  if (subtrees.length === 0) return undefined;
  const known = new Set(subtrees.map((one) => one.toLowerCase()));
  if (known.has('')) return () => true;
  const lengths = new Set([...known].map(({ length }) => length));
  const parents = new Set(isPermitted ? [] : outermost(known).map(withoutFirstLabel));
  parents.delete('');
  return (name) => {
    const lower = name.toLowerCase();
    for (const length of lengths) {
      const ending = lower.slice(-length);
      if (length > lower.length || !known.has(ending)) continue;
      if (length === lower.length || ending.startsWith('.') || lower[lower.length - length - 1] === '.') return true;
    }
    return lower.startsWith('*') && parents.has(withoutFirstLabel(lower));
  };
}

/** Subtrees that are not part of others. */
function outermost(subtrees: ReadonlySet<string>): string[] {
  return [...subtrees].filter((one) => {
    for (let dot = one.indexOf('.'); dot >= 0; dot = one.indexOf('.', dot + 1)) {
      if ((dot > 0 && subtrees.has(one.slice(dot))) || subtrees.has(one.slice(dot + 1))) return false;
    }
    return true;
  });
}

function withoutFirstLabel(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

/** A constraint is a whole address, or a domain. */
function emailQuery(subtrees: readonly string[], isPermitted: boolean): Query<Mailbox> {
  if (subtrees.length === 0) return undefined;
  const whole = new Set(subtrees.filter((one) => one.includes('@')).map((one) => keyOf(readMailbox(one))));
  const domains = domainQuery(
    subtrees.filter((one) => !one.includes('@')),
    isPermitted,
  );
  return (mailbox) => whole.has(keyOf(mailbox)) || domains?.(mailbox.domain) === true;
}

function keyOf(mailbox: Mailbox | undefined): string {
  return JSON.stringify(mailbox);
}

/**
 * Kept: Go looks at one range only, the one whose address is just below. Ranges whose address is not their first can be missed, in a way that
 * depends on the others.
 */
function addressQuery(ranges: readonly AddressRange[]): Query<Buffer> {
  if (ranges.length === 0) return undefined;
  const [four, sixteen] = [4, 16].map((length) => outermostRanges(ranges.filter(({ address }) => address.length === length)));
  return (address) => {
    const sorted = (address.length === 4 ? four : sixteen) ?? [];
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare((sorted[middle] as AddressRange).address, address) < 0) low = middle + 1;
      else high = middle;
    }
    const next = sorted[low];
    if (next !== undefined && next.address.equals(address)) return true;
    const nearest = sorted[Math.max(low - 1, 0)];
    return nearest !== undefined && contains(nearest, address);
  };
}

function outermostRanges(ranges: readonly AddressRange[]): AddressRange[] {
  const sorted = ranges.toSorted((a, b) => Buffer.compare(a.address, b.address) || Buffer.compare(a.mask, b.mask));
  const kept: AddressRange[] = [];
  for (const range of sorted) {
    const last = kept.at(-1);
    const end = Buffer.from(range.address.map((byte, i) => byte | (~(range.mask[i] ?? 0) & 0xff)));
    if (last === undefined || !contains(last, range.address) || !contains(last, end)) kept.push(range);
  }
  return kept;
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

/** Kept: an IPv4 address that is written as IPv6 is in ranges of such only. */
function contains(range: AddressRange, address: Buffer): boolean {
  const target = shortAddress(address);
  const base = shortAddress(range.address);
  const mask = base.length === 4 ? range.mask.subarray(-4) : range.mask;
  return target.length === base.length && base.every((byte, i) => ((byte ^ (target[i] ?? 0)) & (mask[i] ?? 0)) === 0);
}

function shortAddress(address: Buffer): Buffer {
  return address.length === 16 && address.subarray(0, 12).equals(mappedPrefix) ? address.subarray(12) : address;
}

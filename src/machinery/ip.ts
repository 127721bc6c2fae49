// Upstream: k8s.io/utils/net#ParseIPSloppy, #ParseCIDRSloppy, std/net, std/net/netip

const mappedPrefix = 0xffffn;
const mappedBits = mappedPrefix << 32n;
const dot = 0x2e;
const colon = 0x3a;
const zero = 0x30;
const all = 2n ** 128n - 1n;

export interface IpAddress {
  /** 128 bits; an IPv4 address stands at ::ffff:0:0 */
  readonly value: bigint;
  /** written as a dotted quad, not as an IPv4-mapped IPv6 address */
  readonly dotted: boolean;
  /** written as the standards have it: no superfluous zeros */
  readonly strict: boolean;
}

export interface Cidr {
  readonly ip: IpAddress;
  /** the address with the bits beyond the prefix cleared */
  readonly network: bigint;
  /** of 32 bits for dotted addresses, of 128 for others */
  readonly prefixLength: number;
  readonly strict: boolean;
}

/** As upstream has always read addresses: leading zeros are allowed, and decimal. */
export function parseIp(text: string): IpAddress | undefined {
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === dot) return parseIpv4(text);
    if (character === colon) return parseIpv6(text);
  }
  return undefined;
}

function parseIpv4(text: string): IpAddress | undefined {
  // Lists have many thousands of them: no pieces of text, and one bigint at the end.
  let address = 0;
  let strict = true;
  let dots = 0;
  let octet = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = at === text.length ? dot : text.charCodeAt(at);
    if (character !== dot) {
      const digit = character - zero;
      if (digit < 0 || digit > 9) return undefined;
      octet = octet * 10 + digit;
      if (octet > 255) return undefined;
      continue;
    }
    if (at === start || ++dots > 4) return undefined;
    if (at - start > 1 && text.charCodeAt(start) === zero) strict = false;
    address = address * 256 + octet;
    octet = 0;
    start = at + 1;
  }
  return dots === 4 ? { value: mappedBits | BigInt(address), dotted: true, strict } : undefined;
}

function parseIpv6(text: string): IpAddress | undefined {
  // No further than it takes to see that there are too many.
  const halves = text.split('::', 3);
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : { groups: [], strict: true };
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.groups.length - tail.groups.length;
  // An ellipsis stands for one group at least.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head.groups, ...Array.from({ length: missing }, () => 0), ...tail.groups];
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { value, dotted: false, strict: head.strict && tail.strict };
}

function parseGroups(text: string, last: boolean): { groups: number[]; strict: boolean } | undefined {
  if (text === '') return { groups: [], strict: true };
  const groups: number[] = [];
  let strict = true;
  const parts = text.split(':', 9);
  if (parts.length > 8) return undefined;
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const quad = last && index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (quad === undefined) return undefined;
      strict &&= quad.strict;
      groups.push(Number((quad.value >> 16n) & 0xffffn), Number(quad.value & 0xffffn));
    } else {
      if (!/^[0-9a-fA-F]+$/.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      if (group > 0xffff) return undefined;
      strict &&= part.length <= 4;
      groups.push(group);
    }
  }
  return { groups, strict };
}

export function isIpv4({ value }: Pick<IpAddress, 'value'>): boolean {
  return value >> 32n === mappedPrefix;
}

/** ::ffff:1.2.3.4 written as an IPv6 address. */
export function isIpv4Mapped(ip: IpAddress): boolean {
  return !ip.dotted && isIpv4(ip);
}

/** Neither this machine nor its neighbourhood nor many at once. An IPv4 address is the same however it is written. */
export function isGlobalUnicast({ value }: Pick<IpAddress, 'value'>): boolean {
  if (isIpv4({ value })) {
    const [first, second] = [(value >> 24n) & 0xffn, (value >> 16n) & 0xffn];
    const address = value & 0xffff_ffffn;
    if (address === 0n || address === 0xffff_ffffn || first === 127n) return false;
    return first >> 4n !== 0xen && !(first === 169n && second === 254n);
  }
  return value > 1n && value >> 120n !== 0xffn && value >> 118n !== 0xfe80n >> 6n;
}

/** Dotted for IPv4 however it was written, RFC 5952 for IPv6. */
export function formatIp(value: bigint): string {
  if (value >> 32n === mappedPrefix) {
    const address = Number(value & 0xffff_ffffn);
    return `${address >>> 24}.${(address >>> 16) & 0xff}.${(address >>> 8) & 0xff}.${address & 0xff}`;
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  const { start, length } = longestZeroRun(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const [address, length] = [text.slice(0, slash), text.slice(slash + 1)];
  const ip = parseIpv4(address) ?? parseIpv6(address);
  if (ip === undefined || !/^[0-9]+$/.test(length)) return undefined;
  const prefixLength = Number(length);
  const width = ip.dotted ? 32 : 128;
  if (prefixLength > width) return undefined;
  const network = ip.value & (all << BigInt(width - prefixLength)) & all;
  return { ip, network, prefixLength, strict: ip.strict && (length.length === 1 || !length.startsWith('0')) };
}

/** The network; one within the mapped range reads as IPv4. */
export function formatCidr({ ip, network, prefixLength }: Cidr): string {
  const mapped = !ip.dotted && network >> 32n === mappedPrefix;
  return `${formatIp(network)}/${mapped ? Math.max(prefixLength - 96, 0) : prefixLength}`;
}

/** Whether the address is in the network, both of one family. */
export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  if (isIpv4(cidr.ip) !== isIpv4(ip)) return false;
  const beyond = BigInt((cidr.ip.dotted ? 32 : 128) - cidr.prefixLength);
  return ip.value >> beyond === cidr.network >> beyond;
}

// Upstream: std/net/netip
// Its texts show in errors.

import { append } from '../../machinery/append.ts';
import { goQuote } from '../../machinery/go-format.ts';

export class AddressError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An IP address: four or sixteen bytes. */
export class Address {
  readonly bytes: readonly number[];
  readonly zone: string;

  constructor(bytes: readonly number[], zone = '') {
    this.bytes = bytes;
    this.zone = zone;
  }

  get isV4(): boolean {
    return this.bytes.length === 4;
  }

  /** An IPv4 address in IPv6 clothes: ::ffff:1.2.3.4. */
  get isMapped(): boolean {
    return !this.isV4 && this.bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 255));
  }

  get isUnspecified(): boolean {
    return this.bytes.every((byte) => byte === 0);
  }

  get isLoopback(): boolean {
    return this.isV4 ? this.bytes[0] === 127 : this.bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
  }

  get isMulticast(): boolean {
    return this.isV4 ? (this.bytes[0]! & 0xf0) === 0xe0 : this.bytes[0] === 0xff;
  }

  get isLinkLocalMulticast(): boolean {
    if (this.isV4) return this.bytes[0] === 224 && this.bytes[1] === 0 && this.bytes[2] === 0;
    return this.bytes[0] === 0xff && (this.bytes[1]! & 0x0f) === 0x02;
  }

  get isLinkLocalUnicast(): boolean {
    if (this.isV4) return this.bytes[0] === 169 && this.bytes[1] === 254;
    return this.bytes[0] === 0xfe && (this.bytes[1]! & 0xc0) === 0x80;
  }

  get isGlobalUnicast(): boolean {
    if (this.isV4 && this.bytes.every((byte) => byte === 255)) return false;
    return !this.isUnspecified && !this.isLoopback && !this.isMulticast && !this.isLinkLocalUnicast;
  }

  equals(other: Address): boolean {
    return this.bytes.length === other.bytes.length && this.zone === other.zone && this.bytes.every((byte, i) => byte === other.bytes[i]);
  }

  toString(): string {
    return this.isV4 ? this.bytes.join('.') : showV6(this.bytes) + (this.zone === '' ? '' : `%${this.zone}`);
  }
}

function showV6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes[2 * i]! * 256 + bytes[2 * i + 1]!);
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

const fail = (input: string, message: string, at = ''): AddressError =>
  new AddressError(`ParseAddr(${goQuote(input)}): ${message}${at === '' ? '' : ` (at ${goQuote(at)})`}`);

export function parseAddress(text: string): Address | AddressError {
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.': {
      const bytes = parseV4(text, text);
      return bytes instanceof AddressError ? bytes : new Address(bytes);
    }
    case ':':
      return parseV6(text);
    case '%':
      return fail(text, 'missing IPv6 address');
    default:
      return fail(text, 'unable to parse IP');
  }
}

function parseV4(input: string, text: string): number[] | AddressError {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c >= '0' && c <= '9') {
      if (digits === 1 && value === 0) return fail(input, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(c);
      digits++;
      if (value > 255) return fail(input, 'IPv4 field has value >255');
    } else if (c === '.') {
      if (i === 0 || i === text.length - 1 || text[i - 1] === '.')
        return fail(input, 'IPv4 field must have at least one digit', text.slice(i));
      if (fields.length === 3) return fail(input, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else {
      return fail(input, 'unexpected character', text.slice(i));
    }
  }
  return fields.length < 3 ? fail(input, 'IPv4 address too short') : [...fields, value];
}

function parseV6(input: string): Address | AddressError {
  const percent = input.indexOf('%');
  const zone = percent < 0 ? '' : input.slice(percent + 1);
  if (percent >= 0 && zone === '') return fail(input, 'zone must be a non-empty string');
  const bytes = parseGroups(input, percent < 0 ? input : input.slice(0, percent));
  return bytes instanceof AddressError ? bytes : new Address(bytes, zone);
}

function parseGroups(input: string, text: string): number[] | AddressError {
  const bytes: number[] = [];
  let rest = text;
  let gap = -1;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
    if (rest === '') return new Array<number>(16).fill(0);
  }
  while (bytes.length < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest)![0];
    if (group.length > 4) return fail(input, 'each group must have 4 or less digits', rest);
    if (group === '') return fail(input, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      const embedded = parseEmbedded(input, rest, bytes.length, gap >= 0);
      if (embedded instanceof AddressError) return embedded;
      append(bytes, embedded);
      rest = '';
      break;
    }
    const value = parseInt(group, 16);
    bytes.push(value >> 8, value & 255);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (rest[0] !== ':') return fail(input, 'unexpected character, want colon', rest);
    if (rest.length === 1) return fail(input, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (gap >= 0) return fail(input, 'multiple :: in address', rest);
      gap = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return fail(input, 'trailing garbage after address', rest);
  if (bytes.length === 16) return gap >= 0 ? fail(input, 'the :: must expand to at least one field of zeros') : bytes;
  if (gap < 0) return fail(input, 'address string too short');
  return [...bytes.slice(0, gap), ...new Array<number>(16 - bytes.length).fill(0), ...bytes.slice(gap)];
}

function parseEmbedded(input: string, rest: string, at: number, hasGap: boolean): number[] | AddressError {
  if (!hasGap && at !== 12) return fail(input, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (at + 4 > 16) return fail(input, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  return parseV4(input, rest);
}

/** An address with a prefix length. */
export class Prefix {
  readonly address: Address;
  readonly bits: number;

  constructor(address: Address, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  get masked(): Prefix {
    return new Prefix(new Address(maskBytes(this.address.bytes, this.bits)), this.bits);
  }

  contains(address: Address): boolean {
    if (address.zone !== '' || address.bytes.length !== this.address.bytes.length) return false;
    const mine = maskBytes(this.address.bytes, this.bits);
    return maskBytes(address.bytes, this.bits).every((byte, i) => byte === mine[i]);
  }

  containsPrefix(other: Prefix): boolean {
    return this.bits <= other.bits && this.contains(other.address);
  }

  toString(): string {
    return `${this.address}/${this.bits}`;
  }
}

const maskBytes = (bytes: readonly number[], bits: number): number[] =>
  bytes.map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, bits - 8 * i))) & 0xff);

export function parsePrefix(text: string): Prefix | AddressError {
  const complain = (message: string): AddressError => new AddressError(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return complain("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (address instanceof AddressError) return complain(address.message);
  if (address.zone !== '') return complain('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if ((bits.length > 1 && !/^[1-9]/.test(bits)) || !/^[+-]?\d+$/.test(bits)) return complain(`bad bits after slash: ${goQuote(bits)}`);
  const count = Number(bits);
  return count < 0 || count > address.bytes.length * 8 ? complain('prefix length out of range') : new Prefix(address, count);
}

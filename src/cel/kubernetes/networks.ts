// Upstream: k8s.io/apiserver/pkg/cel/library/{ip,cidr}.go

import { goQuote } from '../../machinery/go-format.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { boolType as bool, intType as int, opaque, stringType as string } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelObject, noSuchOverload } from '../values.ts';
import type { Address, Prefix } from './addresses.ts';
import { AddressError, parseAddress, parsePrefix } from './addresses.ts';

export const ipType = opaque('net.IP');
export const cidrType = opaque('net.CIDR');

class IpValue extends CelObject {
  readonly type = ipType;
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: Value): Truth {
    return other instanceof IpValue ? this.address.equals(other.address) : noSuchOverload;
  }

  override get measure(): number {
    return this.address.bytes.length;
  }

  override get text(): string {
    return String(this.address);
  }
}

class CidrValue extends CelObject {
  readonly type = cidrType;
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  equals(other: Value): Truth {
    if (!(other instanceof CidrValue)) return noSuchOverload;
    return this.prefix.bits === other.prefix.bits && this.prefix.address.equals(other.prefix.address);
  }

  override get measure(): number {
    return Math.ceil(this.prefix.bits / 8);
  }

  override get text(): string {
    return String(this.prefix);
  }
}

function toIp(text: string): IpValue | CelError {
  const address = parseAddress(text);
  if (address instanceof AddressError)
    return new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${address.message}`);
  if (address.zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  return address.isMapped ? new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`) : new IpValue(address);
}

function toCidr(text: string): CidrValue | CelError {
  const trouble = 'network address parse error during conversion from string: ';
  const prefix = parsePrefix(text);
  // Upstream wraps the parser's message twice.
  if (prefix instanceof AddressError) return new CelError(trouble + trouble + prefix.message);
  if (prefix.address.isMapped) return new CelError(`${trouble}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new CidrValue(prefix);
}

const test = (name: string, id: string, run: (address: Address) => boolean) =>
  declare(
    name,
    member(id, [ipType], bool, (ip: IpValue) => run(ip.address)),
  );

function isCanonical(text: string): Value {
  const ip = toIp(text);
  return ip instanceof CelError ? ip : ip.text === text;
}

export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  types: [ipType],
  functions: [
    declare('ip', overload('string_to_ip', [string], ipType, toIp)),
    declare(
      'family',
      member('ip_family', [ipType], int, (ip: IpValue) => (ip.address.isV4 ? 4 : 6)),
    ),
    declare('ip.isCanonical', overload('ip_is_canonical', [string], bool, isCanonical)),
    test('isUnspecified', 'ip_is_unspecified', (address) => address.isUnspecified),
    test('isLoopback', 'ip_is_loopback', (address) => address.isLoopback),
    test('isLinkLocalMulticast', 'ip_is_link_local_multicast', (address) => address.isLinkLocalMulticast),
    test('isLinkLocalUnicast', 'ip_is_link_local_unicast', (address) => address.isLinkLocalUnicast),
    test('isGlobalUnicast', 'ip_is_global_unicast', (address) => address.isGlobalUnicast),
    declare(
      'isIP',
      overload('is_ip', [string], bool, (text: string) => !(toIp(text) instanceof CelError)),
    ),
    declare(
      'string',
      overload('ip_to_string', [ipType], string, (ip: IpValue) => ip.text),
    ),
  ],
};

function containsIp(cidr: CidrValue, ip: IpValue | CelError): Value {
  // A text that is no address is no argument of the right type upstream.
  return ip instanceof CelError ? noSuchOverload : cidr.prefix.contains(ip.address);
}

const containsCidr = (cidr: CidrValue, other: CidrValue | CelError): Value =>
  other instanceof CelError ? other : cidr.prefix.containsPrefix(other.prefix);

export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  types: [cidrType],
  functions: [
    declare('cidr', overload('string_to_cidr', [string], cidrType, toCidr)),
    declare(
      'containsIP',
      member('cidr_contains_ip_string', [cidrType, string], bool, (cidr: CidrValue, ip: string) => containsIp(cidr, toIp(ip))),
      member('cidr_contains_ip_ip', [cidrType, ipType], bool, containsIp),
    ),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr_string', [cidrType, string], bool, (cidr: CidrValue, other: string) => containsCidr(cidr, toCidr(other))),
      member('cidr_contains_cidr', [cidrType, cidrType], bool, containsCidr),
    ),
    declare(
      'ip',
      member('cidr_ip', [cidrType], ipType, (cidr: CidrValue) => new IpValue(cidr.prefix.address)),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [cidrType], int, (cidr: CidrValue) => cidr.prefix.bits),
    ),
    declare(
      'masked',
      member('cidr_masked', [cidrType], cidrType, (cidr: CidrValue) => new CidrValue(cidr.prefix.masked)),
    ),
    declare(
      'isCIDR',
      overload('is_cidr', [string], bool, (text: string) => !(toCidr(text) instanceof CelError)),
    ),
    declare(
      'string',
      overload('cidr_to_string', [cidrType], string, (cidr: CidrValue) => cidr.text),
    ),
  ],
};

// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateEndpointIP
import { invalid } from '../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { isIpv4, parseCidr, parseIp } from '../../machinery/ip.ts';
import type { Cidr } from '../../machinery/ip.ts';

/** The first bits of addresses, and how many follow. Lists have many thousands of addresses: nothing of this is worked out for each. */
interface Range {
  readonly prefix: bigint;
  readonly beyond: bigint;
}

function rangeOf(text: string): Range {
  const { ip, network, prefixLength } = parseCidr(text) as Cidr;
  const beyond = BigInt((ip.dotted ? 32 : 128) - prefixLength);
  return { prefix: network >> beyond, beyond };
}

const specialRanges: readonly { readonly ipv4: Range; readonly ipv6: Range; readonly detail: string }[] = [
  { ipv4: rangeOf('127.0.0.0/8'), ipv6: rangeOf('::1/128'), detail: 'may not be in the loopback range (127.0.0.0/8, ::1/128)' },
  { ipv4: rangeOf('169.254.0.0/16'), ipv6: rangeOf('fe80::/10'), detail: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)' },
  // The message names a wider IPv6 range than the one that is refused.
  {
    ipv4: rangeOf('224.0.0.0/24'),
    ipv6: rangeOf('ff02::/16'),
    detail: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
];
const unspecified: ReadonlySet<bigint> = new Set([0n, 0xffffn << 32n]);

/** An address that traffic may be sent to. */
export function validateEndpointIp(address: string, path: FieldPath): FieldError[] {
  const ip = parseIp(address);
  if (ip === undefined) return [invalid(path, address, 'must be a valid IP address').withOrigin('format=ip-sloppy')];
  const details = unspecified.has(ip.value) ? [`may not be unspecified (${address})`] : [];
  const family = isIpv4(ip) ? 'ipv4' : 'ipv6';
  for (const { [family]: range, detail } of specialRanges) if (ip.value >> range.beyond === range.prefix) details.push(detail);
  return details.map((detail) => invalid(path, address, detail).withOrigin('format=endpoint-ip'));
}

// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateEndpointIP
import { invalid } from '../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { cidrContains, parseCidr, parseIp } from '../../machinery/ip.ts';
import type { Cidr } from '../../machinery/ip.ts';

const cidr = (text: string): Cidr => parseCidr(text) as Cidr;

const specialRanges: readonly (readonly [ranges: readonly Cidr[], detail: string])[] = [
  [[cidr('127.0.0.0/8'), cidr('::1/128')], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [[cidr('169.254.0.0/16'), cidr('fe80::/10')], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  // The message names a wider IPv6 range than the one that is refused.
  [[cidr('224.0.0.0/24'), cidr('ff02::/16')], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];
const unspecified: ReadonlySet<bigint> = new Set([0n, 0xffffn << 32n]);

/** An address that traffic may be sent to. */
export function validateEndpointIp(address: string, path: FieldPath): FieldError[] {
  const ip = parseIp(address);
  if (ip === undefined) return [invalid(path, address, 'must be a valid IP address').withOrigin('format=ip-sloppy')];
  const details = unspecified.has(ip.value) ? [`may not be unspecified (${address})`] : [];
  for (const [ranges, detail] of specialRanges) if (ranges.some((range) => cidrContains(range, ip))) details.push(detail);
  return details.map((detail) => invalid(path, address, detail).withOrigin('format=endpoint-ip'));
}

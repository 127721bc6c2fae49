// Upstream: k8s.io/kubernetes/pkg/api/servicecidr/servicecidr.go
import type { Cidr, IpAddress } from '../../machinery/ip.ts';
import { cidrContains, isIpv4, parseCidr } from '../../machinery/ip.ts';
import type { ServiceCIDR } from '../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

export type ServiceCidrObject = ServiceCIDR & KubeObject;

export function rangesOf({ spec }: ServiceCidrObject): Cidr[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
}

/** Whether a range is the other one or a part of it. */
export function isWithin(inner: Cidr, outer: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && cidrContains(outer, { ...inner.ip, value: inner.network });
}

export function overlap(left: Cidr, right: Cidr): boolean {
  return isWithin(left, right) || isWithin(right, left);
}

/** Whether a service can have the address from this range: the first address of one, and of IPv4 the last, are never given out. */
export function canGive(range: Cidr, address: IpAddress): boolean {
  if (!cidrContains(range, address) || address.value === range.network) return false;
  const hosts = BigInt((range.ip.dotted ? 32 : 128) - range.prefixLength);
  return !(isIpv4(address) && address.value === range.network + (1n << hosts) - 1n);
}

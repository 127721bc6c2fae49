import { formatIp, parseCidr } from '../machinery/ip.ts';

/** The address of the kubernetes service: the first of the first range. */
export function serviceAddress([first = '']: readonly string[]): string {
  const range = parseCidr(first);
  if (range === undefined) throw new Error(`${JSON.stringify(first)} is not a range of addresses`);
  return formatIp(range.network + 1n);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

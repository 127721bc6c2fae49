// Upstream: k8s.io/apimachinery/pkg/util/net/http.go#SourceIPs
import { formatIp, parseIp } from '../../../machinery/ip.ts';
import type { Request } from '../../http/request.ts';

/** Where a request says it came from, by way of whom, and where it really came from last. */
export function sourceIps(request: Request): string[] {
  const forwarded = (request.header('x-forwarded-for') ?? '').split(',').flatMap((part) => canonical(part.trim()));
  const real = canonical(request.header('x-real-ip') ?? '').filter((ip) => !forwarded.includes(ip));
  const stated = [...forwarded, ...real];
  const remote = canonical(request.source.connection.remoteAddress).filter((ip) => ip !== stated.at(-1));
  return [...stated, ...remote];
}

/** None for what is no address; an IPv4 address in IPv6 clothes is one of IPv4. */
function canonical(text: string): string[] {
  const ip = parseIp(text.replace(/^::ffff:(?=\d+\.)/i, ''));
  return ip === undefined ? [] : [formatIp(ip.value)];
}

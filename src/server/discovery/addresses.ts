// Upstream: k8s.io/apiserver/pkg/endpoints/discovery/addresses.go, k8s.io/apimachinery/pkg/util/net/http.go#SourceIPs
import type { Cidr, IpAddress } from '../../machinery/ip.ts';
import { cidrContains, formatCidr, parseIp } from '../../machinery/ip.ts';
import type { Request } from '../http/request.ts';

/** Where clients may reach the server: at one address, and at others when they come from certain networks. */
export interface ServerAddresses {
  /** `host:port` */
  readonly default: string;
  readonly rules?: readonly { readonly clients: Cidr; readonly address: string }[];
}

export interface ServerAddressByClientCidr {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

export function serverAddressesFor(request: Request, addresses: ServerAddresses): ServerAddressByClientCidr[] {
  const found = [{ clientCIDR: '0.0.0.0/0', serverAddress: addresses.default }];
  const client = addresses.rules === undefined ? undefined : clientIp(request);
  if (client === undefined) return found;
  for (const { clients, address } of addresses.rules ?? []) {
    if (cidrContains(clients, client)) found.push({ clientCIDR: formatCidr(clients), serverAddress: address });
  }
  return found;
}

/** The first address that proxies say they forward for, or the peer's. */
function clientIp(request: Request): IpAddress | undefined {
  for (const said of [...(request.header('x-forwarded-for') ?? '').split(','), request.header('x-real-ip') ?? '']) {
    const ip = parseIp(said.trim());
    if (ip !== undefined) return ip;
  }
  return parseIp(request.source.connection.remoteAddress);
}

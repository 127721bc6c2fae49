// Upstream: k8s.io/apimachinery/pkg/util/net/port_split.go, k8s.io/apiserver/pkg/endpoints/handlers/rest.go#getRequestOptions
import type { Peer } from '../../base/https/streaming-client.ts';
import { badRequest, serviceUnavailable } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { isGlobalUnicast, parseIp } from '../../machinery/ip.ts';
import type { AuthenticatedRequest } from '../../server/request/stages.ts';
import { joinPaths } from '../../server/proxy/proxied-url.ts';

/** Whom a request to `/proxy` is for. */
export interface ProxyTarget {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

const schemes = ['', 'http', 'https'];
const maxPort = 65_535;
const defaultPorts = { http: 80, https: 443 };

/** From `name`, `name:port` or `scheme:name:port`; `what` is the kind that the request is about. */
export function parseProxyTarget(what: string, id: string): ProxyTarget {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !schemes.includes(scheme)) throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return { scheme: scheme as ProxyTarget['scheme'], name, port };
}

/** What is served by pods need not prove who it is. */
export function unprovenPeer(scheme: ProxyTarget['scheme'], host: string, port: string): Peer {
  const spoken = scheme || 'http';
  if (port !== '' && !(Number(port) <= maxPort))
    throw serviceUnavailable(`error trying to reach service: dial tcp: address ${port}: invalid port`);
  return { scheme: spoken, host, port: port === '' ? defaultPorts[spoken] : Number(port), insecure: true };
}

/** What comes after `/proxy` in a request. */
export function proxiedPath({ info, path }: AuthenticatedRequest): string {
  const rest = info.parts.slice(3).join('/');
  const lead = rest === '' ? '' : `/${rest}`;
  return joinPaths(path.endsWith('/') && !lead.endsWith('/') ? `${lead}/` : lead);
}

/** Addresses of this machine and its neighbourhood are not for clients to reach through this server. */
export function isProxyable(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && isGlobalUnicast(ip);
}

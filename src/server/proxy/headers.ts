// Upstream: std/net/http/httputil/reverseproxy.go, k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go
import type { OutgoingHttpHeaders } from 'node:http';
import type { IncomingResponse } from '../../base/https/streaming-client.ts';
import { headerLines } from '../http/header-lines.ts';
import type { Request } from '../http/request.ts';
import type { OutgoingHeaders } from '../http/response.ts';

/** between two neighbours, not from end to end */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** who a client is was decided here; what it said to prove it is not for others */
const credentials = /^(authorization$|impersonate-(user$|uid$|group$|extra-)|x-remote-(user$|uid$|group$|extra-))/;
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';
/** What a request passes on to any server; the host is the sender's business. */
export function passedHeaders(request: Request, upgrade: boolean): OutgoingHttpHeaders {
  const { headers, body, connection } = request.source;
  const named = new Set((request.header('connection') ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const values = new Map<string, string[]>();
  const lines = headerLines(request.source);
  for (let at = 0; at < lines.length; at += 2) {
    const name = (lines[at] as string).toLowerCase();
    if (name.startsWith(':') || name === 'host' || hopByHop.has(name) || named.has(name)) continue;
    if (credentials.test(name) || request.isIdentityHeader?.(name) === true) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [lines[at + 1] as string]);
    else known.push(lines[at + 1] as string);
  }
  const passed: OutgoingHttpHeaders = Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  if (/\btrailers\b/i.test(request.header('te') ?? '')) passed['te'] = 'trailers';
  if (upgrade) {
    Object.assign(passed, { connection: 'Upgrade', upgrade: headers['upgrade'] });
    const protocols = withoutToken(request.header('sec-websocket-protocol'));
    if (protocols !== undefined) passed['sec-websocket-protocol'] = protocols;
  }
  // Without either the length of a body is unknown, and node would not say so for every method.
  if (body !== undefined && headers['content-length'] === undefined) passed['transfer-encoding'] = 'chunked';
  const forwardedFor = request.header('x-forwarded-for');
  return { ...passed, 'x-forwarded-for': [...(forwardedFor === undefined ? [] : [forwardedFor]), connection.remoteAddress].join(', ') };
}

/** What a response passes on. Filters of this server have set some of the same headers: a client sees both. */
export function answeredHeaders({ headersDistinct }: IncomingResponse, own: OutgoingHeaders): OutgoingHeaders {
  const passed: OutgoingHeaders = {};
  const named = new Set(
    (headersDistinct['connection'] ?? [])
      .join(',')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (hopByHop.has(name) || named.has(name)) continue;
    const all = [own[name] ?? [], values].flat();
    passed[name] = all.length === 1 ? (all[0] as string) : all;
  }
  return passed;
}

function withoutToken(protocols: string | undefined): string | undefined {
  const kept = protocols?.split(',').filter((one) => !one.trim().startsWith(tokenProtocol));
  return kept?.join(',');
}

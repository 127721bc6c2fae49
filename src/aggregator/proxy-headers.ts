// Upstream: client-go/transport/round_trippers.go (SetAuthProxyHeaders), apimachinery/pkg/util/proxy/transport.go, Go's net/http/httputil/reverseproxy.go
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { UserInfo } from '../server/authn/user.ts';
import type { Request } from '../server/http/request.ts';
import type { OutgoingHeaders } from '../server/http/response.ts';
import type { ServiceAddress } from '../server/webhook/service-resolver.ts';
import { hostPort } from './service-transport.ts';

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
const credentials = /^(authorization$|impersonate-|x-remote-(user$|uid$|group$|extra-))/;
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';
/** what may stand in the name of a header, but for the percent sign that escapes the rest */
const plainInName = /[A-Za-z0-9!#$&'*+\-.^_`|~]/;

/** Who asks, for servers that know us by our certificate. */
export function userHeaders({ name, uid, groups, extra }: UserInfo): OutgoingHttpHeaders {
  return {
    'x-remote-user': utf8(name),
    ...(uid !== '' && { 'x-remote-uid': utf8(uid) }),
    ...(groups.length > 0 && { 'x-remote-group': groups.map(utf8) }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escapeKey(key)}`, values.map(utf8)])),
  };
}

/** What a request passes on, and what it says about itself. */
export function forwardedHeaders(request: Request, user: UserInfo, address: ServiceAddress, upgrade: boolean): OutgoingHttpHeaders {
  const { headers, body, connection } = request.source;
  const named = new Set((request.header('connection') ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const passed: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':') || name === 'host' || hopByHop.has(name) || named.has(name) || credentials.test(name)) continue;
    passed[name] = value;
  }
  if (upgrade) {
    Object.assign(passed, { connection: 'Upgrade', upgrade: headers['upgrade'] });
    const protocols = withoutToken(request.header('sec-websocket-protocol'));
    if (protocols !== undefined) passed['sec-websocket-protocol'] = protocols;
  } else {
    const [path] = request.source.target.split('?');
    Object.assign(passed, { 'x-forwarded-uri': path, 'x-forwarded-host': hostPort(address), 'x-forwarded-proto': 'https' });
  }
  // Without either the length of a body is unknown, and node would not say so for every method.
  if (body !== undefined && headers['content-length'] === undefined) passed['transfer-encoding'] = 'chunked';
  const forwardedFor = request.header('x-forwarded-for');
  return {
    ...passed,
    ...userHeaders(user),
    'x-forwarded-for': [...(forwardedFor === undefined ? [] : [forwardedFor]), connection.remoteAddress].join(', '),
    ...(request.auditId !== undefined && { 'audit-id': request.auditId }),
  };
}

/** What an answer passes on. Filters of this server have set some of the same headers: a client sees both. */
export function answeredHeaders({ headersDistinct }: IncomingMessage, own: OutgoingHeaders): OutgoingHeaders {
  const passed: OutgoingHeaders = {};
  const named = new Set(
    (headersDistinct['connection'] ?? [])
      .join(',')
      .toLowerCase()
      .split(/\s*,\s*/),
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

function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => String.fromCharCode(byte))
    .map((character) =>
      plainInName.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

/** node writes a character as a byte. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

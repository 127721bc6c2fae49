// Upstream: k8s.io/client-go/transport/round_trippers.go#SetAuthProxyHeaders, k8s.io/apimachinery/pkg/util/proxy/transport.go
import type { OutgoingHttpHeaders } from 'node:http';
import { hostPort } from '../base/https/dial.ts';
import type { UserInfo } from '../server/request/user.ts';
import { headerBytes } from '../server/http/header-text.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import { passedHeaders } from '../server/proxy/headers.ts';
import type { ServiceAddress } from '../server/webhook/service-resolver.ts';

/** what may stand in the name of a header, but for the percent sign that escapes the rest */
const plainInName = /[A-Za-z0-9!#$&'*+\-.^_`|~]/;

/** Who asks, for servers that know us by our certificate. */
export function userHeaders({ name, uid, groups, extra }: UserInfo): OutgoingHttpHeaders {
  return {
    'x-remote-user': headerBytes(name),
    ...(uid !== '' && { 'x-remote-uid': headerBytes(uid) }),
    ...(groups.length > 0 && { 'x-remote-group': groups.map(headerBytes) }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escapeKey(key)}`, values.map(headerBytes)])),
  };
}

/** What a request passes on, and what it says about itself. */
export function forwardedHeaders(
  request: AuthenticatedRequest,
  user: UserInfo,
  address: ServiceAddress,
  upgrade: boolean,
): OutgoingHttpHeaders {
  const [path] = request.source.target.split('?');
  return {
    ...passedHeaders(request, upgrade),
    ...(!upgrade && { 'x-forwarded-uri': path, 'x-forwarded-host': hostPort(address), 'x-forwarded-proto': 'https' }),
    ...userHeaders(user),
    'audit-id': request.auditId,
  };
}

function escapeKey(key: string): string {
  return [...headerBytes(key)]
    .map((character) =>
      plainInName.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

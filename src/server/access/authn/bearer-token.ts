// Upstream: apiserver/pkg/authentication/request/bearertoken/bearertoken.go, pkg/authentication/request/websocket/protocol.go
import type { Authenticator } from './authenticator.ts';
import type { Tokens } from '../../registry/tokens.ts';

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';
export const invalidToken = 'invalid bearer token';

/** `Authorization: Bearer ...`, or, where a browser cannot set that header, a WebSocket subprotocol. */
export function bearerTokenAuthenticator({ authenticate, audiences }: Tokens): Authenticator {
  const wanted = audiences.length > 0 ? audiences : undefined;
  return (request, cluster) => {
    const token =
      tokenOf(request.header('authorization')) ?? protocolToken(request.header('upgrade'), request.header('sec-websocket-protocol'));
    if (token === undefined) return undefined;
    const answer = authenticate(token, wanted, cluster);
    if (answer instanceof Promise) {
      return answer.then((holder) => {
        if (holder === undefined) throw new Error(invalidToken);
        return holder.user;
      });
    }
    if (answer === undefined) throw new Error(invalidToken);
    return answer.user;
  };
}

function tokenOf(header: string | undefined): string | undefined {
  const [scheme = '', token] = header?.trim().split(' ') ?? [];
  return scheme.toLowerCase() === 'bearer' && token ? token : undefined;
}

function protocolToken(upgrade: string | undefined, header: string | undefined): string | undefined {
  if (upgrade?.toLowerCase() !== 'websocket' || header === undefined) return undefined;
  const protocols = header.split(',').map((one) => one.trim());
  const [encoded, ...more] = protocols.filter((one) => one.startsWith(protocolPrefix));
  if (encoded === undefined) return undefined;
  if (more.length > 0) throw new Error('multiple base64.bearer.authorization tokens specified');
  const token = Buffer.from(encoded.slice(protocolPrefix.length), 'base64url').toString();
  // One protocol must remain for the server to choose.
  if (token !== '' && protocols.length === 1) throw new Error('missing additional subprotocol');
  return token === '' ? undefined : token;
}

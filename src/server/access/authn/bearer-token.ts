// Upstream: k8s.io/apiserver/pkg/authentication/request/bearertoken/bearertoken.go, k8s.io/apiserver/pkg/authentication/request/websocket/protocol.go
import { isUtf8 } from 'node:buffer';
import { headerLines, headerValues } from '../../http/header-lines.ts';
import { headerText } from '../../http/header-text.ts';
import type { Request, RequestSource } from '../../http/request.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Authenticator } from './authenticator.ts';
import type { TokenHolder, Tokens } from '../../registry/tokens.ts';

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';
export const invalidToken = 'invalid bearer token';
const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Where requests may carry a bearer token; a bad one in the first place does not spoil a good one in the second. */
export function bearerTokenAuthenticators(tokens: Tokens): Authenticator[] {
  return [bearerTokenAuthenticator(tokens), webSocketTokenAuthenticator(tokens)];
}

/** `Authorization: Bearer ...` */
function bearerTokenAuthenticator(tokens: Tokens): Authenticator {
  return (request, reader) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : holderOf(request, token, tokens, reader);
  };
}

/** Where a browser cannot set that header: a WebSocket subprotocol. */
function webSocketTokenAuthenticator(tokens: Tokens): Authenticator {
  return (request, reader) => {
    const token = request.source.headers['sec-websocket-protocol'] === undefined ? '' : protocolToken(request.source);
    return token === '' ? undefined : holderOf(request, token, tokens, reader);
  };
}

function holderOf(request: Request, token: string, tokens: Tokens, reader: ObjectReader): UserInfo | Promise<UserInfo> {
  const { authenticate, audiences } = tokens;
  const answer = authenticate(token, audiences.length > 0 ? audiences : undefined, reader);
  return answer instanceof Promise ? answer.then((holder) => userOf(request, holder)) : userOf(request, answer);
}

function userOf(request: Request, holder: TokenHolder | undefined): UserInfo {
  if (holder === undefined) throw new Error(invalidToken);
  for (const warning of holder.warnings ?? []) request.warn(warning);
  return holder.user;
}

function bearerToken(request: Request): string | undefined {
  const header = request.header('authorization');
  if (header === undefined) return undefined;
  const [scheme = '', token, ...more] = headerText(header).trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '' && more.length > 0) request.warn(spaceWarning);
  return token === '' ? undefined : token;
}

/** '': there is none. */
function protocolToken(source: RequestSource): string {
  if (!isWebSocket(source)) return '';
  const protocols = headerValues(headerLines(source), 'sec-websocket-protocol')
    .join(',')
    .split(',')
    .map((one) => one.trim());
  const [encoded, ...more] = protocols.filter((one) => one.startsWith(protocolPrefix)).map((one) => one.slice(protocolPrefix.length));
  if (encoded === undefined) return '';
  if (more.length > 0) throw new Error('multiple base64.bearer.authorization tokens specified');
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1) throw new Error('invalid base64.bearer.authorization token encoding');
  const bytes = Buffer.from(encoded, 'base64url');
  if (!isUtf8(bytes)) throw new Error('invalid base64.bearer.authorization token');
  // One protocol must remain for the server to choose.
  if (bytes.length > 0 && protocols.length === 1) throw new Error('missing additional subprotocol');
  return bytes.toString();
}

function isWebSocket({ headers: { upgrade, connection } }: RequestSource): boolean {
  return typeof upgrade === 'string' && upgrade.toLowerCase() === 'websocket' && String(connection).toLowerCase().includes('upgrade');
}

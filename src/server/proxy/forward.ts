// Upstream: k8s.io/apimachinery/pkg/util/proxy/{upgradeaware,transport}.go
import type { OutgoingHttpHeaders } from 'node:http';
import type { Peer, StreamingClient, Upgraded } from '../../base/https/streaming-client.ts';
import { hostPort } from '../../base/https/dial.ts';
import { UnreachableError } from '../../base/https/streaming-client.ts';
import { serviceUnavailable } from '../../machinery/errors.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { passedHeaders } from './headers.ts';
import { proxiedPage } from './proxied-page.ts';
import { isUpgrade, passed, upgraded } from './passing.ts';
import type { ProxiedPlace } from './proxied-url.ts';
import { escapePath, joinPaths, proxiedUrl } from './proxied-url.ts';

/** Where a proxied request goes. */
export interface Destination {
  readonly peer: Peer;
  /** as the server there knows it, not escaped; '' for none */
  readonly path: string;
}

/** What the server behind allows pages of other origins is not what this server allows them. */
const crossOrigin = ['credentials', 'headers', 'methods', 'origin'].map((what) => `access-control-allow-${what}`);

/** Passes a request on whatever it asks for; links in the response lead through this server. */
export async function forward(client: StreamingClient, request: Request, { peer, path: given }: Destination): Promise<Response> {
  if (isUpgrade(request)) return forwardUpgrade(client, request, peer, escapePath(given) || '/');
  const slash = request.path.endsWith('/') && !given.endsWith('/') ? '/' : '';
  const path = given + slash;
  const query = request.rawQuery === '' ? '' : `?${request.rawQuery}`;
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD'))
    return { status: 301, headers: { location: `${request.path}/${query}` } };
  const place = placeOf(request, peer, path);
  const escaped = escapePath(path) || '/';
  try {
    const answer = await client.exchange(peer, {
      method: request.method,
      target: escaped + query,
      headers: { ...passedHeaders(request, false), ...hostHeader(request), 'x-forwarded-uri': joinPaths(place.prefix, escaped) },
      body: request.source.body,
      signal: request.signal,
    });
    const response = passed('response' in answer ? answer.response : answer, request);
    return await throughProxy(response, place);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw serviceUnavailable(`error trying to reach service: ${error.message}`);
  }
}

export interface UpgradeChanges {
  readonly method?: string;
  /** undefined: not passed on */
  readonly headers?: OutgoingHttpHeaders;
}

/** Passes on a request to speak another protocol; the two then do, and this server listens to neither. */
export async function forwardUpgrade(client: StreamingClient, request: Request, peer: Peer, target: string): Promise<Response> {
  const answer = await dialUpgrade(client, request, peer, target);
  return 'status' in answer ? answer : upgraded(answer);
}

/** The connection that now speaks another protocol, or the refusal to. */
export async function dialUpgrade(
  client: StreamingClient,
  request: Request,
  peer: Peer,
  target: string,
  { method = request.method, headers = {} }: UpgradeChanges = {},
): Promise<Response | Upgraded> {
  try {
    const passing = withoutUndefined({ ...passedHeaders(request, true), ...hostHeader(request), ...headers });
    const answer = await client.exchange(peer, { method, target, headers: passing, signal: request.signal });
    if ('response' in answer) return answer;
    if ((answer.statusCode ?? 0) >= 400) return passed(answer, request);
    answer.destroy();
    throw new Error(`invalid upgrade response: status code ${answer.statusCode}`);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new Error(`error dialing backend: ${error.message}`, { cause: error });
  }
}

function withoutUndefined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

/** The server behind gets the host name that the client used. */
function hostHeader(request: Request): OutgoingHttpHeaders {
  return { host: requestHost(request) };
}

function requestHost(request: Request): string {
  return request.header('host') ?? request.header(':authority') ?? '';
}

function placeOf(request: Request, peer: Peer, path: string): ProxiedPlace {
  const prefix = request.path.endsWith(path) ? request.path.slice(0, request.path.length - path.length) : request.path;
  return { prefix, host: hostPort(peer), requestHost: requestHost(request) };
}

async function throughProxy(response: Response, place: ProxiedPlace): Promise<Response> {
  const headers = { ...response.headers };
  for (const name of crossOrigin) delete headers[name];
  const { location } = headers;
  if (typeof location === 'string' && location !== '') {
    headers['location'] = proxiedUrl(location, place);
    return { ...response, headers };
  }
  return proxiedPage({ ...response, headers }, place);
}

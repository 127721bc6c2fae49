// Upstream: kube-aggregator/pkg/apiserver/handler_proxy.go, apimachinery/pkg/util/proxy/upgradeaware.go
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UserInfo } from '../server/authn/user.ts';
import { anonymous } from '../server/authn/user.ts';
import type { Request } from '../server/http/request.ts';
import type { BodySink, Response } from '../server/http/response.ts';
import { textResponse } from '../server/http/response.ts';
import { answeredHeaders, forwardedHeaders } from './proxy-headers.ts';
import type { RemoteService } from './remote-service.ts';
import type { OutgoingRequest, ServiceTransport, Upgraded } from './service-transport.ts';
import { Unreachable, Unresolved } from './service-transport.ts';

export interface ProxyOptions {
  readonly transport: ServiceTransport;
  /** --aggregator-reject-forwarding-redirect */
  readonly rejectRedirects: boolean;
  /** feature RemoteRequestHeaderUID */
  readonly remoteUid: boolean;
}

/** Discovery is cheap, and every client waits for it. */
const discoveryTimeoutMs = 5000;
const redirected = 'the backend attempted to redirect this request, which is not permitted';
const bodiless: ReadonlySet<number> = new Set([204, 304]);

export function unavailable(): Response {
  return textResponse(503, 'service unavailable\n');
}

/** Passes a request on to the server behind a service, and its answer back, both as they come. Throws Unreachable after `failed` was told. */
export async function passOn(
  service: RemoteService,
  request: Request,
  { transport, rejectRedirects, remoteUid }: ProxyOptions,
  failed: () => void,
): Promise<Response> {
  const upgrade = isUpgrade(request);
  const user: UserInfo = request.user ?? anonymous;
  try {
    const address = await transport.addressOf(service);
    const outgoing: OutgoingRequest = {
      method: request.method,
      target: request.source.target,
      headers: forwardedHeaders(request, remoteUid ? user : { ...user, uid: '' }, address, upgrade),
      body: upgrade ? undefined : request.source.body,
      signal: isDiscovery(request) ? AbortSignal.any([request.signal, AbortSignal.timeout(discoveryTimeoutMs)]) : request.signal,
    };
    const answer = await transport.exchange(service, outgoing);
    if ('response' in answer) return upgraded(answer);
    if (upgrade && (answer.statusCode ?? 0) < 400) {
      answer.destroy();
      return textResponse(503, `invalid upgrade response: status code ${answer.statusCode}\n`);
    }
    if (rejectRedirects && isRedirect(answer)) {
      answer.destroy();
      return { status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(redirected) };
    }
    return passed(answer, request);
  } catch (error) {
    if (error instanceof Unresolved) return unavailable();
    if (!(error instanceof Unreachable)) throw error;
    failed();
    return textResponse(503, `${upgrade ? 'error dialing backend' : 'error trying to reach service'}: ${error.message}\n`);
  }
}

function isUpgrade(request: Request): boolean {
  const { protocol, headers } = request.source;
  return protocol === 'HTTP/1.1' && headers['upgrade'] !== undefined && /\bupgrade\b/i.test(request.header('connection') ?? '');
}

/** `/apis/group/version` */
function isDiscovery({ path, info }: Request): boolean {
  return info?.isResource !== true && path.split('/').filter((step) => step !== '').length === 3;
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode <= 399 && headers.location !== undefined && headers.location !== '';
}

function passed(incoming: IncomingMessage, request: Request): Response {
  const { statusCode: status = 502 } = incoming;
  const headers = answeredHeaders(incoming, request.responseHeaders);
  if (request.method === 'HEAD' || bodiless.has(status)) {
    incoming.resume();
    return { status, headers };
  }
  return { status, headers, body: (sink) => copy(incoming, sink) };
}

/** An answer that breaks off is not completed: the client must not take a part for the whole. */
async function copy(incoming: IncomingMessage, sink: BodySink): Promise<void> {
  sink.onClose(() => incoming.destroy());
  try {
    for await (const chunk of incoming) {
      if (!sink.write(chunk as Buffer)) await sink.drained();
    }
  } catch (error) {
    if (!sink.closed) throw error;
  }
}

function upgraded({ response, socket: remote, head: first }: Upgraded): Response {
  return {
    status: 101,
    headers: {},
    upgrade(socket, head) {
      const lines = [`HTTP/1.1 101 ${response.statusMessage ?? ''}`];
      for (let at = 0; at < response.rawHeaders.length; at += 2) lines.push(`${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      socket.write(first);
      remote.write(head);
      join(socket, remote);
    },
  };
}

/** What one side sends the other gets, until either goes. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

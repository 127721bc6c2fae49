// Upstream: std/net/http/httputil/reverseproxy.go, k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go
import type { Duplex } from 'node:stream';
import type { IncomingResponse, Upgraded } from '../../base/https/streaming-client.ts';
import type { Request } from '../http/request.ts';
import type { BodySink, Response } from '../http/response.ts';
import { answeredHeaders } from './headers.ts';

const bodiless: ReadonlySet<number> = new Set([204, 304]);

export function isUpgrade(request: Request): boolean {
  const { protocol, headers } = request.source;
  return protocol === 'HTTP/1.1' && headers['upgrade'] !== undefined && /\bupgrade\b/i.test(request.header('connection') ?? '');
}

/** The response of another server, as it comes. */
export function passed(incoming: IncomingResponse, request: Request): Response {
  const { statusCode: status = 502 } = incoming;
  const headers = answeredHeaders(incoming, request.responseHeaders);
  if (request.method === 'HEAD' || bodiless.has(status)) {
    incoming.resume();
    return { status, headers };
  }
  return { status, headers, body: (sink) => copy(incoming, sink) };
}

/** A response that breaks off is not completed: the client must not take a part for the whole. */
export async function copy(incoming: IncomingResponse, sink: BodySink): Promise<void> {
  sink.onClose(() => incoming.destroy());
  try {
    for await (const chunk of incoming) {
      if (!sink.write(chunk as Buffer)) await sink.drained();
    }
  } catch (error) {
    if (!sink.closed) throw error;
  }
}

/** Both sides speak the protocol that they have agreed on; what it is does not matter here. */
export function upgraded({ response, socket: remote, head: first }: Upgraded): Response {
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
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

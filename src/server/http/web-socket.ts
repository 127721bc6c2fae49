// Upstream: golang.org/x/net/websocket, k8s.io/apiserver/pkg/endpoints/handlers/watch.go
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Request } from './request.ts';
import type { BodySink, Response, StreamBody } from './response.ts';
import { textResponse } from './response.ts';

export function wantsWebSocket(request: Request): boolean {
  return request.header('upgrade')?.toLowerCase() === 'websocket' && /\bupgrade\b/i.test(request.header('connection') ?? '');
}

/** carries a token, which is the authenticator's business and not a protocol to speak */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';

export interface MessageForm {
  readonly text: boolean;
  /** bytes in front of each chunk that a stream needs to tell messages apart and a message does not */
  readonly skip: number;
}

/** The body as WebSocket messages, one per write. */
export async function webSocketResponse(request: Request, form: MessageForm, body: StreamBody): Promise<Response> {
  // Kept: clients that are no browsers must send an origin as well.
  if (request.header('origin') === undefined) return textResponse(403, '');
  const choose = (offered: Iterable<string>): string | undefined => [...offered].find((one) => !one.startsWith(tokenProtocol));
  return acceptWebSocket(request, choose, (webSocket) => {
    const close = (): void => webSocket.close();
    body(new WebSocketSink(webSocket, form)).then(close, close);
  });
}

/** What the client would speak on a WebSocket; nothing when it does not ask for one. */
export function offeredProtocols(request: Request): string[] {
  if (!wantsWebSocket(request)) return [];
  return (request.header('sec-websocket-protocol') ?? '').split(',').map((one) => one.trim());
}

/** of one message of a client: kubectl sends 32 KiB at a time */
const maxPayload = 4 * 1024 * 1024;

/** Agrees to speak WebSocket with the client, in the chosen one of the protocols that it offers. */
export async function acceptWebSocket(
  request: Request,
  choose: (offered: Iterable<string>) => string | undefined,
  opened: (webSocket: WebSocket) => void,
): Promise<Response> {
  // Few servers ever need it: it is not part of the start.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (offered) => choose(offered) ?? false,
  });
  return {
    status: 101,
    headers: {},
    upgrade(socket, head) {
      const message = { headers: request.source.headers, method: 'GET' } as IncomingMessage;
      server.handleUpgrade(message, socket, head, opened);
    },
  };
}

class WebSocketSink implements BodySink {
  readonly separate = true;
  readonly #socket: WebSocket;
  readonly #form: MessageForm;
  /** resolves when the last message is with the system, or will never be */
  #sent: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, form: MessageForm) {
    this.#socket = socket;
    this.#form = form;
    // A broken connection closes, and writers get that event.
    socket.on('error', () => socket.terminate());
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    const { text, skip } = this.#form;
    if (this.closed) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sent = promise;
    this.#socket.send(chunk.subarray(skip), { binary: !text }, () => {
      flushed?.();
      resolve();
    });
    return true;
  }

  drained(): Promise<void> {
    return this.#sent;
  }

  get pending(): number {
    return this.#socket.bufferedAmount;
  }

  get closed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  onClose(callback: () => void): void {
    if (this.closed) callback();
    else this.#socket.once('close', callback);
  }
}

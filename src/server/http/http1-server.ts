// Upstream: std/net/http/server.go#Server, #conn.readRequest
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Connection } from './connection.ts';
import { Http1Exchange } from './http1.ts';
import * as limits from './limits.ts';

/** Not imported: a start would load it, and most clients speak HTTP/2. */
function http(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** A connection that may be taken over by another protocol. */
export interface Upgradable {
  /** Takes the connection away from HTTP. */
  detach(): { readonly socket: Duplex; readonly head: Buffer };
}

export interface Http1ServerOptions {
  readonly connectionOf: (socket: TLSSocket) => Connection;
  /** Resolves when the response has ended, whatever became of it; never rejects. */
  readonly serve: (exchange: Http1Exchange, upgradable?: Upgradable) => Promise<void>;
}

/** HTTP/1.1 on connections that others accept. */
export class Http1Server {
  readonly #options: Http1ServerOptions;
  /** since the first connection */
  #server: Server | undefined;
  #isClosed = false;
  /** responses that have not ended, by its connection */
  readonly #open = new Map<Http1Exchange, Duplex>();

  constructor(options: Http1ServerOptions) {
    this.#options = options;
  }

  #createServer(): Server {
    const server = http().createServer({
      keepAliveTimeout: limits.idleMs,
      requestTimeout: 0,
      headersTimeout: limits.readHeaderMs,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: limits.maxHeaderBytes + limits.headerSlack,
      requireHostHeader: false,
      // A body would be taken for what the other protocol says.
      shouldUpgradeCallback: ({ headers }) =>
        (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined && headers.upgrade !== undefined,
    } as Parameters<ReturnType<typeof http>['createServer']>[0]);
    // Node would leave out what is beyond them without a word, a credential perhaps; their size is limited.
    server.maxHeadersCount = 0;
    // It never listens by itself, and would neither know its connections nor mind its timeouts without these calls.
    server.emit('listening');
    server.on('request', (message, out) => this.#take(message, out));
    server.on('checkContinue', (message, out) => this.#take(message, out, true));
    server.on('checkExpectation', (_message: IncomingMessage, out: ServerResponse) =>
      out.writeHead(417, { connection: 'close', 'content-length': '0' }).end(),
    );
    server.on('upgrade', (message, socket, head) => this.#upgrade(message, socket, head));
    server.on('connect', (message, socket, head) => this.#upgrade(message, socket, head));
    server.on('clientError', (error, socket) => this.#refuse(error, socket));
    if (this.#isClosed) server.close();
    return server;
  }

  accept(socket: TLSSocket): void {
    this.#server ??= this.#createServer();
    this.#server.emit('connection', socket);
  }

  /** Closes connections that wait for a request. */
  retire(): void {
    this.#server?.closeIdleConnections();
  }

  /** Ends its timers, too. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
  }

  /** A response on this connection is not at its end. */
  isBusy(socket: Duplex): boolean {
    for (const used of this.#open.values()) if (used === socket) return true;
    return false;
  }

  sweep(now: number): void {
    for (const exchange of this.#open.keys()) if (exchange.sendBy !== undefined && now > exchange.sendBy) exchange.fail();
  }

  #take(message: IncomingMessage, out: ServerResponse, waits = false): void {
    const exchange = new Http1Exchange(message, out, this.#options.connectionOf(message.socket as TLSSocket), waits);
    this.#serve(exchange, message, message.socket);
  }

  #upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node has let it go: a connection that breaks would otherwise be an error without a listener.
    socket.on('error', () => socket.destroy());
    const out = new (http().ServerResponse)(message);
    out.shouldKeepAlive = false;
    out.assignSocket(socket as Socket);
    out.once('finish', () => (socket as Socket).destroySoon());
    const exchange = new Http1Exchange(message, out, this.#options.connectionOf(socket as TLSSocket));
    this.#serve(exchange, message, socket, {
      detach: () => {
        this.#open.delete(exchange);
        out.detachSocket(socket as Socket);
        return { socket, head };
      },
    });
  }

  #serve(exchange: Http1Exchange, message: IncomingMessage, socket: Duplex, upgradable?: Upgradable): void {
    const problem = hostProblem(message);
    if (problem !== undefined) {
      exchange.refuse(problem);
      return;
    }
    this.#open.set(exchange, socket);
    exchange.onClose(() => this.#open.delete(exchange));
    void this.#options.serve(exchange, upgradable);
  }

  /** Says why what came is no request, unless it came after requests whose responses are still to be sent. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const text = refusals[error.code ?? ''] ?? '400 Bad Request';
    if (!socket.writable || silent.has(error.code ?? '') || this.isBusy(socket)) {
      socket.destroy();
      return;
    }
    socket.write(`HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`);
    (socket as Socket).destroySoon();
  }
}

const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_INVALID_VERSION: '505 HTTP Version Not Supported: unsupported protocol version',
};
/** errors of a connection whose client has gone */
const silent: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** Undefined: there is one host, and it has the form of one. */
function hostProblem({ headers, rawHeaders, httpVersionMinor, method }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersionMinor > 0 && method !== 'CONNECT' ? 'missing required Host header' : undefined;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return '';
  return /^[\w!$%&'()*+,\-.:;=[\]~]*$/.test(host) ? undefined : 'malformed Host header';
}

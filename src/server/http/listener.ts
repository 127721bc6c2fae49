// TLS with ALPN: HTTP/2 and HTTP/1.1 on one port. HTTP/2 sessions are driven through the stream API, HTTP/1.1 through node:http.
import type { IncomingMessage, Server as Http1Server } from 'node:http';
import * as http2 from 'node:http2';
import * as tls from 'node:tls';
import type { Duplex } from 'node:stream';
import type { AddressInfo, Socket } from 'node:net';
import { Connection } from './connection.ts';
import { Http1Exchange } from './http1.ts';
import { Http2Exchange } from './http2.ts';
import { Request } from './request.ts';
import type { Handler, OutgoingHeaders, Response } from './response.ts';
import { warningHeaders } from './warnings.ts';

/** Not imported: an ES import asks for every export, and one of them loads an HTTP client that took a tenth of the start. */
const http = process.getBuiltinModule('node:http');

export interface ListenerOptions {
  readonly handler: Handler;
  readonly tls: tls.TlsOptions;
  readonly address: string;
  readonly port: number;
  /** --http2-max-streams-per-connection; 0 leaves the default of the original */
  readonly maxStreams: number;
  readonly onError: (error: unknown, request: Request | undefined) => void;
}

const defaultMaxStreams = 100;
/** as upstream's servers: a token may name many groups */
const maxHeaderBytes = 1 << 20;
/** a user may have more groups than node's own limits allow lines; upstream has no limit of its own */
const maxHeaderLines = 10_000;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #tls: tls.Server;
  readonly #http1: Http1Server;
  readonly #connections = new WeakMap<tls.TLSSocket, Connection>();
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  /** every connection from its first byte to its last, whatever it speaks or does not speak yet */
  readonly #sockets = new Set<Socket>();
  /** those of them that have not shaken hands, by their peer's address: node does not say which TLS socket is whose */
  readonly #strangers = new Map<string, Socket>();
  #closed: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#http1 = http.createServer({ keepAliveTimeout: 90_000, requestTimeout: 0, headersTimeout: 32_000, maxHeaderSize: maxHeaderBytes });
    this.#http1.maxHeadersCount = maxHeaderLines;
    // It never listens by itself, and would neither know its connections nor mind its timeouts without being told.
    this.#http1.emit('listening');
    this.#http1.on('request', (message, out) => {
      const connection = this.#connectionOf(message.socket as tls.TLSSocket);
      this.#serve(new Http1Exchange(message, out, connection));
    });
    this.#http1.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(message, socket, head));
    this.#tls = tls.createServer({ ...options.tls, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => this.#accept(socket));
    this.#tls.on('connection', (socket) => this.#own(socket));
    this.#tls.on('tlsClientError', () => {}); // a client that cannot shake hands is its own problem; upstream logs it at high verbosity only
  }

  async listen(): Promise<AddressInfo> {
    const server = this.#tls;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: this.#options.address, port: this.#options.port, backlog: 1024 }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    return server.address() as AddressInfo;
  }

  /** New certificates for new connections. */
  setSecureContext(options: tls.SecureContextOptions): void {
    this.#tls.setSecureContext(options);
  }

  /** Stops accepting and asks clients to go (GOAWAY); requests under way go on. */
  retire(): void {
    this.#closed ??= new Promise((resolve) => this.#tls.close(() => resolve()));
    for (const socket of this.#strangers.values()) socket.destroy();
    for (const session of this.#sessions) session.close();
    this.#http1.closeIdleConnections();
  }

  /** Resolves when every connection is gone, by force after a while. */
  async close(graceMs: number): Promise<void> {
    this.retire();
    // Ends its timers, too.
    this.#http1.close();
    const force = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await this.#closed;
    clearTimeout(force);
  }

  #own(socket: Socket): void {
    const peer = peerOf(socket);
    this.#sockets.add(socket);
    this.#strangers.set(peer, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#strangers.get(peer) === socket) this.#strangers.delete(peer);
    });
    socket.on('error', () => {}); // it closes, and whoever uses it hears of that
  }

  #accept(socket: tls.TLSSocket): void {
    this.#strangers.delete(peerOf(socket));
    socket.setNoDelay(true);
    if (socket.alpnProtocol !== 'h2') {
      this.#http1.emit('connection', socket);
      return;
    }
    const session = http2.performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: this.#options.maxStreams || defaultMaxStreams,
        initialWindowSize: 1 << 20,
        maxHeaderListSize: maxHeaderBytes,
      },
      maxSessionMemory: 100,
      maxHeaderListPairs: maxHeaderLines,
    } as http2.ServerOptions);
    session.setLocalWindowSize(100 << 20);
    const connection = this.#connectionOf(socket);
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    session.on('error', () => session.destroy());
    session.on('stream', (stream, headers, _flags, lines) => {
      stream.on('error', () => {}); // resets by the client end the stream; whoever waits for it sees its close event
      this.#serve(new Http2Exchange(stream, headers, lines, connection));
    });
  }

  #serve(exchange: Http1Exchange | Http2Exchange): void {
    this.#owned(exchange, async (request) => {
      const response = await this.#options.handler(request);
      await exchange.send(response, finalHeaders(request, response));
    });
  }

  #upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node has let it go: a connection that breaks would otherwise be an error that nobody hears.
    socket.on('error', () => socket.destroy());
    const out = new http.ServerResponse(message);
    out.assignSocket(socket as tls.TLSSocket);
    const exchange = new Http1Exchange(message, out, this.#connectionOf(message.socket as tls.TLSSocket));
    this.#owned(exchange, async (request) => {
      const response: Response = await this.#options.handler(request);
      if (response.upgrade === undefined) {
        await exchange.send(response, { ...finalHeaders(request, response), connection: 'close' });
        socket.end();
        return;
      }
      out.detachSocket(socket as tls.TLSSocket);
      try {
        response.upgrade(socket, head);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    });
  }

  /** Answers a request. Whatever goes wrong on the way ends this exchange and nothing else. */
  #owned(exchange: Http1Exchange | Http2Exchange, answer: (request: Request) => Promise<void>): void {
    let request: Request | undefined;
    const failed = (error: unknown): void => {
      try {
        this.#options.onError(error, request);
      } finally {
        exchange.fail();
      }
    };
    try {
      request = new Request(exchange, performance.now());
      answer(request).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #connectionOf(socket: tls.TLSSocket): Connection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) this.#connections.set(socket, (connection = new Connection(socket)));
    return connection;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function finalHeaders(request: Request, response: Response): OutgoingHeaders {
  const headers = Object.assign(request.responseHeaders, response.headers);
  if (request.warnings.length > 0) headers['warning'] = warningHeaders(request.warnings);
  return headers;
}

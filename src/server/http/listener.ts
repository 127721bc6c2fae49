// TLS with ALPN: HTTP/2 and HTTP/1.1 on one port. HTTP/2 sessions are driven through the stream API, HTTP/1.1 through node:http.
import type { IncomingMessage, Server as Http1Server } from 'node:http';
import * as http2 from 'node:http2';
import * as tls from 'node:tls';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';
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

export class Listener {
  readonly #options: ListenerOptions;
  readonly #tls: tls.Server;
  readonly #http1: Http1Server;
  readonly #connections = new WeakMap<tls.TLSSocket, Connection>();
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  /** connections that speak another protocol by now, which node's server has let go */
  readonly #upgraded = new Set<Duplex>();
  #closed: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#http1 = http.createServer({ keepAliveTimeout: 90_000, requestTimeout: 0, headersTimeout: 32_000 });
    // It never listens by itself, and would neither know its connections nor mind its timeouts without being told.
    this.#http1.emit('listening');
    this.#http1.on('request', (message, out) => {
      const connection = this.#connectionOf(message.socket as tls.TLSSocket);
      void this.#serve(new Http1Exchange(message, out, connection));
    });
    this.#http1.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(message, socket, head));
    this.#tls = tls.createServer({ ...options.tls, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => this.#accept(socket));
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
      this.#http1.closeAllConnections();
      for (const socket of this.#upgraded) socket.destroy();
    }, graceMs);
    await this.#closed;
    clearTimeout(force);
  }

  #accept(socket: tls.TLSSocket): void {
    socket.setNoDelay(true);
    if (socket.alpnProtocol !== 'h2') {
      this.#http1.emit('connection', socket);
      return;
    }
    const session = http2.performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: this.#options.maxStreams || defaultMaxStreams,
        initialWindowSize: 1 << 20,
      },
      maxSessionMemory: 100,
    } as http2.ServerOptions);
    session.setLocalWindowSize(100 << 20);
    const connection = this.#connectionOf(socket);
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    session.on('error', () => session.destroy());
    session.on('stream', (stream, headers) => {
      stream.on('error', () => {}); // resets by the client end the stream; whoever waits for it sees its close event
      void this.#serve(new Http2Exchange(stream, headers, connection));
    });
  }

  async #serve(exchange: Http1Exchange | Http2Exchange): Promise<void> {
    const request = new Request(exchange, performance.now());
    try {
      const response = await this.#options.handler(request);
      await exchange.send(response, finalHeaders(request, response));
    } catch (error) {
      this.#options.onError(error, request);
      exchange.fail();
    }
  }

  #upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    const out = new http.ServerResponse(message);
    out.assignSocket(socket as tls.TLSSocket);
    const exchange = new Http1Exchange(message, out, this.#connectionOf(message.socket as tls.TLSSocket));
    const request = new Request(exchange, performance.now());
    const answer = async (): Promise<void> => {
      const response: Response = await this.#options.handler(request);
      if (response.upgrade !== undefined) {
        out.detachSocket(socket as tls.TLSSocket);
        this.#upgraded.add(socket);
        socket.once('close', () => this.#upgraded.delete(socket));
        response.upgrade(socket, head);
        return;
      }
      await exchange.send(response, { ...finalHeaders(request, response), connection: 'close' });
      socket.end();
    };
    answer().catch((error: unknown) => {
      this.#options.onError(error, request);
      socket.destroy();
    });
  }

  #connectionOf(socket: tls.TLSSocket): Connection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) this.#connections.set(socket, (connection = new Connection(socket)));
    return connection;
  }
}

function finalHeaders(request: Request, response: Response): OutgoingHeaders {
  const headers = Object.assign(request.responseHeaders, response.headers);
  if (request.warnings.length > 0) headers['warning'] = warningHeaders(request.warnings);
  return headers;
}

// TLS with ALPN: HTTP/2 and HTTP/1.1 on one port. HTTP/2 is our own (base/http2), HTTP/1.1 is node:http's.
import { constants } from 'node:crypto';
import * as net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import * as tls from 'node:tls';
import type { Http2Shared } from '../../base/http2/connection.ts';
import { DateText } from '../../base/http2/date-text.ts';
import { OutputPool } from '../../base/http2/output-pool.ts';
import { SharedFrames } from '../../base/http2/shared-frames.ts';
import { offeredSuites } from './cipher-suites.ts';
import type { ConnectionCounts, ConnectionMetrics } from './connection-metrics.ts';
import { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { Handshakes } from './handshakes.ts';
import { Http1Server } from './http1-server.ts';
import type { Upgradable } from './http1-server.ts';
import { Http2Connection } from './http2-connection.ts';
import * as limits from './limits.ts';
import { ReadingTurns } from './reading-turns.ts';
import { Request } from './request.ts';
import { parseTarget } from './request-target.ts';
import type { Handler, OutgoingHeaders, Response } from './response.ts';
import { Strangers } from './strangers.ts';
import { Turn } from './turn.ts';
import { warningHeaders } from './warnings.ts';

export interface ListenerOptions {
  readonly handler: Handler;
  readonly tls: tls.TlsOptions;
  /** another listener has these options: that they are good need not be found out before the first connection */
  readonly tlsIsProven?: boolean;
  readonly address: string;
  readonly port: number;
  /** --permit-port-sharing */
  readonly sharesPort: boolean;
  /** --http2-max-streams-per-connection; 0 leaves upstream's default */
  readonly maxStreams: number;
  /** --disable-http2-serving */
  readonly http1Only: boolean;
  /** --request-timeout */
  readonly requestTimeoutMs: number;
  readonly metrics: ConnectionMetrics;
  readonly onError: (error: unknown, request: Request | undefined) => void;
  readonly onHandshakeError: (error: Error, socket: Socket) => void;
}

const backlog = 1024;
const sweepMs = 200;
const floodMs = 25;
const watchedAtOnce = 200;
/** share of the time that the event loop works, from which on floods matter */
const busy = 0.5;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: net.Server;
  /** does not listen: it is given connections whose turn it is to shake hands */
  #tlsServer: tls.Server | undefined;
  #secured: tls.TlsOptions;
  readonly #handshakes = new Handshakes(
    (socket) => this.#shakeHands(socket),
    (reason) => this.#options.metrics.ended(reason),
    () => !this.#readingTurns.isTurn,
  );
  readonly #readingTurns = new ReadingTurns((socket) =>
    this.#http2Of.get(socket)?.endIfIdleTalk(performance.now(), limits.strangersIdleTalkBytes),
  );
  readonly #turn = new Turn();
  readonly #shared: Http2Shared = { pool: new OutputPool(), date: new DateText(), frame: new SharedFrames() };
  readonly #http1: Http1Server;
  readonly #connections = new WeakMap<tls.TLSSocket, Connection>();
  readonly #http2 = new Set<Http2Connection>();
  /** by what it stands on */
  readonly #http2Of = new WeakMap<Socket, Http2Connection>();
  /** every connection from its first byte to its last, whatever it speaks or does not speak yet */
  readonly #sockets = new Set<Socket>();
  readonly #strangers = new Strangers(() => this.#options.metrics.ended('stranger'));
  /** where the search for floods goes on */
  #watched: SetIterator<Http2Connection> | undefined;
  #sweeping: NodeJS.Timeout | undefined;
  #swept = 0;
  #load = performance.eventLoopUtilization();
  #closed: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    options.metrics.observe(() => this.#counts());
    this.#http1 = new Http1Server({
      connectionOf: (socket) => this.#connectionOf(socket),
      serve: (exchange, upgradable) => this.#serve(exchange, upgradable),
    });
    this.#secured = {
      ...withDefaults(options.tls),
      ALPNProtocols: options.http1Only ? ['http/1.1'] : ['h2', 'http/1.1'],
      handshakeTimeout: limits.handshakeMs,
    };
    const shared = { keepAlive: true, keepAliveInitialDelay: limits.keepAliveProbeMs, noDelay: true };
    this.#server = net.createServer(shared, (socket) => this.#own(socket));
    if (options.tlsIsProven !== true) this.#tlsServer = this.#createTls();
  }

  #createTls(): tls.Server {
    const server = tls.createServer(this.#secured, (socket) => this.#accept(socket));
    server.on('tlsClientError', (error, socket) => {
      this.#options.onHandshakeError(error, socket);
      socket.destroy();
    });
    return server;
  }

  async listen(): Promise<AddressInfo> {
    const server = this.#server;
    const place = { host: this.#options.address, port: this.#options.port, reusePort: this.#options.sharesPort };
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(boundSocket(place) ?? place, backlog, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // A connection that could not be accepted is lost; the next one may be.
    server.on('error', (error) => this.#options.onError(error, undefined));
    this.#sweeping = setInterval(() => this.#sweep(), sweepMs).unref();
    return server.address() as AddressInfo;
  }

  /** New certificates for new connections. */
  setSecureContext(options: tls.SecureContextOptions): void {
    this.#secured = { ...this.#secured, ...withDefaults(options) };
    this.#tlsServer?.setSecureContext(withDefaults(options));
  }

  /** Stops accepting and asks clients to go (GOAWAY); requests under way go on. */
  retire(): void {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    this.#handshakes.end();
    for (const connection of this.#http2) connection.retire();
    this.#http1.retire();
  }

  /** Resolves when every connection is gone, by force after a while. */
  async close(graceMs: number): Promise<void> {
    this.retire();
    this.#http1.close();
    const force = setTimeout(() => {
      for (const connection of this.#http2) connection.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await this.#closed;
    clearTimeout(force);
    clearInterval(this.#sweeping);
  }

  #counts(): ConnectionCounts {
    const { silent, shaking } = this.#handshakes;
    const stranger = this.#strangers.count;
    let waitingRequests = 0;
    for (const { waiting } of this.#http2) waitingRequests += waiting;
    const known = Math.max(0, this.#sockets.size - silent - shaking - stranger);
    return { connections: { silent, handshake: shaking, stranger, known }, waitingRequests };
  }

  #own(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {}); // it closes, and its users get that event
    this.#handshakes.add(socket);
  }

  #shakeHands(socket: Socket): void {
    this.#tlsServer ??= this.#createTls();
    this.#tlsServer.emit('connection', socket);
    this.#readingTurns.add(socket);
  }

  #accept(socket: tls.TLSSocket): void {
    const raw = this.#handshakes.done(socket);
    // OpenSSL leaves errors of its own verification behind, which does not count here, and node takes them for errors of what it reads next,
    // in the same turn. To read the certificate clears them.
    const shared = this.#connectionOf(socket);
    void shared.peerCertificate;
    socket.once('close', () => this.#strangers.delete(shared));
    if (raw !== undefined) shared.whenKnown(() => this.#readingTurns.known(raw));
    const connection = this.#speak(socket, shared);
    if (raw !== undefined && connection !== undefined) this.#http2Of.set(raw, connection);
    // What reads it from here on has begun to.
    if (raw !== undefined) setImmediate(() => this.#readingTurns.renew(raw));
  }

  #speak(socket: tls.TLSSocket, shared: Connection): Http2Connection | undefined {
    if (socket.alpnProtocol !== 'h2') {
      this.#http1.accept(socket);
      this.#strangers.add(shared, { idle: () => !this.#http1.isBusy(socket), end: () => socket.destroy() });
      return undefined;
    }
    const connection: Http2Connection = new Http2Connection(socket, shared, {
      maxStreams: this.#options.maxStreams || limits.defaultMaxStreams,
      turn: this.#turn,
      shared: this.#shared,
      serve: (exchange) => this.#serve(exchange),
      closed: () => this.#http2.delete(connection),
      calmed: () => this.#options.metrics.ended('demand'),
    });
    this.#http2.add(connection);
    this.#strangers.add(shared, { idle: () => connection.idle, end: () => connection.destroy() });
    return connection;
  }

  #sweep(): void {
    const now = performance.now();
    const load = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(load, this.#load).utilization > busy) this.#lookForFloods(now);
    this.#load = load;
    if (now - this.#swept < 1000) return;
    this.#swept = now;
    this.#handshakes.sweep(now);
    this.#sweepSome(this.#http2.values(), now);
    this.#http1.sweep(now);
  }

  /** Connections that end take time; those that came together reach their limits together. */
  #sweepSome(connections: SetIterator<Http2Connection>, now: number): void {
    const until = performance.now() + limits.turnMs;
    for (const connection of connections) {
      connection.sweep(now);
      if (performance.now() < until) continue;
      setImmediate(() => this.#sweepSome(connections, now));
      return;
    }
  }

  /** Again and again until the next sweep: a flood is at its end before it costs much. */
  #lookForFloods(now: number): void {
    this.#lookAtSome(now);
    for (let ms = floodMs; ms < sweepMs; ms += floodMs) setTimeout(() => this.#lookAtSome(performance.now()), ms).unref();
  }

  /** Where there are thousands of connections, to look at each of them again and again would be a flood of its own. */
  #lookAtSome(now: number): void {
    this.#watched ??= this.#http2.values();
    for (let count = Math.min(watchedAtOnce, this.#http2.size); count > 0; count--) {
      const { value } = this.#watched.next();
      if (value === undefined) {
        this.#watched = undefined;
        return;
      }
      value.endIfIdleTalk(now);
    }
  }

  /** Serves a request. Whatever goes wrong on the way ends this exchange and nothing else: the promise never rejects. */
  async #serve(exchange: Exchange, upgradable?: Upgradable): Promise<void> {
    let request: Request | undefined;
    try {
      const target = parseTarget(exchange.method, exchange.target);
      if (target === undefined) {
        exchange.refuse();
        return;
      }
      const early = exchange.oversized ? headersTooLarge : target.path === '*' && exchange.method === 'OPTIONS' ? serverOptions : undefined;
      if (early !== undefined) {
        await exchange.send(early, { ...early.headers });
        return;
      }
      const receivedAt = performance.now();
      request = new Request(exchange, receivedAt, target);
      request.deadline = receivedAt + this.#options.requestTimeoutMs;
      const response = await this.#options.handler(request);
      if (request.deadline !== undefined) exchange.sendBy = request.deadline + limits.sendSlackMs;
      if (response.upgrade === undefined || upgradable === undefined) {
        await exchange.send(response, finalHeaders(request, response));
        return;
      }
      const { socket, head } = upgradable.detach();
      // It is under way for as long as it is open.
      this.#strangers.delete(exchange.connection);
      try {
        response.upgrade(socket, head);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    } catch (error) {
      this.#failed(exchange, error, request);
    }
  }

  #failed(exchange: Exchange, error: unknown, request: Request | undefined): void {
    try {
      exchange.fail();
    } finally {
      this.#options.onError(error, request);
    }
  }

  #connectionOf(socket: tls.TLSSocket): Connection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) this.#connections.set(socket, (connection = new Connection(socket)));
    return connection;
  }
}

function withDefaults<T extends tls.SecureContextOptions>(options: T): T {
  const { ciphers = offeredSuites(), secureOptions = 0 } = options;
  // A session that is taken up again remembers the client's certificate and not the chain that proves it: each connection shakes hands.
  return { ...options, ciphers, secureOptions: secureOptions | constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET };
}

/** The response to `OPTIONS *`, which is about the server and needs no handler. */
const serverOptions: Response = { status: 200, headers: { 'content-length': '0' } };

const headersTooLarge: Response = {
  status: 431,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>'),
};

function finalHeaders(request: Request, response: Response): OutgoingHeaders {
  const headers = Object.assign(request.responseHeaders, response.headers);
  if (request.warnings.length > 0) headers['warning'] = warningHeaders(request.warnings);
  return headers;
}

/**
 * What `listen()` would bind by itself, after it has looked the host up and compiled an expression for IPv6, which takes 5 ms. Undefined: it has to.
 * Node can be given one since 26; processes of a cluster share what their first process binds.
 */
function boundSocket(place: Readonly<{ host: string; port: number; reusePort: boolean }>): net.BoundSocket | undefined {
  const { BoundSocket } = net as { BoundSocket?: typeof net.BoundSocket };
  if (BoundSocket === undefined || !net.isIPv4(place.host) || process.getBuiltinModule('node:cluster').isWorker) return undefined;
  try {
    return new BoundSocket(place);
  } catch {
    // `listen()` says why.
    return undefined;
  }
}

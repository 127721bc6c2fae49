import { readFile } from 'node:fs/promises';
import { performServerHandshake } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Server as TlsServer, TlsOptions } from 'node:tls';
import type { GrpcService } from '../base/grpc/server.ts';
import { isGrpc, serveCall } from '../base/grpc/server.ts';

const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

export interface PlainRequest {
  readonly method: string;
  readonly path: string;
}

export interface PlainResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface ServingTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** set: clients need a certificate of one of these authorities */
  readonly clientCaFile: string | undefined;
}

export interface ListenerOptions {
  /** requests that are not gRPC */
  readonly plain: (request: PlainRequest) => Promise<PlainResponse>;
  /** absent: only plain requests are served */
  readonly grpc?: GrpcService;
  readonly tls: ServingTls | undefined;
  /** how long a connection may take to say what it wants */
  readonly silentMs?: number;
}

const preface = 'PRI';
const silentMs = 30_000;
const certificatesMs = 10_000;
const windowBytes = 1 << 20;

/** gRPC and HTTP on one port, as etcd has them: the first bytes of a connection say which it is. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #http1: HttpServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** when connections of HTTP/1 end without a further request */
  readonly #expected = new WeakMap<Socket, NodeJS.Timeout>();
  #certificates: NodeJS.Timeout | undefined;

  private constructor(options: ListenerOptions, tls: TlsOptions | undefined) {
    this.#options = options;
    this.#http1 = createHttpServer((request, response) => void this.#respond1(request, response));
    this.#http1.on('connection', (socket) => this.#expectRequest(socket));
    if (tls === undefined) this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    else {
      const server = createTlsServer(tls, (socket) => this.#accept(socket));
      // A handshake that fails ends its own connection.
      server.on('tlsClientError', () => {});
      this.#server = server;
      this.#followCertificates(server, options.tls!);
    }
  }

  static async create(options: ListenerOptions): Promise<Listener> {
    return new Listener(options, options.tls && (await tlsOptions(options.tls)));
  }

  /** Resolves with the port, which may have been left open. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** No more connections; those that are there end when their calls have, or after a moment. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#certificates);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const session of this.#sessions) session.close();
    this.#http1.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // What serves the connection notices its end by itself.
    socket.on('error', () => {});
    const onSilence = (): void => void socket.destroy();
    socket.setTimeout(this.#options.silentMs ?? silentMs, onSilence);
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      socket.setTimeout(0);
      socket.off('timeout', onSilence);
      if (preface.startsWith(first.toString('latin1', 0, preface.length))) this.#serve2(socket);
      else this.#http1.emit('connection', socket);
    });
  }

  /** A server that does not listen by itself has no timeouts of its own: from now on the next request has so long to come. */
  #expectRequest(socket: Socket): void {
    clearTimeout(this.#expected.get(socket));
    if (socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), this.#options.silentMs ?? silentMs).unref();
    this.#expected.set(socket, timer);
    socket.once('close', () => clearTimeout(timer));
  }

  #serve2(socket: Socket): void {
    const session = performServerHandshake(socket, {
      settings: { initialWindowSize: windowBytes, maxConcurrentStreams: 0xffff },
      // In megabytes; the default of 10 would refuse calls while large responses wait for their readers.
      maxSessionMemory: 1024,
    });
    this.#sessions.add(session);
    const greeting = setTimeout(() => session.destroy(), this.#options.silentMs ?? silentMs).unref();
    session.once('remoteSettings', () => clearTimeout(greeting));
    session.once('close', () => {
      clearTimeout(greeting);
      this.#sessions.delete(session);
    });
    session.on('error', () => {});
    session.setLocalWindowSize(16 * windowBytes);
    session.on('stream', (stream, headers) => {
      const { grpc } = this.#options;
      if (grpc !== undefined && isGrpc(headers)) serveCall(stream, headers, grpc);
      else void this.#respond2(stream, headers);
    });
  }

  async #respond1(request: IncomingMessage, response: ServerResponse): Promise<void> {
    clearTimeout(this.#expected.get(request.socket));
    response.once('finish', () => this.#expectRequest(request.socket));
    request.resume();
    const { status, type, body } = await this.#options.plain({ method: request.method ?? 'GET', path: request.url ?? '/' });
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }

  async #respond2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => {});
    stream.resume();
    const { status, type, body } = await this.#options.plain({ method: headers[':method'] ?? 'GET', path: headers[':path'] ?? '/' });
    if (stream.destroyed || stream.closed) return;
    stream.respond({ ':status': status, 'content-type': type });
    stream.end(body);
  }

  /** Renewed certificates take effect without a restart. */
  #followCertificates(server: TlsServer, files: ServingTls): void {
    let last: string | undefined;
    const look = async (): Promise<void> => {
      const options = await tlsOptions(files);
      const now = [options.cert, options.key, options.ca].join('\n');
      if (last !== undefined && last !== now) server.setSecureContext(options);
      last = now;
    };
    // Files that are being replaced cannot be read for a moment; what was read last stays in effect.
    const tryToLook = (): void => void look().catch(() => {});
    tryToLook();
    this.#certificates = setInterval(tryToLook, certificatesMs).unref();
  }
}

async function tlsOptions({ certFile, keyFile, clientCaFile }: ServingTls): Promise<TlsOptions> {
  const [cert, key, ca] = await Promise.all([certFile, keyFile, clientCaFile].map((file) => (file ? readFile(file, 'utf8') : undefined)));
  return {
    cert,
    key,
    ca,
    requestCert: clientCaFile !== undefined,
    rejectUnauthorized: clientCaFile !== undefined,
    // As in Go, whatever is among the authorities is trusted as it is.
    allowPartialTrustChain: true,
    ALPNProtocols: ['h2', 'http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: silentMs,
  };
}

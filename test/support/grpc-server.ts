/** A small gRPC server for tests: enough to be a KMS plugin, or a peer that behaves badly on purpose. */
import { once } from 'node:events';
import { createSecureServer, createServer } from 'node:http2';
import type { Http2SecureServer, Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { ListenOptions } from 'node:net';
import { FrameReader, frame } from '../../src/base/grpc/framing.ts';
import { GrpcError, statusCode } from '../../src/base/grpc/status.ts';

export interface ServerCall {
  readonly headers: IncomingHttpHeaders;
  readonly stream: ServerHttp2Stream;
  /** messages from the client, as they come */
  readonly messages: AsyncIterable<Buffer>;
  send(message: Buffer): void;
}

/** Resolves: status OK. Throws a GrpcError: that status. */
export type ServerHandler = (call: ServerCall) => Promise<void>;

export class TestServer implements AsyncDisposable {
  readonly #server: Http2Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(handlers: Readonly<Record<string, ServerHandler>>, tls?: { key: Buffer; cert: Buffer; ca?: Buffer; requestCert?: boolean }) {
    this.#server = tls === undefined ? createServer() : createSecureServer({ ...tls, rejectUnauthorized: tls.requestCert ?? false });
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => undefined);
      void serve(stream, headers, handlers[String(headers[':path'])]);
    });
  }

  /** The port, for TCP. */
  async listen(options: ListenOptions = { port: 0, host: '127.0.0.1' }): Promise<number> {
    this.#server.listen(options);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Cuts all connections; the server goes on listening. */
  disconnect(): void {
    for (const session of this.#sessions) session.destroy();
  }

  get connections(): number {
    return this.#sessions.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.disconnect();
    await closed;
  }
}

async function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, handler: ServerHandler | undefined): Promise<void> {
  let status = { code: 0, message: '' };
  stream.on('wantTrailers', () =>
    stream.sendTrailers({ 'grpc-status': String(status.code), 'grpc-message': percentEncode(status.message) }),
  );
  try {
    if (handler === undefined) throw new GrpcError(statusCode.unimplemented, `unknown method ${String(headers[':path'])}`);
    const respond = (): void => {
      if (!stream.headersSent) stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    };
    const send = (message: Buffer): void => {
      respond();
      stream.write(frame(message));
    };
    await handler({ headers, stream, send, messages: messagesOf(stream) });
    if (stream.destroyed || stream.closed) return;
    respond();
  } catch (error) {
    if (stream.destroyed || stream.closed) return;
    status =
      error instanceof GrpcError ? { code: error.code, message: error.details } : { code: statusCode.unknown, message: String(error) };
    if (!stream.headersSent) {
      // Trailers only: the response of servers that fail before the first message.
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': String(status.code),
          'grpc-message': percentEncode(status.message),
        },
        { endStream: true },
      );
      return;
    }
  }
  stream.end();
}

async function* messagesOf(stream: ServerHttp2Stream): AsyncGenerator<Buffer, void, undefined> {
  const reader = new FrameReader(0x7fffffff);
  // A handler that stops reading still has a response to send.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield* reader.push(chunk);
}

function percentEncode(text: string): string {
  return Buffer.from(text).reduce(
    (out, byte) =>
      out +
      (byte < 0x20 || byte > 0x7e || byte === 0x25 ? `%${byte.toString(16).padStart(2, '0').toUpperCase()}` : String.fromCharCode(byte)),
    '',
  );
}

/** For handlers with one request and one response. */
export function unary(answer: (message: Buffer, call: ServerCall) => Buffer | Promise<Buffer>): ServerHandler {
  return async (call) => {
    for await (const message of call.messages) {
      call.send(await answer(message, call));
      return;
    }
  };
}

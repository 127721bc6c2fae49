import type { IncomingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { Agent, request as startRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, getCACertificates } from 'node:tls';
import type { Clock } from '../clock.ts';
import { distrust } from './certificate-check.ts';
import { describeConnectionError } from './connection-error.ts';

export interface HttpsRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** where to connect, when that is not what the URL says */
  readonly address?: { readonly host: string; readonly port: number };
  /** PEM of the authorities whose servers are trusted; undefined: those that the system trusts */
  readonly authorities?: string | undefined;
  /** what we are to the server, PEM */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
  readonly signal: AbortSignal;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No answer, or only part of one; the message says why in the original's words. */
export class NoResponse extends Error {
  override readonly name: string = 'NoResponse';
  readonly whileReading: boolean;

  constructor(message: string, options: ErrorOptions & { readonly whileReading: boolean }) {
    super(message, options);
    this.whileReading = options.whileReading;
  }
}

/** How long a connection that nobody uses is kept. */
const idleMs = 90_000;

/** Requests over TLS with HTTP/1.1, over connections that are kept; a server is sent nothing before it has shown who it is. */
export class HttpsClient implements Disposable {
  readonly #agent: VerifyingAgent;

  constructor(clock: Clock) {
    this.#agent = new VerifyingAgent(clock);
  }

  /** Throws NoResponse. */
  async send(request: HttpsRequest): Promise<HttpsResponse> {
    for (;;) {
      const attempt = new Attempt(request, this.#agent);
      try {
        return await attempt.response;
      } catch (error) {
        // The server closed a kept connection just when we wanted it.
        if (attempt.wasReused && (error as NodeJS.ErrnoException).code === 'ECONNRESET' && !request.signal.aborted) continue;
        const whileReading = attempt.isAnswered;
        throw new NoResponse(describe(error as Error, request.signal, whileReading), { cause: error, whileReading });
      }
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function describe(error: Error, { aborted, reason }: AbortSignal, whileReading: boolean): string {
  if (aborted) return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'context deadline exceeded' : 'context canceled';
  if (error instanceof Distrusted) return error.message;
  const text = describeConnectionError(error);
  return whileReading && text === 'EOF' ? 'unexpected EOF' : text;
}

class Attempt {
  readonly response: Promise<HttpsResponse>;
  wasReused = false;
  isAnswered = false;

  constructor({ url, method, headers, body, address, authorities, client, signal }: HttpsRequest, agent: Agent) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpsResponse>();
    this.response = promise;
    const options: RequestOptions = {
      agent,
      method,
      headers: { ...headers, host: url.host },
      host: address?.host ?? unbracketed(url.hostname),
      port: address?.port ?? (url.port || 443),
      path: url.pathname + url.search,
      servername: unbracketed(url.hostname),
      signal,
      ...(authorities !== undefined && { ca: authorities }),
      ...(client !== undefined && { cert: client.certificate, key: client.key }),
    };
    const outgoing = startRequest(options, (incoming) => {
      this.isAnswered = true;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }));
      incoming.on('error', reject);
    });
    outgoing.on('error', (error) => {
      this.wasReused = outgoing.reusedSocket;
      reject(error);
    });
    outgoing.end(body);
  }
}

class Distrusted extends Error {
  override readonly name = 'Distrusted';
}

/** Hands out connections once their server is known to be the one that was asked for. */
class VerifyingAgent extends Agent {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    super({ keepAlive: true, timeout: idleMs });
    this.#clock = clock;
  }

  override createConnection(options: RequestOptions, done?: (error: Error | null, socket: Duplex) => void): undefined {
    const serverName = options.servername ?? '';
    const authorities = options.ca as string | undefined;
    const { cert, key } = options;
    const socket = connect({
      host: options.host ?? '',
      port: Number(options.port),
      ALPNProtocols: ['http/1.1'],
      ca: authorities ?? getCACertificates('system'),
      ...(cert !== undefined && key !== undefined && { cert, key }),
      // SNI must not carry an IP address; the certificate is verified against it all the same.
      servername: isIP(serverName) === 0 ? serverName : '',
      // It is verified below, where more can be said about what is wrong.
      rejectUnauthorized: false,
    });
    const fail = (error: Error): void => done?.(error, socket);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      const now = new Date(this.#clock.now());
      const reason = distrust(socket, { serverName, authorities, now });
      if (reason === undefined) return done?.(null, socket);
      socket.destroy();
      fail(new Distrusted(reason));
    });
    return undefined;
  }
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

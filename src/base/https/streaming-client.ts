import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import type { RequestOptions as HttpsOptions } from 'node:https';
import { request as startHttps } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { activeSpan, traceHeaders } from '../tracing/active-span.ts';
import { describeFailure } from './https-client.ts';
import type { Dial } from './dial.ts';
import { hostPort } from './dial.ts';
import { PacedSocket } from './paced-socket.ts';
import { VerifyingAgent } from './verifying-agent.ts';

/** A server, and what makes us believe that it is the one. */
export interface Peer {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** name that its certificate must be for, when that is not its host */
  readonly serverName?: string;
  /** PEM of the authorities that its certificate may be from; undefined: those that the system trusts */
  readonly authorities?: string | undefined;
  /** any certificate will do */
  readonly insecure: boolean;
  /** our client certificate for it, PEM; undefined: none */
  readonly client?: ClientCertificate | undefined;
}

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface OutgoingRequest {
  readonly method: string;
  /** path and query */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Readable | undefined;
  readonly signal: AbortSignal;
}

/** The connection as it is after the server has agreed to speak another protocol on it. */
export interface Upgraded {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  /** what came right behind the response */
  readonly head: Buffer;
}

/** The server did not respond; the message says why in upstream's words. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Only the simpler of upstream's clients looks at what came instead of TLS. */
const plainAnswer = 'http: server gave HTTP response to HTTPS client';
const notTls = 'tls: first record does not look like a TLS handshake';

export interface StreamingClientOptions {
  /** how servers are reached, when not directly */
  readonly dial?: Dial | undefined;
  /** that pass each way of a connection that speaks another protocol; 0: as many as there are */
  readonly bytesPerSecond?: number;
}

/** Requests whose bodies, both ways, are passed on as they come, over HTTP/1.1 and connections that are kept. */
export class StreamingClient implements Disposable {
  readonly #https: VerifyingAgent;
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  readonly #bytesPerSecond: number;

  constructor(clock: Clock, { dial, bytesPerSecond = 0 }: StreamingClientOptions = {}) {
    this.#clock = clock;
    this.#dial = dial;
    this.#bytesPerSecond = bytesPerSecond;
    this.#https = new VerifyingAgent(clock, dial);
  }

  [Symbol.dispose](): void {
    this.#https.destroy();
  }

  /** The response, whose body is still to come, or the connection if it speaks another protocol now. Throws UnreachableError. */
  async exchange(peer: Peer, request: OutgoingRequest): Promise<IncomingMessage | Upgraded> {
    for (;;) {
      try {
        return await this.#attempt(peer, request);
      } catch (error) {
        // The server closed a kept connection just when we wanted it, and nothing of ours got lost.
        if (error instanceof ConnectionLostError && request.body === undefined && !request.signal.aborted) continue;
        const cause = error instanceof ConnectionLostError ? error.cause : error;
        const text = describeFailure(cause as Error, request.signal, false);
        throw new UnreachableError(text === plainAnswer ? notTls : text, { cause });
      }
    }
  }

  #attempt(peer: Peer, { method, target: path, headers, signal, body }: OutgoingRequest): Promise<IncomingMessage | Upgraded> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | Upgraded>();
    const options: RequestOptions = {
      method,
      path,
      headers: { host: hostPort(peer), ...headers, ...traceHeaders(activeSpan()) },
      host: peer.host,
      port: peer.port,
      signal,
    };
    const outgoing =
      peer.scheme === 'https'
        ? startHttps({ ...options, ...this.#secured(peer) }, resolve)
        : plainHttp().request({ ...options, ...this.#plain(peer) }, resolve);
    // Not said unless asked: neighbours of this version keep their connections anyway.
    if (headers['connection'] === undefined) outgoing.removeHeader('connection');
    outgoing.on('upgrade', (response, socket, head) => resolve({ response, socket: this.#paced(socket), head }));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      reject(outgoing.reusedSocket && error.code === 'ECONNRESET' ? new ConnectionLostError(error.message, { cause: error }) : error);
    });
    if (body === undefined) outgoing.end();
    else body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing);
    return promise;
  }

  #paced(socket: Duplex): Duplex {
    return this.#bytesPerSecond > 0 ? new PacedSocket(socket, this.#bytesPerSecond, this.#clock) : socket;
  }

  #plain({ host, port }: Peer): RequestOptions {
    const dial = this.#dial;
    if (dial === undefined) return {};
    return {
      createConnection: ({ signal }, done) => {
        dial({ host, port }, signal).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, undefined as unknown as Duplex),
        );
        return undefined;
      },
    };
  }

  #secured({ host, serverName = host, insecure, authorities, client }: Peer): HttpsOptions {
    return {
      agent: this.#https,
      servername: serverName,
      rejectUnauthorized: !insecure,
      ...(authorities !== undefined && { ca: authorities }),
      ...(client !== undefined && { cert: client.certificate, key: client.key }),
    };
  }
}

/** Not imported: that would cost every start, and few servers proxy to what speaks plain HTTP. */
function plainHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

import type { IncomingMessage, RequestOptions } from 'node:http';
import type { RequestOptions as HttpsOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { activeSpan, traceHeaders } from '../tracing/active-span.ts';
import { describeFailure } from './https-client.ts';
import type { Dial } from './dial.ts';
import { hostPort } from './dial.ts';
import type { IncomingResponse, OutgoingRequest, Peer } from './exchange.ts';
import { NotProcessedError } from './http2-session.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { PacedSocket } from './paced-socket.ts';
import { SecureContexts } from './secure-contexts.ts';
import { https, VerifyingAgent } from './verifying-agent.ts';

export type { ClientCertificate, IncomingResponse, OutgoingRequest, Peer } from './exchange.ts';

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

/** How often a request is sent again that servers do not look at. */
const mostRefusals = 6;

export interface StreamingClientOptions {
  /** how servers are reached, when not directly */
  readonly dial?: Dial | undefined;
  /** that pass each way of a connection that speaks another protocol; 0: as many as there are */
  readonly bytesPerSecond?: number;
  /** servers that offer HTTP/2 are spoken to that way, unless another protocol is asked for */
  readonly http2?: boolean;
}

/** Requests whose bodies, both ways, are passed on as they come, over connections that are kept. */
export class StreamingClient implements Disposable {
  readonly #https: VerifyingAgent;
  readonly #http2: Http2Sessions | undefined;
  readonly #clock: Clock;
  readonly #dial: Dial | undefined;
  readonly #bytesPerSecond: number;

  constructor(clock: Clock, { dial, bytesPerSecond = 0, http2 = false }: StreamingClientOptions = {}) {
    this.#clock = clock;
    this.#dial = dial;
    this.#bytesPerSecond = bytesPerSecond;
    const contexts = new SecureContexts();
    this.#https = new VerifyingAgent(clock, dial, contexts);
    this.#http2 = http2 ? new Http2Sessions(clock, dial, contexts) : undefined;
  }

  [Symbol.dispose](): void {
    this.#https.destroy();
    this.#http2?.[Symbol.dispose]();
  }

  /** The response, whose body is still to come, or the connection if it speaks another protocol now. Throws UnreachableError. */
  async exchange(peer: Peer, request: OutgoingRequest): Promise<IncomingResponse | Upgraded> {
    for (let refusals = 0; ;) {
      try {
        return (await this.#overHttp2(peer, request)) ?? (await this.#attempt(peer, request));
      } catch (error) {
        if (error instanceof NotProcessedError && !request.signal.aborted) {
          if (request.body === undefined && refusals++ < mostRefusals) continue;
          throw new UnreachableError(request.body === undefined ? error.message : notSentAgain(error), { cause: error });
        }
        // The server closed a kept connection just when we wanted it, and nothing of ours got lost.
        if (error instanceof ConnectionLostError && request.body === undefined && !request.signal.aborted) continue;
        this.#http2?.forget(peer);
        const cause = error instanceof ConnectionLostError ? error.cause : error;
        const text = describeFailure(cause as Error, request.signal, false);
        throw new UnreachableError(text === plainAnswer ? notTls : text, { cause });
      }
    }
  }

  /** undefined: it must be HTTP/1.1. */
  async #overHttp2(peer: Peer, request: OutgoingRequest): Promise<IncomingResponse | undefined> {
    if (this.#http2 === undefined || peer.scheme !== 'https' || request.headers['upgrade'] !== undefined) return undefined;
    return this.#http2.exchange(peer, { ...request, headers: { ...request.headers, ...traceHeaders(activeSpan()) } });
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
        ? https().request({ ...options, ...this.#secured(peer) }, resolve)
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
      agent: this.#https.agent,
      servername: serverName,
      rejectUnauthorized: !insecure,
      ...(authorities !== undefined && { ca: authorities }),
      ...(client !== undefined && { cert: client.certificate, key: client.key }),
    };
  }
}

function notSentAgain({ message }: Error): string {
  return `http2: Transport: cannot retry err [${message}] after Request.Body was written; define Request.GetBody to avoid this error`;
}

/** Not imported: that would cost every start, and few servers proxy to what speaks plain HTTP. */
function plainHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

import type { IncomingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { silentLogger } from '../log.ts';
import { activeSpan, traceHeaders } from '../tracing/active-span.ts';
import type { Span } from '../tracing/span.ts';
import { scopes, spanKind } from '../tracing/span.ts';
import { BodyTooLargeError, readBounded } from './bounded-body.ts';
import type { Dial } from './dial.ts';
import { describeConnectionError } from './connection-error.ts';
import type { IncomingResponse, Peer } from './exchange.ts';
import { NotProcessedError } from './http2-session.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { logExchange } from './request-log.ts';
import { DistrustedError } from './secure-connection.ts';
import { SecureContexts } from './secure-contexts.ts';
import { https, VerifyingAgent } from './verifying-agent.ts';

export interface HttpsRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** where to connect, when that is not what the URL says */
  readonly address?: { readonly host: string; readonly port: number };
  /** PEM of the authorities whose servers are trusted; undefined: those that the system trusts */
  readonly authorities?: string | undefined;
  /** any certificate will do */
  readonly insecure?: boolean | undefined;
  /** whom the certificate must be for, when that is not the host of the URL */
  readonly serverName?: string | undefined;
  /** what we are to the server, PEM */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
  readonly signal: AbortSignal;
  /** of the response; by default enough for anything but a flood */
  readonly maxBytes?: number;
}

export interface HttpsResponse {
  readonly status: number;
  /** of HTTP */
  readonly version: '1.1' | '2.0';
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No response, or only part of one; the message says why in upstream's words. */
export class NoResponseError extends Error {
  override readonly name: string = 'NoResponseError';
  readonly whileReading: boolean;

  constructor(message: string, options: ErrorOptions & { readonly whileReading: boolean }) {
    super(message, options);
    this.whileReading = options.whileReading;
  }
}

export interface HttpsClientOptions {
  readonly log?: Logger;
  /** how servers are reached, when not directly */
  readonly dial?: Dial | undefined;
  /** servers that offer HTTP/2 are spoken to that way, over one connection each */
  readonly http2?: boolean;
}

/** How often a request is sent again that servers do not look at. */
const mostRefusals = 6;

/** Requests over TLS, over connections that are kept; a server is sent nothing before it has shown who it is. */
export class HttpsClient implements Disposable {
  readonly #agent: VerifyingAgent;
  readonly #http2: Http2Sessions | undefined;
  readonly #log: Logger;

  constructor(clock: Clock, { log = silentLogger, dial, http2 = false }: HttpsClientOptions = {}) {
    const contexts = new SecureContexts();
    this.#agent = new VerifyingAgent(clock, dial, contexts);
    this.#http2 = http2 ? new Http2Sessions(clock, dial, contexts) : undefined;
    this.#log = log;
  }

  /** Throws NoResponseError. */
  send(request: HttpsRequest): Promise<HttpsResponse> {
    const outer = activeSpan();
    return outer === undefined ? this.#logged(request) : this.#traced(outer, request);
  }

  async #traced(outer: Span, request: HttpsRequest): Promise<HttpsResponse> {
    const { method, url, headers } = request;
    const span = outer.startExported(`HTTP ${method}`, scopes.http, spanKind.client, {
      'http.request.method': method,
      'server.address': unbracketed(url.hostname),
      'server.port': Number(url.port || 443),
      'url.full': url.href,
    });
    try {
      const response = await this.#logged({ ...request, headers: { ...headers, ...traceHeaders(span ?? outer) } });
      span?.set({ 'http.response.status_code': response.status, 'network.protocol.version': response.version });
      if (span !== undefined) span.isError = response.status >= 400;
      return response;
    } catch (error) {
      if (span !== undefined) span.isError = true;
      throw error;
    } finally {
      span?.end();
    }
  }

  #logged(request: HttpsRequest): Promise<HttpsResponse> {
    if (this.#log.v(6) === undefined) return this.#send(request);
    return logExchange(this.#log, request, () => this.#send(request));
  }

  async #send(request: HttpsRequest): Promise<HttpsResponse> {
    const response = this.#http2 && (await this.#overHttp2(request, this.#http2));
    if (response !== undefined) return response;
    for (;;) {
      const attempt = new Attempt(request, this.#agent.agent);
      try {
        return await attempt.response;
      } catch (error) {
        // The server closed a kept connection just when we wanted it.
        if (attempt.wasReused && (error as NodeJS.ErrnoException).code === 'ECONNRESET' && !request.signal.aborted) continue;
        this.#http2?.forget(peerOf(request));
        throw noResponse(error, request, attempt.isAnswered);
      }
    }
  }

  /** undefined: the server speaks HTTP/1.1 */
  async #overHttp2(request: HttpsRequest, sessions: Http2Sessions): Promise<HttpsResponse | undefined> {
    const { url, method, body, signal, maxBytes } = request;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...request.headers, ...length, host: url.host };
    let incoming: IncomingResponse | undefined;
    for (let refusals = 0; ; refusals++) {
      try {
        const sent = {
          method,
          target: url.pathname + url.search,
          headers,
          signal,
          ...(body !== undefined && { body: Readable.from([body]) }),
        };
        incoming = await sessions.exchange(peerOf(request), sent);
        if (incoming === undefined) return undefined;
        const { statusCode = 0, headers: answered } = incoming;
        return { status: statusCode, version: '2.0', headers: answered, body: await readBounded(incoming, maxBytes) };
      } catch (error) {
        if (error instanceof NotProcessedError && refusals < mostRefusals && !signal.aborted) continue;
        throw noResponse(error, request, incoming !== undefined);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#http2?.[Symbol.dispose]();
  }
}

function noResponse(error: unknown, { signal }: HttpsRequest, whileReading: boolean): NoResponseError {
  return new NoResponseError(describeFailure(error as Error, signal, whileReading), { cause: error, whileReading });
}

function peerOf({ url, address, authorities, insecure = false, serverName = unbracketed(url.hostname), client }: HttpsRequest): Peer {
  const { host, port } = address ?? { host: unbracketed(url.hostname), port: Number(url.port || 443) };
  return { scheme: 'https', host, port, serverName, authorities, insecure, client };
}

/** Why there is no response, or only part of one. */
export function describeFailure(error: Error, { aborted, reason }: AbortSignal, whileReading: boolean): string {
  if (aborted) return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'context deadline exceeded' : 'context canceled';
  if (error instanceof DistrustedError || error instanceof BodyTooLargeError) return error.message;
  const text = describeConnectionError(error);
  return whileReading && text === 'EOF' ? 'unexpected EOF' : text;
}

class Attempt {
  readonly response: Promise<HttpsResponse>;
  wasReused = false;
  isAnswered = false;

  constructor(request: HttpsRequest, agent: Agent) {
    const { url, method, headers, body, address, client, signal, maxBytes } = request;
    const { authorities, insecure = false, serverName = unbracketed(url.hostname) } = request;
    const { promise, resolve, reject } = Promise.withResolvers<HttpsResponse>();
    this.response = promise;
    const options: RequestOptions = {
      agent,
      method,
      headers: { ...headers, host: url.host },
      host: address?.host ?? unbracketed(url.hostname),
      port: address?.port ?? (url.port || 443),
      path: url.pathname + url.search,
      servername: serverName,
      rejectUnauthorized: !insecure,
      signal,
      ...(authorities !== undefined && { ca: authorities }),
      ...(client !== undefined && { cert: client.certificate, key: client.key }),
    };
    const outgoing = https().request(options, (incoming) => {
      this.isAnswered = true;
      readBounded(incoming, maxBytes).then(
        (read) => resolve({ status: incoming.statusCode ?? 0, version: '1.1', headers: incoming.headers, body: read }),
        reject,
      );
    });
    outgoing.on('error', (error) => {
      this.wasReused = outgoing.reusedSocket;
      reject(error);
    });
    outgoing.end(body);
  }
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

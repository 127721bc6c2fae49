// Upstream: golang.org/x/net/http2/transport.go, k8s.io/apimachinery/pkg/util/net/http.go
import type { OutgoingHttpHeaders } from 'node:http';
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
  SecureClientSessionOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { describeConnectionError } from './connection-error.ts';
import { hostPort } from './dial.ts';
import type { IncomingResponse, OutgoingRequest, Peer } from './exchange.ts';
import { Http2Response } from './http2-response.ts';

/** A silent connection is asked for a sign of life after this long ... */
const silentMs = 30_000;
/** ... and given up when there is none. */
const pingTimeoutMs = 15_000;
/** How long a connection without requests is kept. */
const idleMs = 90_000;
/** Until the server has said how many. */
const firstStreams = 100;
/** What one reader that stands still makes us hold. */
const streamWindow = 256 * 1024;
/** Large, since readers that stand still must not use up what all streams of the connection share. */
const connectionWindow = 512 * 1024 * 1024;
/** between two neighbours that speak HTTP/1.1 */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
/** NGHTTP2_CANCEL */
const cancel = 8;
/** NGHTTP2_REFUSED_STREAM: the server has not looked at the request. */
const refused = 7;

/** The server did nothing with the request: it may be sent again. */
export class NotProcessedError extends Error {
  override readonly name = 'NotProcessedError';
}

/** One connection that speaks HTTP/2, for many requests at once. It does not come back. */
export class Http2Session {
  readonly peer: Peer;
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #authority: string;
  #maxStreams = firstStreams;
  #streams = 0;
  #idleSince = performance.now();
  #isRetired = false;
  #reason: Error | undefined;
  #ping: NodeJS.Timeout | undefined;

  constructor(peer: Peer, socket: TLSSocket, onEnd: () => void) {
    this.peer = peer;
    this.#socket = socket;
    this.#authority = hostPort(peer);
    const options: SecureClientSessionOptions & { readonly strictSingleValueFields: boolean } = {
      createConnection: () => socket,
      settings: { initialWindowSize: streamWindow, enablePush: false },
      // In megabytes; the default of 10 would refuse requests while others are on their way.
      maxSessionMemory: 2048,
      maxSendHeaderBlockLength: 1024 * 1024,
      // What a client says twice is passed on twice. The type of node does not know it yet.
      strictSingleValueFields: false,
    };
    this.#session = http2().connect(`https://${this.#authority}`, options);
    this.#session.once('connect', () => this.#session.setLocalWindowSize(connectionWindow));
    this.#session.on('remoteSettings', ({ maxConcurrentStreams }) => (this.#maxStreams = maxConcurrentStreams ?? firstStreams));
    this.#session.once('goaway', (code: number, lastStream: number, debug?: Uint8Array) => {
      this.#isRetired = true;
      const data = JSON.stringify(debug === undefined ? '' : Buffer.from(debug).toString());
      this.#reason = new Error(
        `http2: server sent GOAWAY and closed the connection; LastStreamID=${lastStream}, ErrCode=${codeName(code)}, debug=${data}`,
      );
      onEnd();
    });
    this.#session.on('error', (error: Error) => (this.#reason ??= new Error(describeConnectionError(error), { cause: error })));
    this.#session.once('close', () => {
      this.#isRetired = true;
      clearTimeout(this.#ping);
      onEnd();
    });
    this.#session.setTimeout(silentMs, () => this.#silent());
    this.#session.unref();
  }

  /** More requests may be sent over it. */
  get isOpen(): boolean {
    return !this.#isRetired && !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    return this.isOpen && this.#streams < this.#maxStreams;
  }

  destroy(reason = new Error('http2: client connection force closed via ClientConn.Close')): void {
    this.#reason ??= reason;
    this.#session.destroy();
  }

  /** Rejects with NotProcessedError, or with why there is no response in upstream's words. */
  exchange({ method, target, headers, body, signal }: OutgoingRequest): Promise<IncomingResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingResponse>();
    const stream = this.#session.request(
      { ':method': method, ':path': target, ':authority': String(headers['host'] ?? this.#authority), ...endToEnd(headers) },
      { endStream: body === undefined, signal },
    );
    this.#opened(stream);
    stream.once('response', (answered: IncomingHttpHeaders & IncomingHttpStatusHeader, _flags, rawHeaders: string[]) => {
      resolve(new Http2Response(stream, answered[':status'] ?? 0, rawHeaders, () => this.#failure(stream)));
    });
    stream.on('error', (error: Error) => {
      if (error.name === 'AbortError') reject(error);
    });
    // Too late when there was a response; that fails by itself.
    stream.once('close', () => reject(this.#failure(stream)));
    body?.on('error', () => stream.close(cancel)).pipe(stream);
    return promise;
  }

  #opened(stream: ClientHttp2Stream): void {
    if (this.#streams++ === 0) this.#session.ref();
    stream.once('close', () => {
      if (--this.#streams > 0) return;
      this.#idleSince = performance.now();
      // An idle connection must not keep the process alive.
      if (!this.#session.destroyed) this.#session.unref();
    });
  }

  #failure({ id, rstCode }: ClientHttp2Stream): Error {
    if (rstCode === refused) return new NotProcessedError(this.#isRetired ? gracefulShutdown : streamError(id, 'REFUSED_STREAM'));
    if (this.#session.destroyed || this.#socket.destroyed) return this.#reason ?? new Error('unexpected EOF');
    return new Error(streamError(id, codeName(rstCode)));
  }

  #silent(): void {
    if (this.#streams === 0 && performance.now() - this.#idleSince >= idleMs) return this.#session.close();
    if (this.#ping !== undefined) return;
    this.#ping = setTimeout(() => this.destroy(new Error('http2: client connection lost')), pingTimeoutMs).unref();
    this.#session.ping(() => {
      clearTimeout(this.#ping);
      this.#ping = undefined;
    });
  }
}

const gracefulShutdown = "http2: Transport received Server's graceful shutdown GOAWAY";

function streamError(id: number | undefined, code: string): string {
  return `stream error: stream ID ${id}; ${code}; received from peer`;
}

function endToEnd(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && !connectionHeaders.has(name)));
}

/** `INTERNAL_ERROR` */
function codeName(code: number): string {
  return errorCodes[code] ?? `unknown error code 0x${code.toString(16)}`;
}

/** RFC 9113, section 7, from 0 */
const errorCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** Not imported: commands that never speak it need not load it. */
function http2(): typeof import('node:http2') {
  return process.getBuiltinModule('node:http2');
}

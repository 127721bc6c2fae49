import { constants } from 'node:http2';
import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { Connection } from './connection.ts';
import { FrameReader, frame } from './framing.ts';
import type { StatusHeaders } from './status.ts';
import { GrpcError, httpStatusError, statusCode, statusFrom } from './status.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** absolute, on the clock of performance.now() */
  readonly deadline?: number | undefined;
  /** extra request headers */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly maxReceiveBytes: number;
  readonly maxSendBytes: number;
}

/** Both directions of a streaming call. Reading slowly slows the server down (HTTP/2 flow control). */
export interface GrpcStream extends AsyncIterable<readonly Buffer[]> {
  /** Sends one message. Resolves when it is handed to the connection, which may wait for the peer to read. */
  send(message: Buffer): Promise<void>;
  /** No more messages from this side. */
  end(): void;
  /** Ends the call at once; the iteration then ends without an error. */
  cancel(): void;
}

function requestHeaders(path: string, options: CallOptions): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...options.metadata,
  };
  if (options.deadline !== undefined) {
    headers['grpc-timeout'] = `${Math.max(1, Math.ceil(options.deadline - performance.now()))}m`;
  }
  return headers;
}

function checkedFrame(message: Buffer, options: CallOptions): Buffer {
  if (message.length > options.maxSendBytes) {
    throw new GrpcError(
      statusCode.resourceExhausted,
      `trying to send message larger than max (${message.length} vs. ${options.maxSendBytes})`,
      {
        unprocessed: true,
      },
    );
  }
  return frame(message);
}

/** Follows the headers, trailers and end of a stream and tells how the call ended. */
class CallOutcome {
  readonly #stream: ClientHttp2Stream;
  readonly #connection: Connection;
  #answered = false;
  #status: GrpcError | 'ok' | undefined;
  #streamError: Error | undefined;

  constructor(stream: ClientHttp2Stream, connection: Connection) {
    this.#stream = stream;
    this.#connection = connection;
    const note = (headers: IncomingHttpHeaders & StatusHeaders): void => {
      this.#answered = true;
      const httpStatus = headers[':status'];
      if (headers['grpc-status'] !== undefined) this.#status = statusFrom(headers) ?? 'ok';
      else if (httpStatus !== undefined && httpStatus !== 200) this.#status = httpStatusError(httpStatus);
    };
    stream.once('response', note);
    stream.once('trailers', note);
    stream.on('error', (error: Error) => {
      this.#streamError ??= error;
    });
  }

  /** Ends the call from this side with this outcome, unless the server's has come already. */
  abort(error: GrpcError): void {
    this.#status ??= error;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  /** After the stream closed: undefined for OK, else what went wrong. */
  error(complete: boolean): GrpcError | undefined {
    if (this.#status instanceof GrpcError) return this.#status;
    if (this.#status === 'ok' && complete) return undefined;
    const cause = this.#streamError ?? this.#connection.reason;
    const refused = this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    // No id: the stream never left this process.
    const unprocessed = !this.#answered && (refused || this.#stream.id === undefined);
    const text = this.#connection.reason?.message ?? this.#streamError?.message ?? 'the stream ended without a status';
    return new GrpcError(statusCode.unavailable, `error reading from server: ${text}`, { unprocessed, cause });
  }
}

/** Arms the deadline and the signal of a call; returns what disarms them. */
function arm(options: CallOptions, abort: (error: GrpcError) => void): () => void {
  const { signal, deadline } = options;
  const timer =
    deadline === undefined
      ? undefined
      : setTimeout(
          () => abort(new GrpcError(statusCode.deadlineExceeded, 'context deadline exceeded')),
          Math.max(0, deadline - performance.now()),
        );
  const onAbort = (): void => abort(new GrpcError(statusCode.cancelled, 'context canceled', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}

/** One request, one response. Rejects with GrpcError. */
export function unaryCall(connection: Connection, path: string, message: Buffer, options: CallOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = checkedFrame(message, options);
    const stream = connection.open(requestHeaders(path, options), true);
    const outcome = new CallOutcome(stream, connection);
    const disarm = arm(options, (error) => outcome.abort(error));
    const reader = new FrameReader(options.maxReceiveBytes);
    const messages: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => {
      try {
        messages.push(...reader.push(chunk));
      } catch (error) {
        outcome.abort(error as GrpcError);
      }
    });
    stream.once('close', () => {
      disarm();
      const error = outcome.error(messages.length === 1 && reader.idle);
      if (error !== undefined) reject(error);
      else resolve(messages[0] as Buffer);
    });
    stream.end(body);
  });
}

/** A call that streams in one or both directions. The iteration throws GrpcError unless the server ends with OK or the caller cancels. */
export function streamingCall(connection: Connection, path: string, options: CallOptions): GrpcStream {
  const stream = connection.open(requestHeaders(path, options), false);
  const outcome = new CallOutcome(stream, connection);
  const disarm = arm(options, (error) => outcome.abort(error));
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  void closed.then(disarm);
  let cancelled = false;

  async function* messages(): AsyncGenerator<readonly Buffer[], void, undefined> {
    const reader = new FrameReader(options.maxReceiveBytes);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const batch = reader.push(chunk);
        if (batch.length > 0) yield batch;
      }
    } catch (error) {
      // The outcome below says it better than the stream's own error.
      if (error instanceof GrpcError) throw error;
    } finally {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    }
    await closed;
    const error = outcome.error(reader.idle);
    if (error !== undefined && !cancelled) throw error;
  }

  return {
    send(message) {
      return new Promise((resolve, reject) => {
        if (stream.destroyed || stream.closed) {
          reject(outcome.error(false));
          return;
        }
        stream.write(checkedFrame(message, options), (error) => {
          if (error) reject(new GrpcError(statusCode.unavailable, `error writing to server: ${error.message}`, { cause: error }));
          else resolve();
        });
      });
    },
    end: () => void stream.end(),
    cancel() {
      cancelled = true;
      stream.close(constants.NGHTTP2_CANCEL);
    },
    [Symbol.asyncIterator]: messages,
  };
}

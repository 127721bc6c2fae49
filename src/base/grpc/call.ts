import type { ClientStream, ClientStreamUser } from '../http2/client-stream.ts';
import { errorCode } from '../http2/frames.ts';
import type { Connection } from './connection.ts';
import { FrameReader, frame } from './framing.ts';
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

/** What a request says beside what all of them do. */
function requestFields(path: string, { metadata, deadline }: CallOptions): string[] {
  const fields = [':path', path, 'content-type', 'application/grpc', 'te', 'trailers'];
  for (const name in metadata) fields.push(name, metadata[name] as string);
  if (deadline !== undefined) fields.push('grpc-timeout', `${Math.max(1, Math.ceil(deadline - performance.now()))}m`);
  return fields;
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

/** One call, from its request to its status. Those who extend it read its messages. */
abstract class Call implements ClientStreamUser {
  readonly stream: ClientStream;
  readonly options: CallOptions;
  readonly #connection: Connection;
  readonly #disarm: () => void;
  #answered = false;
  #status: GrpcError | 'ok' | undefined;
  #code: number = errorCode.none;

  constructor(connection: Connection, path: string, options: CallOptions, awaited: boolean) {
    this.#connection = connection;
    this.options = options;
    this.stream = connection.open(requestFields(path, options), awaited, this);
    this.#disarm = arm(options, (error) => this.abort(error));
  }

  abstract data(piece: Buffer): void;

  /** The stream is over; `error()` says how it went. */
  protected abstract done(): void;

  headers(lines: readonly string[]): void {
    this.#answered = true;
    this.#status ??= statusOf(lines);
  }

  closed(code: number): void {
    this.#code = code;
    this.#disarm();
    this.done();
  }

  /** Ends the call from this side with this outcome, unless the server's has come already. */
  abort(error: GrpcError): void {
    this.#status ??= error;
    this.stream.reset(errorCode.cancel);
  }

  /** Undefined for OK, else what went wrong. `complete`: the messages are all there. */
  error(complete: boolean): GrpcError | undefined {
    if (this.#status instanceof GrpcError) return this.#status;
    if (this.#status === 'ok' && complete) return undefined;
    const cause = this.#connection.reason;
    // Without a number the stream never left this process.
    const unprocessed = !this.#answered && (this.#code === errorCode.refusedStream || this.stream.id === 0);
    const ending = this.#code === errorCode.none ? 'the stream ended without a status' : `the stream was reset with code ${this.#code}`;
    return new GrpcError(statusCode.unavailable, `error reading from server: ${cause?.message ?? ending}`, { unprocessed, cause });
  }
}

function statusOf(lines: readonly string[]): GrpcError | 'ok' | undefined {
  let httpStatus: string | undefined;
  let status: string | undefined;
  let message = '';
  for (let at = 0; at < lines.length; at += 2) {
    const value = lines[at + 1] as string;
    if (lines[at] === ':status') httpStatus = value;
    else if (lines[at] === 'grpc-status') status = value;
    else if (lines[at] === 'grpc-message') message = value;
  }
  if (status !== undefined) return statusFrom(status, message) ?? 'ok';
  return httpStatus === undefined || httpStatus === '200' ? undefined : httpStatusError(Number(httpStatus));
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
    new UnaryCall(connection, path, options, resolve, reject).stream.write(body, true);
  });
}

class UnaryCall extends Call {
  readonly #reader: FrameReader;
  readonly #resolve: (message: Buffer) => void;
  readonly #reject: (error: GrpcError) => void;
  #message: Buffer | undefined;
  #count = 0;

  constructor(
    connection: Connection,
    path: string,
    options: CallOptions,
    resolve: (message: Buffer) => void,
    reject: (error: GrpcError) => void,
  ) {
    super(connection, path, options, true);
    this.#reader = new FrameReader(options.maxReceiveBytes);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  data(piece: Buffer): void {
    this.stream.giveBack(piece.length);
    try {
      for (const message of this.#reader.push(piece)) {
        this.#message = message;
        this.#count++;
      }
    } catch (error) {
      this.abort(error as GrpcError);
    }
  }

  protected done(): void {
    const error = this.error(this.#count === 1 && this.#reader.idle);
    if (error === undefined) this.#resolve(this.#message as Buffer);
    else this.#reject(error);
  }
}

/** A call that streams in one or both directions. The iteration throws GrpcError unless the server ends with OK or the caller cancels. */
export function streamingCall(connection: Connection, path: string, options: CallOptions): GrpcStream {
  return new StreamingCall(connection, path, options, false);
}

class StreamingCall extends Call implements GrpcStream {
  /** what came and was not read yet */
  #pieces: Buffer[] = [];
  #isDone = false;
  #isCancelled = false;
  #wake: (() => void) | undefined;

  data(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }

  protected done(): void {
    this.#isDone = true;
    this.#wake?.();
  }

  send(message: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (): void => reject(this.error(false));
      if (this.stream.closed) failed();
      else this.stream.write(checkedFrame(message, this.options), false, () => (this.stream.closed ? failed() : resolve()));
    });
  }

  end(): void {
    this.stream.end();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.stream.reset(errorCode.cancel);
    this.#drop();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Buffer[], void, undefined> {
    const reader = new FrameReader(this.options.maxReceiveBytes);
    try {
      for (;;) {
        while (this.#pieces.length === 0 && !this.#isDone) await this.#more();
        if (this.#pieces.length === 0 || this.#isCancelled) break;
        const batch = this.#read(reader);
        if (batch.length > 0) yield batch;
      }
    } finally {
      this.stream.reset(errorCode.cancel);
      this.#drop();
    }
    const error = this.error(reader.idle);
    if (error !== undefined && !this.#isCancelled) throw error;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** All that came. */
  #read(reader: FrameReader): readonly Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    const batch: Buffer[] = [];
    let bytes = 0;
    for (const piece of pieces) {
      bytes += piece.length;
      for (const message of reader.push(piece)) batch.push(message);
    }
    this.stream.giveBack(bytes);
    return batch;
  }

  /** What will not be read must not take up the window that all calls share. */
  #drop(): void {
    for (const piece of this.#pieces) this.stream.giveBack(piece.length);
    this.#pieces = [];
  }
}

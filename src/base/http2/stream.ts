// RFC 9113, section 5. Upstream: golang.org/x/net/http2/server.go#stream
import { BodyBuffer } from './body-buffer.ts';
import { errorCode } from './frames.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { RequestFields } from './request-fields.ts';
import { SendQueue } from './send-queue.ts';

/** What reads the body of a request. */
export interface BodyReader {
  /** False: enough for now; `Http2Stream.readOn()` asks for more. */
  data(piece: Buffer): boolean;
  end(): void;
  /** The rest will not come. */
  broken(): void;
}

/** What is done with a request. */
export interface StreamUser {
  /** the body has come to its end */
  bodyArrived(): void;
  /** the stream is over, whatever became of it, or its response is: nothing is sent any more, and what is received is dropped */
  released(): void;
}

/** What a stream asks of its connection. */
export interface StreamConnection {
  sendHeaders(stream: Http2Stream, status: number, headers: OutgoingFields, end: boolean): void;
  /** Asks for the body of a request that waits for that. */
  sendContinue(stream: Http2Stream): void;
  /** Sends it at once, if there is room for all of it and nothing waits before it. */
  sendNow(stream: Http2Stream, bytes: Buffer, stay: boolean): boolean;
  /** There is something in `stream.queue`, or its end is to be sent. */
  sendQueued(stream: Http2Stream): void;
  reset(stream: Http2Stream, code: number): void;
  /** So many bytes of its body were read. */
  giveBack(stream: Http2Stream, bytes: number): void;
}

export type OutgoingFields = Readonly<Record<string, string | readonly string[]>>;

/** Bytes that a stream takes before it says that it has enough. */
const highWaterMark = 64 << 10;

const resolved = Promise.resolve();

/** One request and its response. */
export class Http2Stream {
  readonly id: number;
  /** undefined where the list was larger than it may be, and was not read to its end */
  readonly fields: RequestFields | undefined;
  /** header lines as they came: name, value, name, value */
  readonly lines: readonly string[];
  user: StreamUser | undefined;
  /** the client has sent everything */
  remoteEnded: boolean;
  /** everything was sent */
  localEnded = false;
  /** everything is queued, at least */
  isEnding = false;
  hasHeaders = false;
  closed = false;
  /** with which it was reset, by whom ever */
  code: number = errorCode.none;
  /** bytes that the client takes */
  sendWindow: number;
  /** what could not be sent at once */
  queue: SendQueue | undefined;
  readonly #connection: StreamConnection;
  #received = 0;
  #window: ReceiveWindow | undefined;
  readonly #windowSize: number;
  #buffer: BodyBuffer | undefined;
  #reader: BodyReader | undefined;
  #isReading = false;
  #isDiscarding = false;
  #isReleased = false;
  #whenClosed: (() => void)[] | undefined;
  #whenDrained: (() => void)[] | undefined;

  constructor(
    connection: StreamConnection,
    id: number,
    fields: RequestFields | undefined,
    lines: readonly string[],
    ended: boolean,
    sendWindow: number,
    receiveWindow: number,
  ) {
    this.#connection = connection;
    this.id = id;
    this.fields = fields;
    this.lines = lines;
    this.remoteEnded = ended;
    this.sendWindow = sendWindow;
    this.#windowSize = receiveWindow;
  }

  // The request

  /** What a frame of `length` bytes brought. Returns the error that it is, 0 for none. */
  receive(data: Buffer, length: number, end: boolean): number {
    this.#received += data.length;
    const { contentLength = -1 } = this.fields ?? {};
    if (contentLength >= 0 && (this.#received > contentLength || (end && this.#received < contentLength))) return errorCode.protocol;
    this.#window ??= new ReceiveWindow(this.#windowSize);
    if (!this.#window.take(length)) return errorCode.flowControl;
    if (data.length > 0) this.#take(data);
    // What was only padding is given back at once.
    if (length > data.length) this.#connection.giveBack(this, length - data.length);
    if (end) this.end();
    else if (this.#received === contentLength && this.#isReading) this.#endReader();
    return errorCode.none;
  }

  /** The client has sent everything. */
  end(): void {
    this.remoteEnded = true;
    this.user?.bodyArrived();
    if (this.#isReading && this.#unread === 0) this.#endReader();
  }

  /** The body is not shorter than the request says, if it says that. */
  get mayEnd(): boolean {
    const { contentLength = -1 } = this.fields ?? {};
    return contentLength < 0 || this.#received === contentLength;
  }

  /** All of the body has come, though that may not have been said yet. */
  get isComplete(): boolean {
    return this.remoteEnded || this.#received === this.fields?.contentLength;
  }

  /** By how much the window is to grow now that so much was read; 0: not yet, or no more is to come. */
  windowUpdate(bytes: number): number {
    return this.remoteEnded || this.closed ? 0 : (this.#window?.give(bytes) ?? 0);
  }

  /** Gives the body to `reader`, what has come of it at once. */
  read(reader: BodyReader): void {
    this.#reader = reader;
    const isAwaited = this.fields?.headers['expect'] === '100-continue';
    if (isAwaited && !this.isComplete && this.#received === 0 && !this.hasHeaders && !this.closed) this.#connection.sendContinue(this);
    this.readOn();
  }

  readOn(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#isReading) return;
    this.#isReading = true;
    if (this.#unread > 0) this.#deliver((this.#buffer as BodyBuffer).take());
    if (!this.#isReading) return;
    if (this.isComplete) this.#endReader();
    else if (this.closed) reader.broken();
  }

  /** The body is not wanted: what has come and what is to come of it is dropped. */
  discard(): void {
    this.#reader = undefined;
    this.#isDiscarding = true;
    if (this.#unread > 0) this.#connection.giveBack(this, (this.#buffer as BodyBuffer).take().length);
  }

  get #unread(): number {
    return this.#buffer?.length ?? 0;
  }

  #take(data: Buffer): void {
    if (this.#isDiscarding) this.#connection.giveBack(this, data.length);
    else if (this.#isReading) this.#deliver(data);
    else (this.#buffer ??= new BodyBuffer()).add(data);
  }

  #deliver(data: Buffer): void {
    this.#isReading = (this.#reader as BodyReader).data(data);
    this.#connection.giveBack(this, data.length);
  }

  #endReader(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#isReading = false;
    reader?.end();
  }

  // The response

  respond(status: number, headers: OutgoingFields, end: boolean): void {
    if (this.closed || this.hasHeaders) return;
    this.hasHeaders = true;
    this.isEnding = end;
    this.#connection.sendHeaders(this, status, headers, end);
  }

  /** False: the client is slower than we are. `flushed` is called when the bytes are no longer needed. */
  write(bytes: Buffer, flushed?: () => void): boolean {
    if (this.closed || this.isEnding) {
      flushed?.();
      return true;
    }
    if (bytes.length === 0 || this.#connection.sendNow(this, bytes, flushed === undefined)) {
      flushed?.();
      return true;
    }
    (this.queue ??= new SendQueue()).add(bytes, flushed);
    this.#connection.sendQueued(this);
    return this.queued < highWaterMark;
  }

  /** `bytes`, if there are any, are the last. */
  finish(bytes?: Buffer): void {
    if (this.closed || this.isEnding) return;
    this.isEnding = true;
    if (bytes !== undefined && bytes.length > 0) {
      if (this.#connection.sendNow(this, bytes, false)) return;
      (this.queue ??= new SendQueue()).add(bytes, undefined);
    }
    this.#connection.sendQueued(this);
  }

  /** bytes that wait */
  get queued(): number {
    return this.queue?.length ?? 0;
  }

  /** Resolves when nothing is queued, or nothing will be sent. */
  drained(): Promise<void> {
    if (this.closed || this.queued === 0) return resolved;
    return new Promise((resolve) => (this.#whenDrained ??= []).push(resolve));
  }

  /** The connection has sent what was queued. */
  emptied(): void {
    const waiting = this.#whenDrained;
    if (waiting === undefined) return;
    this.#whenDrained = undefined;
    for (const resolve of waiting) resolve();
  }

  // Both

  reset(code: number): void {
    if (!this.closed) this.#connection.reset(this, code);
  }

  /** `callback` is called when the stream is over; not before what is being done is. */
  onClose(callback: () => void): void {
    if (this.closed) callback();
    else (this.#whenClosed ??= []).push(callback);
  }

  /** The connection has let go of it. */
  close(code: number): void {
    this.closed = true;
    this.code = code;
    this.queue?.clear();
    this.emptied();
    const reader = this.#reader;
    this.#reader = undefined;
    // What has come is for a reader that is slow; what has not is not waited for.
    if (reader !== undefined && !(this.isComplete && code === errorCode.none)) reader.broken();
    else this.#reader = reader;
    if (this.#whenClosed !== undefined) process.nextTick(callAll, this.#whenClosed);
    this.release();
  }

  /** There is nothing more to do for it, though the client may still have something to send. */
  release(): void {
    if (this.#isReleased || this.user === undefined) return;
    this.#isReleased = true;
    this.user.released();
  }
}

function callAll(callbacks: readonly (() => void)[]): void {
  for (const callback of callbacks) callback();
}

// RFC 9113, section 5. Upstream: golang.org/x/net/http2/transport.go#clientStream
import type { SendingStream } from './data-sender.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendQueue } from './send-queue.ts';

/** What a response is for. */
export interface ClientStreamUser {
  /** Headers or trailers came: names and values in turn. */
  headers(lines: readonly string[]): void;
  /** Part of the body came. `ClientStream.giveBack()` says how much of it was read, so that more may come. */
  data(piece: Buffer): void;
  /** The stream is over. `code`: with which it was reset, by whom ever. */
  closed(code: number): void;
}

/** What a stream asks of its connection. */
export interface ClientStreamConnection {
  /** Sends it at once, if there is room for all of it and nothing waits before it. */
  sendNow(stream: ClientStream, bytes: Buffer): boolean;
  /** There is something in `stream.queue`, or its end is to be sent. */
  sendQueued(stream: ClientStream): void;
  reset(stream: ClientStream, code: number): void;
  /** So many bytes of its body were read. */
  giveBack(stream: ClientStream, bytes: number): void;
}

/** One request and its response, as the client sees them. */
export class ClientStream implements SendingStream {
  readonly user: ClientStreamUser;
  /** of its request, until it was sent */
  lines: readonly string[] | undefined;
  /** 0: it waits for others to end, and nothing of it was sent */
  id = 0;
  sendWindow = 0;
  queue: SendQueue | undefined;
  isEnding: boolean;
  localEnded: boolean;
  closed = false;
  readonly #connection: ClientStreamConnection;
  readonly #window: ReceiveWindow;

  /** `isWhole`: there is no body */
  constructor(
    connection: ClientStreamConnection,
    lines: readonly string[],
    user: ClientStreamUser,
    receiveWindow: number,
    isWhole: boolean,
  ) {
    this.#connection = connection;
    this.lines = lines;
    this.user = user;
    this.isEnding = this.localEnded = isWhole;
    this.#window = new ReceiveWindow(receiveWindow);
  }

  /** bytes that wait */
  get queued(): number {
    return this.queue?.length ?? 0;
  }

  /** `end`: there is no more. `flushed` is called when the bytes are no longer needed, though the stream may be over then. */
  write(bytes: Buffer, end: boolean, flushed?: () => void): void {
    this.isEnding = end;
    if (this.id !== 0 && this.#connection.sendNow(this, bytes)) {
      flushed?.();
      return;
    }
    (this.queue ??= new SendQueue()).add(bytes, flushed);
    if (this.id !== 0) this.#connection.sendQueued(this);
  }

  /** There is no more to send. */
  end(): void {
    if (this.closed || this.isEnding) return;
    this.isEnding = true;
    if (this.id !== 0) this.#connection.sendQueued(this);
  }

  reset(code: number): void {
    if (!this.closed) this.#connection.reset(this, code);
  }

  giveBack(bytes: number): void {
    this.#connection.giveBack(this, bytes);
  }

  /** False: the server had no leave to send so much. */
  take(bytes: number): boolean {
    return this.#window.take(bytes);
  }

  /** By how much the window is to grow now that so much was read; 0: not yet. */
  windowUpdate(bytes: number): number {
    return this.closed ? 0 : this.#window.give(bytes);
  }

  emptied(): void {}

  /** The connection has let go of it. */
  close(code: number): void {
    this.closed = true;
    this.queue?.clear();
    this.user.closed(code);
  }
}

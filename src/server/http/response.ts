import type { Request } from './request.ts';

export type OutgoingHeaders = Record<string, string | string[]>;

/** A body that is produced while it is sent. */
export interface BodySink {
  /** false: the client is slower than we are; wait for `drained()` before writing on. `flushed`: the bytes are no longer needed. */
  write(chunk: Buffer, flushed?: () => void): boolean;
  drained(): Promise<void>;
  /** bytes accepted but not yet handed to the socket */
  readonly pending: number;
  /** the client went away; writes are dropped */
  readonly closed: boolean;
  onClose(callback: () => void): void;
  /** each write is a message of its own: chunks must not be joined */
  readonly separate?: boolean;
}

export type StreamBody = (sink: BodySink) => Promise<void>;

export interface Response {
  readonly status: number;
  readonly headers: Readonly<OutgoingHeaders>;
  readonly body?: Buffer | StreamBody;
  /** takes the connection over instead of responding (WebSocket, SPDY) */
  readonly upgrade?: (socket: import('node:stream').Duplex, head: Buffer) => void;
}

export type Handler<R extends Request = Request> = (request: R) => Response | Promise<Response>;

/** Stands before a handler: takes requests of one stage and hands on those of another. */
export type Filter<In extends Request = Request, Out extends In = In> = (next: Handler<Out>) => Handler<In>;

/** A page as Go's handlers write one, of a type that they name. */
export function pageResponse(text: string, contentType: string): Response {
  return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(text) };
}

export function textResponse(status: number, text: string, headers: OutgoingHeaders = {}): Response {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: Buffer.from(text),
  };
}

// One HTTP/2 stream as a request source and a place to send the response to.
import type { Readable } from 'node:stream';
import { errorCode } from '../../base/http2/frames.ts';
import type { Http2Stream, StreamUser } from '../../base/http2/stream.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { BodyCollector, StreamedBody } from './http2-body.ts';
import type { IncomingHeaders } from './request.ts';
import type { BodySink, OutgoingHeaders, Response } from './response.ts';

const noBody = Buffer.alloc(0);
const noHeaders: IncomingHeaders = {};

/** What is to hear how exchanges go on. */
export interface ExchangeOwner {
  bodyArrived(): void;
  released(exchange: Http2Exchange): void;
}

export class Http2Exchange implements Exchange, StreamUser {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/2.0' as const;
  readonly headers: IncomingHeaders;
  readonly lines: readonly string[];
  readonly connection: Connection;
  readonly oversized: boolean;
  sendBy: number | undefined;
  readonly #stream: Http2Stream;
  readonly #owner: ExchangeOwner;
  #body: StreamedBody | undefined;
  readonly #hasBody: boolean;

  constructor(stream: Http2Stream, connection: Connection, owner: ExchangeOwner) {
    this.#stream = stream;
    this.#owner = owner;
    this.connection = connection;
    this.lines = stream.lines;
    const { fields } = stream;
    this.oversized = fields === undefined;
    this.method = fields?.method ?? 'GET';
    this.target = fields?.path ?? '/';
    this.headers = fields?.headers ?? noHeaders;
    this.#hasBody = !stream.remoteEnded;
  }

  get id(): number {
    return this.#stream.id;
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  /** it did not come to its end: the client took it back, or it was refused */
  get reset(): boolean {
    return this.#stream.code !== errorCode.none;
  }

  /** the same before there was a response to it */
  get abandoned(): boolean {
    return this.reset && !this.#stream.hasHeaders;
  }

  bodyArrived(): void {
    this.#owner.bodyArrived();
  }

  released(): void {
    this.#owner.released(this);
  }

  readBody(limit: number): Promise<Buffer | undefined> {
    if (!this.#hasBody) return Promise.resolve(noBody);
    const stream = this.#stream;
    if ((stream.fields?.contentLength ?? -1) > limit) {
      stream.discard();
      return Promise.resolve(undefined);
    }
    const collector = new BodyCollector(stream, limit);
    return collector.promise;
  }

  /** There is one, and more of it is to come. */
  get uploads(): boolean {
    return !this.#stream.remoteEnded && !this.#stream.closed;
  }

  get hasBody(): boolean {
    return this.#hasBody;
  }

  get body(): Readable | undefined {
    if (!this.#hasBody) return undefined;
    return (this.#body ??= new StreamedBody(this.#stream));
  }

  onClose(callback: () => void): void {
    this.#stream.onClose(callback);
  }

  async send(response: Response, outgoing: OutgoingHeaders): Promise<void> {
    const stream = this.#stream;
    // HTTP/2 has no such header. As in Go, it is how a handler says that this request is the connection's last.
    if (outgoing['connection'] !== undefined) {
      if (outgoing['connection'] === 'close') this.connection.retiring = true;
      delete outgoing['connection'];
    }
    if (stream.closed) return;
    const { body, status } = response;
    if (Buffer.isBuffer(body)) outgoing['content-length'] = String(body.length);
    if (body === undefined || this.method === 'HEAD' || status === 204 || status === 304) {
      stream.respond(status, outgoing, true);
    } else if (Buffer.isBuffer(body)) {
      stream.respond(status, outgoing, false);
      stream.finish(body);
    } else {
      stream.respond(status, outgoing, false);
      await body(new Http2Sink(stream));
      stream.finish();
    }
  }

  /** Ends the stream hard: the response cannot be completed. */
  fail(): void {
    this.#stream.reset(errorCode.internal);
  }

  /** Nothing was done for it: the client may send it again on another connection. */
  decline(): void {
    this.#stream.reset(errorCode.refusedStream);
  }

  /** It is no request, though it has the form of one. */
  refuse(): void {
    this.#stream.reset(errorCode.protocol);
  }
}

class Http2Sink implements BodySink {
  readonly #stream: Http2Stream;

  constructor(stream: Http2Stream) {
    this.#stream = stream;
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    return this.#stream.write(chunk, flushed);
  }

  drained(): Promise<void> {
    return this.#stream.drained();
  }

  get pending(): number {
    return this.#stream.queued;
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  onClose(callback: () => void): void {
    this.#stream.onClose(callback);
  }
}

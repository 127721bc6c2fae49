// One HTTP/2 stream as a request source and a place to send the response to. Uses node:http2's stream API: the compat layer costs a third more.
import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { collectBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import * as limits from './limits.ts';
import type { IncomingHeaders } from './request.ts';
import type { OutgoingHeaders, Response } from './response.ts';
import { WritableSink } from './sink.ts';

const nothing = (): void => {};
const noBody = Buffer.alloc(0);

function resume(this: ServerHttp2Stream): void {
  this.resume();
}

/** Whether node takes the headers of a response as a list, which it need not copy; older ones take a dictionary only. */
const takesLines = Number.parseInt(process.versions.node, 10) >= 26;

export class Http2Exchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/2.0' as const;
  readonly headers: IncomingHeaders;
  readonly lines: readonly string[];
  readonly connection: Connection;
  readonly #stream: ServerHttp2Stream;
  #isRead = false;
  #bodyRead = nothing;
  oversized = false;
  sendBy: number | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, lines: readonly string[], connection: Connection) {
    this.#stream = stream;
    this.method = headers[':method'] as string;
    // CONNECT has none, and is a request for the path "".
    this.target = headers[':path'] ?? '';
    this.headers = headers;
    this.lines = lines;
    this.connection = connection;
    stream.on('error', nothing); // resets by the client end the stream; those that wait for it get its close event
  }

  get id(): number {
    return this.#stream.id ?? 0;
  }

  /** `bodyRead` is called when the body, if there is one, has come; `released` when the stream is over. */
  own(bodyRead: () => void, released: () => void): void {
    this.#bodyRead = bodyRead;
    if (!this.#stream.endAfterHeaders) this.#stream.on('end', bodyRead);
    this.#stream.on('close', released);
  }

  /** Counts the bytes of its headers, which is done where they might be too many. */
  measure(): void {
    let size = 0;
    for (const name in this.headers) {
      const value = this.headers[name];
      for (const one of Array.isArray(value) ? value : [value ?? '']) size += name.length + one.length + limits.fieldOverhead;
    }
    this.oversized = size > limits.maxHeaderListSize;
  }

  /** CONNECT has no scheme; others have http, https or none. */
  get foreign(): boolean {
    const scheme = this.headers[':scheme'];
    return scheme !== 'https' && scheme !== 'http' && this.method !== 'CONNECT';
  }

  get closed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  /** it did not come to its end: the client took it back, or it was refused */
  get reset(): boolean {
    return this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  }

  async readBody(limit: number): Promise<Buffer | undefined> {
    const stream = this.#stream;
    if (stream.endAfterHeaders) return noBody;
    try {
      // Node destroys a stream whose end was read before it is written to the end, and makes an error for the write: that costs as much as a get.
      return await collectBody(stream, limit, this.headers['content-length'], true);
    } finally {
      this.#isRead = true;
      // The stream ends later: its end is not read before the response is sent.
      this.#bodyRead();
      if (stream.writableFinished) stream.resume();
      else stream.on('finish', resume);
    }
  }

  /** more of it is to come */
  get uploads(): boolean {
    return !this.#stream.endAfterHeaders && !this.#stream.readableEnded && !this.#isRead;
  }

  get body(): Readable | undefined {
    return this.#stream.endAfterHeaders ? undefined : this.#stream;
  }

  onClose(callback: () => void): void {
    if (this.closed) callback();
    else this.#stream.once('close', callback);
  }

  async send(response: Response, outgoing: OutgoingHeaders): Promise<void> {
    const stream = this.#stream;
    // HTTP/2 has no such header. As in Go, it is how a handler says that this request is the connection's last.
    if (outgoing['connection'] !== undefined) {
      if (outgoing['connection'] === 'close') this.connection.retiring = true;
      delete outgoing['connection'];
    }
    if (stream.destroyed || stream.closed) return;
    const { body } = response;
    if (Buffer.isBuffer(body)) outgoing['content-length'] = String(body.length);
    const headers = takesLines ? linesOf(response.status, outgoing) : { ':status': response.status, ...outgoing };
    if (body === undefined || this.method === 'HEAD') {
      stream.respond(headers, { endStream: true });
    } else if (Buffer.isBuffer(body)) {
      stream.respond(headers);
      stream.end(body);
    } else {
      stream.respond(headers);
      await body(new WritableSink(stream));
      if (!stream.destroyed) stream.end();
    }
  }

  /** Ends the stream hard: the response cannot be completed. */
  fail(): void {
    if (!this.closed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Nothing was done for it: the client may send it again on another connection. */
  decline(): void {
    if (!this.closed) this.#stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  /** It is no request, though it has the form of one. */
  refuse(): void {
    if (!this.closed) this.#stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
  }
}

function linesOf(status: number, headers: OutgoingHeaders): string[] {
  const lines = [':status', String(status)];
  for (const name in headers) {
    const value = headers[name] as string | string[];
    if (typeof value === 'string') lines.push(name, value);
    else for (const one of value) lines.push(name, one);
  }
  return lines;
}

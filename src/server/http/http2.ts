// One HTTP/2 stream as a request source and a place to send the response to. Uses node:http2's stream API: the compat layer costs a third more.
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { collectBody } from './body.ts';
import type { IncomingHeaders, RequestSource } from './request.ts';
import type { OutgoingHeaders, Response } from './response.ts';
import { WritableSink } from './sink.ts';

export class Http2Exchange implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'HTTP/2.0' as const;
  readonly headers: IncomingHeaders;
  readonly lines: readonly string[];
  readonly connection: Connection;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, lines: readonly string[], connection: Connection) {
    this.#stream = stream;
    this.method = headers[':method'] as string;
    // CONNECT has none, and is a request for the path "".
    this.target = headers[':path'] ?? '';
    this.headers = headers;
    this.lines = lines;
    this.connection = connection;
  }

  readBody(limit: number): Promise<Buffer | undefined> {
    return collectBody(this.#stream, limit, this.headers['content-length']);
  }

  get body(): Readable | undefined {
    return this.#stream.endAfterHeaders ? undefined : this.#stream;
  }

  onClose(callback: () => void): void {
    if (this.#stream.closed || this.#stream.destroyed) callback();
    else this.#stream.once('close', callback);
  }

  async send(response: Response, outgoing: OutgoingHeaders): Promise<void> {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    const { body } = response;
    const headers: Record<string, string | string[] | number> = outgoing;
    headers[':status'] = response.status;
    if (Buffer.isBuffer(body)) headers['content-length'] = body.length;
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

  /** Ends the stream hard: the answer cannot be completed. */
  fail(): void {
    this.#stream.close(2 /* INTERNAL_ERROR */);
  }
}

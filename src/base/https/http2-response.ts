import type { IncomingHttpHeaders } from 'node:http';
import type { ClientHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import type { IncomingResponse } from './exchange.ts';

/** NGHTTP2_CANCEL */
const cancel = 8;

/** The response on a stream of HTTP/2. A reader that destroys it no longer wants the rest: the stream is reset. Trailers are left out. */
export class Http2Response extends Readable implements IncomingResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders = {};
  readonly headersDistinct: NodeJS.Dict<string[]> = {};
  readonly #stream: ClientHttp2Stream;

  /** `reason`: why the stream ended before the response did */
  constructor(stream: ClientHttp2Stream, status: number, rawHeaders: readonly string[], reason: () => Error) {
    super();
    this.#stream = stream;
    this.statusCode = status;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] as string;
      if (name.startsWith(':')) continue;
      const values = (this.headersDistinct[name] ??= []);
      values.push(rawHeaders[at + 1] as string);
      if (name !== 'set-cookie') this.headers[name] = values.join(', ');
    }
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    // A stream whose session is gone ends too, with a code.
    stream.once('end', () => {
      if (stream.rstCode === 0) this.push(null);
      else this.destroy(reason());
    });
    stream.once('close', () => {
      if (!stream.readableEnded) this.destroy(reason());
    });
    stream.pause();
    // A reader that comes later gets the error as well; until then there is no listener.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#stream.closed) this.#stream.close(cancel);
    // What is still on its way is thrown away, or the stream would never close.
    this.#stream.resume();
    done(error);
  }
}

import { Readable } from 'node:stream';
import { BodyBuffer } from '../../base/http2/body-buffer.ts';
import type { BodyReader, Http2Stream } from '../../base/http2/stream.ts';

/** The whole body of a request; undefined when it is larger than `limit`. Rejects when the client breaks off. */
export class BodyCollector implements BodyReader {
  readonly promise: Promise<Buffer | undefined>;
  readonly #stream: Http2Stream;
  readonly #limit: number;
  readonly #bytes = new BodyBuffer();
  readonly #resolve: (body: Buffer | undefined) => void;
  readonly #reject: (error: Error) => void;

  constructor(stream: Http2Stream, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    stream.read(this);
  }

  data(piece: Buffer): boolean {
    if (this.#bytes.length + piece.length > this.#limit) {
      this.#bytes.take();
      this.#resolve(undefined);
      this.#stream.discard();
      return false;
    }
    this.#bytes.add(piece);
    return true;
  }

  end(): void {
    this.#resolve(this.#bytes.take());
  }

  broken(): void {
    this.#reject(brokenOff());
  }
}

/** The body as it arrives. It is read when it is asked for. */
export class StreamedBody extends Readable implements BodyReader {
  readonly #stream: Http2Stream;
  #isBegun = false;

  constructor(stream: Http2Stream) {
    super();
    this.#stream = stream;
  }

  override _read(): void {
    if (this.#isBegun) {
      this.#stream.readOn();
    } else {
      this.#isBegun = true;
      this.#stream.read(this);
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.readableEnded) this.#stream.discard();
    callback(error);
  }

  data(piece: Buffer): boolean {
    return this.push(piece);
  }

  end(): void {
    this.push(null);
  }

  broken(): void {
    this.destroy(brokenOff());
  }
}

function brokenOff(): Error {
  return new Error('the client broke off while sending the body');
}

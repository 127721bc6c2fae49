import type { Writable } from 'node:stream';
import type { BodySink } from './response.ts';

/** A body written to an HTTP/2 stream or an HTTP/1.1 response, with its back-pressure. */
export class WritableSink implements BodySink {
  readonly #out: Writable;

  constructor(out: Writable) {
    this.#out = out;
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    if (!this.#out.destroyed) return this.#out.write(chunk, flushed);
    flushed?.();
    return true;
  }

  drained(): Promise<void> {
    const out = this.#out;
    if (out.destroyed || !out.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        out.off('drain', done);
        out.off('close', done);
        resolve();
      };
      out.once('drain', done);
      out.once('close', done);
    });
  }

  get pending(): number {
    return this.#out.writableLength;
  }

  get closed(): boolean {
    return this.#out.destroyed;
  }

  onClose(callback: () => void): void {
    if (this.#out.destroyed) callback();
    else this.#out.once('close', callback);
  }
}

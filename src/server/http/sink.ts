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

/** Stands before another sink, and is the same as that; what is derived from it changes something. */
export class OuterSink implements BodySink {
  protected readonly inner: BodySink;

  constructor(inner: BodySink) {
    this.inner = inner;
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    return this.inner.write(chunk, flushed);
  }

  drained(): Promise<void> {
    return this.inner.drained();
  }

  get pending(): number {
    return this.inner.pending;
  }

  get closed(): boolean {
    return this.inner.closed;
  }

  get separate(): boolean {
    return this.inner.separate === true;
  }

  onClose(callback: () => void): void {
    this.inner.onClose(callback);
  }
}

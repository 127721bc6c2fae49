import { Duplex } from 'node:stream';

/** A connection that is still being made, where one is wanted at once. It says `connect` when it is there. */
export class DialedSocket extends Duplex {
  connecting = true;
  #inner: Duplex | undefined;
  /** what waits for the connection */
  #started: (() => void) | undefined;

  constructor(dialing: Promise<Duplex>) {
    super({ allowHalfOpen: true });
    dialing.then(
      (inner) => this.#dialed(inner),
      (error: Error) => this.destroy(error),
    );
  }

  #dialed(inner: Duplex): void {
    if (this.destroyed) {
      inner.destroy();
      return;
    }
    this.#inner = inner;
    this.connecting = false;
    inner.on('readable', () => this.#pull());
    inner.on('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.on('close', () => this.destroy());
    this.emit('connect');
    this.#started?.();
    this.#pull();
  }

  override _read(): void {
    this.#pull();
  }

  #pull(): void {
    const inner = this.#inner;
    if (inner === undefined || this.destroyed) return;
    for (let chunk: unknown = inner.read(); Buffer.isBuffer(chunk); chunk = inner.read()) if (!this.push(chunk)) return;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const inner = this.#inner;
    if (inner === undefined) this.#started = () => this._write(chunk, encoding, done);
    else inner.write(chunk, (error) => done(error));
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#inner === undefined) this.#started = () => this._final(done);
    else this.#inner.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }
}

// Upstream: k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go, github.com/mxk/go-flowrate/flowrate
import { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';

/** pieces per second that a limit is cut into */
const piecesPerSecond = 10;

/** One direction: how many bytes may pass now, and when more may. */
class Allowance {
  readonly #clock: Clock;
  readonly piece: number;
  readonly #msPerByte: number;
  #freeAt: number;
  timer: Disposable | undefined;

  constructor(bytesPerSecond: number, clock: Clock) {
    this.#clock = clock;
    this.piece = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
    this.#msPerByte = 1000 / bytesPerSecond;
    this.#freeAt = clock.now();
  }

  /** Calls back when what has passed before has had its time, and takes the time of these bytes. */
  take(bytes: number, then: () => void): void {
    const now = this.#clock.now();
    const wait = this.#freeAt - now;
    this.#freeAt = Math.max(now, this.#freeAt) + bytes * this.#msPerByte;
    if (wait <= 0) then();
    else this.timer = this.#clock.setTimeout(then, wait);
  }
}

/** The same connection, of which no more than so many bytes per second pass, each way. The other end is slowed down, nothing is kept. */
export class PacedSocket extends Duplex {
  readonly #inner: Duplex;
  readonly #incoming: Allowance;
  readonly #outgoing: Allowance;

  constructor(inner: Duplex, bytesPerSecond: number, clock: Clock) {
    super({ allowHalfOpen: true });
    this.#inner = inner;
    this.#incoming = new Allowance(bytesPerSecond, clock);
    this.#outgoing = new Allowance(bytesPerSecond, clock);
    inner.on('readable', () => this.#pull());
    inner.on('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.on('close', () => this.destroy());
  }

  #wanted = false;
  #pulling = false;

  override _read(): void {
    this.#wanted = true;
    this.#pull();
  }

  #pull(): void {
    if (!this.#wanted || this.#pulling || this.destroyed) return;
    const chunk = this.#next();
    if (chunk === undefined) return;
    this.#pulling = true;
    this.#incoming.take(chunk.length, () => {
      this.#pulling = false;
      if (this.destroyed) return;
      this.#wanted = this.push(chunk);
      this.#pull();
    });
  }

  /** No more than a piece of what has come. */
  #next(): Buffer | undefined {
    const { piece } = this.#incoming;
    const available = this.#inner.readableLength;
    // An end is found by reading nothing.
    const chunk: unknown = available === 0 ? this.#inner.read() : this.#inner.read(Math.min(piece, available));
    return Buffer.isBuffer(chunk) ? chunk : undefined;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const { piece } = this.#outgoing;
    const rest = (at: number): void => {
      if (this.destroyed || this.#inner.destroyed) return done();
      if (at >= chunk.length) return done();
      const part = chunk.subarray(at, at + piece);
      this.#outgoing.take(part.length, () => {
        if (this.#inner.destroyed) return done();
        if (this.#inner.write(part)) rest(at + piece);
        else this.#inner.once('drain', () => rest(at + piece));
      });
    };
    rest(0);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#inner.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#incoming.timer?.[Symbol.dispose]();
    this.#outgoing.timer?.[Symbol.dispose]();
    this.#inner.destroy();
    done(error);
  }
}

import type { Duplex } from 'node:stream';
import type { OutputPool, TurnOutput } from './output-pool.ts';

const nothing = Buffer.alloc(0);
const firstSize = 1 << 10;
/** Frames that do not change are copied to go out together up to this size. */
const largestCopied = 8 << 10;

/** What gets the bytes, and is asked for more when there is room for them. */
export interface OutputOwner {
  /** everything was handed over, and the socket takes more */
  roomForMore(): void;
}

/**
 * Frames on their way to the socket. What is written in one turn of the event loop goes out together: TLS makes a record of it, and the system
 * is called once.
 */
export class Output implements TurnOutput {
  readonly #socket: Duplex;
  readonly #pool: OutputPool;
  readonly #owner: OutputOwner;
  /** where frames are written, from `used` on; room for them is asked for before */
  buffer: Buffer = nothing;
  used = 0;
  /** a frame that others send as well, while it is all that was written */
  #whole: Buffer | undefined;
  #isScheduled = false;
  #isBlocked = false;

  constructor(socket: Duplex, pool: OutputPool, owner: OutputOwner) {
    this.#socket = socket;
    this.#pool = pool;
    this.#owner = owner;
    socket.on('drain', () => this.#drained());
  }

  /** The socket has enough for now. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Makes room for so many bytes, which are written to `buffer` at the offset that is returned; `used` is moved by the caller. */
  reserve(bytes: number): number {
    if (this.#whole !== undefined) this.#copyWhole(this.#whole);
    return this.#reserve(bytes);
  }

  /** Writes a frame that is not changed any more: it is copied only if something short is written in the same turn. */
  writeWhole(frame: Buffer): void {
    const before = this.#whole;
    if (before !== undefined && !this.#isBlocked && before.length + frame.length > largestCopied) this.#flushWhole(before);
    if (this.used > 0 || this.#whole !== undefined) {
      this.used = this.reserve(frame.length) + frame.copy(this.buffer, this.used);
      return;
    }
    this.#whole = frame;
    this.#schedule();
  }

  #copyWhole(frame: Buffer): void {
    this.#whole = undefined;
    this.used = this.#reserve(frame.length) + frame.copy(this.buffer, this.used);
  }

  #reserve(bytes: number): number {
    const needed = this.used + bytes;
    if (needed > this.buffer.length) this.#grow(needed);
    this.#schedule();
    return this.used;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#pool.atEndOfTurn(this);
  }

  #grow(needed: number): void {
    const larger = this.#pool.take(Math.max(needed, firstSize, 2 * this.used));
    this.buffer.copy(larger, 0, 0, this.used);
    if (this.buffer.length > 0) this.#pool.give(this.buffer);
    this.buffer = larger;
  }

  /** Hands over what was written, unless the socket has enough. */
  flush(): void {
    if (this.#isBlocked) return;
    if (this.#whole !== undefined) this.#flushWhole(this.#whole);
    if (this.used === 0) return;
    const { buffer, used } = this;
    this.buffer = nothing;
    this.used = 0;
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    const pool = this.#pool;
    if (!this.#socket.write(buffer.subarray(0, used), () => pool.give(buffer))) this.#isBlocked = true;
  }

  #flushWhole(frame: Buffer): void {
    this.#whole = undefined;
    if (!this.#socket.destroyed && !this.#socket.writableEnded && !this.#socket.write(frame)) this.#isBlocked = true;
  }

  endOfTurn(): void {
    this.#isScheduled = false;
    this.flush();
  }

  #drained(): void {
    this.#isBlocked = false;
    this.flush();
    if (!this.#isBlocked) this.#owner.roomForMore();
  }
}

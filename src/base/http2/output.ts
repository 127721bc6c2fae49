import type { Duplex } from 'node:stream';
import type { OutputPool } from './output-pool.ts';

const nothing = Buffer.alloc(0);
const firstSize = 1 << 10;

/** What gets the bytes, and is asked for more when there is room for them. */
export interface OutputOwner {
  /** everything was handed over, and the socket takes more */
  roomForMore(): void;
}

/**
 * Frames on their way to the socket. What is written in one turn of the event loop goes out together: TLS makes a record of it, and the system
 * is called once.
 */
export class Output {
  readonly #socket: Duplex;
  readonly #pool: OutputPool;
  readonly #owner: OutputOwner;
  /** where frames are written, from `used` on; room for them is asked for before */
  buffer: Buffer = nothing;
  used = 0;
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
    const needed = this.used + bytes;
    if (needed > this.buffer.length) this.#grow(needed);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(flush, this);
    }
    return this.used;
  }

  #grow(needed: number): void {
    const wanted = Math.max(needed, firstSize, 2 * this.used);
    const larger = wanted > this.#pool.size || wanted <= this.#pool.least ? Buffer.allocUnsafe(wanted) : this.#pool.take();
    this.buffer.copy(larger, 0, 0, this.used);
    if (this.buffer.length === this.#pool.size) this.#pool.give(this.buffer);
    this.buffer = larger;
  }

  /** Hands over what was written, unless the socket has enough. */
  flush(): void {
    if (this.used === 0 || this.#isBlocked) return;
    const { buffer, used } = this;
    this.buffer = nothing;
    this.used = 0;
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    const bytes = buffer.subarray(0, used);
    const pool = this.#pool;
    const goesOn = buffer.length === pool.size ? this.#socket.write(bytes, () => pool.give(buffer)) : this.#socket.write(bytes);
    if (!goesOn) this.#isBlocked = true;
  }

  /** At the end of the turn. */
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

function flush(output: Output): void {
  output.endOfTurn();
}

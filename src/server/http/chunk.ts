/** Buffers that responses are written into, kept for the next response: allocating them anew made garbage collection the largest cost of lists. */
export class ChunkPool {
  readonly size: number;
  readonly #free: Buffer[] = [];
  readonly #keep: number;
  /** bytes of chunks that were handed over and are still needed */
  onTheWay = 0;

  constructor(size: number, keep: number) {
    this.size = size;
    this.#keep = keep;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.size);
  }

  give(buffer: Buffer): void {
    if (buffer.length === this.size && this.#free.length < this.#keep) this.#free.push(buffer);
  }
}

/** What fills less of its buffer than this part is copied: it may wait for its client, and the buffer is for others. */
const leastFilled = 1 / 4;
/** Most responses are no larger than one of these, and need none of the pool's. */
const small = [4 << 10, 16 << 10];
const nothing = Buffer.alloc(0);

/** A buffer that fills up and is then handed over. */
export class Chunk {
  readonly #pool: ChunkPool;
  readonly #limit: number;
  #buffer: Buffer = nothing;
  #used = 0;

  /** `limit`: bytes after which it is full; Infinity for a chunk that takes everything */
  constructor(pool: ChunkPool, limit: number) {
    this.#pool = pool;
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#used >= this.#limit;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#used += this.#buffer.write(text, this.#used);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#used++] = byte;
  }

  bytes(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#used += bytes.copy(this.#buffer, this.#used);
  }

  /** As much of the bytes, from `start` on, as fits before it is full. Returns where the rest begins. */
  part(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + Math.max(0, this.#limit - this.#used));
    this.#reserve(end - start);
    this.#used += bytes.copy(this.#buffer, this.#used, start, end);
    return end;
  }

  /** For values that can write themselves; `write` gets the buffer and an offset and returns the offset after what it wrote. */
  space(atMost: number, write: (target: Buffer, offset: number) => number): void {
    this.#reserve(atMost);
    this.#used = write(this.#buffer, this.#used);
  }

  /** So little was written that it costs nothing to copy it. */
  get isSmall(): boolean {
    return this.#used < this.#pool.size * leastFilled;
  }

  /** What was written, for good. */
  finish(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#used);
    if (this.#buffer.length !== this.#pool.size) return bytes;
    const copy = Buffer.from(bytes);
    this.#pool.give(this.#buffer);
    this.#buffer = nothing;
    return copy;
  }

  /** What was written, until `release` is called; writing goes on in another buffer, which is taken then: until the client has read, it is for others. */
  hand(): { bytes: Buffer; release: () => void } {
    const buffer = this.#buffer;
    const bytes = buffer.subarray(0, this.#used);
    const pool = this.#pool;
    this.#buffer = nothing;
    this.#used = 0;
    pool.onTheWay += buffer.length;
    const release = (): void => {
      pool.onTheWay -= buffer.length;
      pool.give(buffer);
    };
    return { bytes, release };
  }

  #reserve(bytes: number): void {
    const needed = this.#used + bytes;
    const { length } = this.#buffer;
    if (needed <= length) return;
    const grown = this.#grown(needed, length);
    this.#buffer.copy(grown, 0, 0, this.#used);
    this.#pool.give(this.#buffer);
    this.#buffer = grown;
  }

  #grown(needed: number, length: number): Buffer {
    const size = small.find((one) => needed <= one);
    if (size !== undefined) return Buffer.allocUnsafe(size);
    // Only an object that is larger than a buffer of the pool gets more.
    return needed <= this.#pool.size ? this.#pool.take() : Buffer.allocUnsafeSlow(Math.max(needed, length * 2));
  }
}

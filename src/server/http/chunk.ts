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

const small = 4 << 10;
const middling = 32 << 10;
const nothing = Buffer.alloc(0);

/** A buffer that fills up and is then handed over. Begins small: most responses are. */
export class Chunk {
  readonly #pool: ChunkPool;
  readonly #limit: number;
  #buffer: Buffer;
  #used = 0;
  /** something was handed over: what follows is of that size as well */
  #isLarge = false;

  /** `limit`: bytes after which it is full; Infinity for a chunk that takes everything */
  constructor(pool: ChunkPool, limit: number) {
    this.#pool = pool;
    this.#limit = limit;
    this.#buffer = Buffer.allocUnsafe(small);
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

  /** For values that can write themselves; `write` gets the buffer and an offset and returns the offset after what it wrote. */
  space(atMost: number, write: (target: Buffer, offset: number) => number): void {
    this.#reserve(atMost);
    this.#used = write(this.#buffer, this.#used);
  }

  /** What was written, for good. */
  finish(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#used);
    if (this.#buffer.length !== this.#pool.size) return bytes;
    const copy = Buffer.from(bytes);
    this.#pool.give(this.#buffer);
    return copy;
  }

  /** What was written, until `release` is called; writing goes on in another buffer, which is taken then: until the client has read, it is for others. */
  hand(): { bytes: Buffer; release: () => void } {
    const buffer = this.#buffer;
    const bytes = buffer.subarray(0, this.#used);
    const pool = this.#pool;
    this.#buffer = nothing;
    this.#used = 0;
    this.#isLarge = true;
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
    // A response that outgrows a middling buffer gets one of the pool's; only an object that is larger than that gets more.
    const grown =
      needed <= middling && !this.#isLarge
        ? Buffer.allocUnsafeSlow(middling)
        : needed <= this.#pool.size
          ? this.#pool.take()
          : Buffer.allocUnsafeSlow(Math.max(needed, length * 2));
    this.#buffer.copy(grown, 0, 0, this.#used);
    this.#pool.give(this.#buffer);
    this.#buffer = grown;
  }
}

/** What is written in one turn, and handed over at its end. */
export interface TurnOutput {
  endOfTurn(): void;
}

const smallSize = 8 << 10;
const largeSize = 72 << 10;
const smallKept = 256;
const largeKept = 32;
/** Small buffers that are made in one turn: where hundreds of connections write at once, most get as much as they need. */
const smallMade = 16;

/**
 * What outputs of all connections share. Buffers: what is allocated for responses makes the engine collect the garbage of the whole heap, which took
 * up to a third of the CPU. The end of a turn: an event goes out on hundreds of connections, which need not be called one by one.
 */
export class OutputPool {
  readonly #small: Buffer[] = [];
  readonly #large: Buffer[] = [];
  #smallMade = 0;
  #written: TurnOutput[] = [];
  readonly #defer: (endTurn: () => void) => void;

  /**
   * `defer`: to when callbacks of this connection have run (default), which others of the same turn of the event loop come after, or to the
   * end of that turn, for a connection that many of them write to.
   */
  constructor(defer: (endTurn: () => void) => void = process.nextTick) {
    this.#defer = defer;
  }

  /** Room for so many bytes, at least. */
  take(bytes: number): Buffer {
    if (bytes > largeSize) return Buffer.allocUnsafe(bytes);
    if (bytes > smallSize) return this.#large.pop() ?? Buffer.allocUnsafeSlow(largeSize);
    const small = this.#small.pop();
    if (small !== undefined) return small;
    return ++this.#smallMade > smallMade ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(smallSize);
  }

  /** Nothing reads it any more. */
  give(buffer: Buffer): void {
    if (buffer.length === largeSize) {
      if (this.#large.length < largeKept) this.#large.push(buffer);
    } else if (buffer.buffer.byteLength === smallSize && this.#small.length < smallKept) {
      this.#small.push(buffer);
    }
  }

  /** It is called at the end of this turn. */
  atEndOfTurn(output: TurnOutput): void {
    if (this.#written.push(output) === 1) this.#defer(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    const written = this.#written;
    this.#written = [];
    this.#smallMade = 0;
    let done = 0;
    try {
      while (done < written.length) written[done++]?.endOfTurn();
    } finally {
      // One that fails does not concern the others.
      for (const output of written.slice(done)) this.atEndOfTurn(output);
    }
  };
}

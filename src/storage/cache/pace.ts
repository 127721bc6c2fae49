/** What of the past is sent in one turn of the event loop, in time and in bytes; sockets encrypt these bytes later in the same turn. */
const turnMs = 2;
const turnBytes = 1 << 20;
/** Bytes of the past that wait for clients to read them, of all watches together; and for one of them, at most and at least. */
const waitingBytes = 64 << 20;
const mostWaiting = 1 << 20;
const leastWaiting = 64 << 10;

export interface Paced {
  /** Does a part of its work, and calls `run` again for the next. Never throws. */
  step(): void;
}

/**
 * Watches that are being brought up to the present share each turn of the event loop: thousands that start together take longer, and other
 * requests are served between. One that is alone is not slowed down.
 */
export class Pace {
  readonly #waiting = new Set<Paced>();
  readonly #active = new Set<Paced>();
  #running = false;
  /** when the present turn has had enough; undefined: nothing was sent in it yet */
  #ends: number | undefined;
  #bytes = 0;

  /** Bytes that may wait for the client of one watch before it gets more of the past. */
  get limit(): number {
    return Math.min(mostWaiting, Math.max(leastWaiting, Math.floor(waitingBytes / Math.max(1, this.#active.size))));
  }

  /** watches that are not up to the present */
  get active(): number {
    return this.#active.size;
  }

  /** It has its next step in this turn, or in one of the next. */
  run(paced: Paced): void {
    this.#active.add(paced);
    this.#waiting.add(paced);
    if (!this.#running) this.#proceed();
  }

  /** Counts against the turn. */
  spend(bytes: number): void {
    this.#bytes += Math.max(0, bytes);
  }

  /** There will be no further step. */
  done(paced: Paced): void {
    this.#active.delete(paced);
    this.#waiting.delete(paced);
  }

  #proceed(): void {
    this.#running = true;
    for (const paced of this.#waiting) {
      if (!this.#hasRoom()) break;
      this.#waiting.delete(paced);
      paced.step();
    }
    this.#running = false;
  }

  #hasRoom(): boolean {
    if (this.#ends !== undefined) return this.#bytes < turnBytes && performance.now() < this.#ends;
    this.#ends = performance.now() + turnMs;
    this.#bytes = 0;
    setImmediate(() => {
      this.#ends = undefined;
      if (this.#waiting.size > 0) this.#proceed();
    });
    return true;
  }
}

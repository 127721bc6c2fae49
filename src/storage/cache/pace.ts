/** What of the past is sent in one turn of the event loop, in time and in bytes; sockets encrypt these bytes later in the same turn. */
const turnMs = 2;
const turnBytes = 1 << 20;
/** Bytes of the past that wait for clients to read them, of all watches together; and for one of them, at most and at least. */
const waitingBytes = 64 << 20;
const mostWaiting = 1 << 20;
const leastWaiting = 64 << 10;

/**
 * Watches whose clients are still to read what they got last, and for how long they count: what has gathered for the watches of one connection is
 * encrypted in one go when it can be sent. A client that takes longer is waited for by its own watch alone.
 */
const mostUnread = 16;
const unreadMs = 50;

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
  /** since when, the oldest first */
  readonly #unread = new Map<Paced, number>();
  #wake: NodeJS.Timeout | undefined;
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
    this.#unread.delete(paced);
    this.#waiting.add(paced);
    if (!this.#running) this.#proceed();
  }

  /** It goes on when its client has read. */
  waits(paced: Paced): void {
    this.#unread.set(paced, performance.now());
  }

  /** Counts against the turn. */
  spend(bytes: number): void {
    this.#bytes += Math.max(0, bytes);
  }

  /** There will be no further step. */
  done(paced: Paced): void {
    this.#active.delete(paced);
    this.#waiting.delete(paced);
    if (this.#unread.delete(paced) && !this.#running) this.#proceed();
  }

  #proceed(): void {
    this.#running = true;
    for (const paced of this.#waiting) {
      if (!this.#mayStep() || !this.#hasRoom()) break;
      this.#waiting.delete(paced);
      paced.step();
    }
    this.#running = false;
  }

  /** Whether few enough clients are still to read. */
  #mayStep(): boolean {
    if (this.#unread.size < mostUnread) return true;
    const now = performance.now();
    for (const [paced, since] of this.#unread) {
      if (now - since < unreadMs) break;
      this.#unread.delete(paced);
    }
    if (this.#unread.size < mostUnread) return true;
    if (this.#wake === undefined) {
      this.#wake = setTimeout(() => {
        this.#wake = undefined;
        this.#proceed();
      }, unreadMs).unref();
    }
    return false;
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

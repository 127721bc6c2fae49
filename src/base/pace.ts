import { SliceQueue } from './slice-queue.ts';

/** What work has at least when it begins, though others have used up the slice of the turn: much of it is done then. */
const leastMs = 0.25;

/**
 * Cuts long work into slices: `if (pace.isDue) await pace.rest()` in its loops lets everything else that waits for the event loop have its
 * turn. Work that is short rarely rests and pays for a look at the clock. Work of many shares the queue in which it rests, and its slices.
 */
export class Pace {
  readonly #slices: SliceQueue;
  #until: number;

  constructor(slices = new SliceQueue()) {
    this.#slices = slices;
    this.#until = Math.max(slices.end, performance.now() + leastMs);
  }

  get isDue(): boolean {
    const now = performance.now();
    if (now < this.#until) return false;
    // It may have waited for something else: this is another turn then.
    this.#until = this.#slices.end;
    return now >= this.#until;
  }

  /** What was done now takes so many milliseconds more in this turn, when it is sent for example. */
  owe(milliseconds: number): void {
    this.#until = this.#slices.owe(milliseconds);
  }

  async rest(): Promise<void> {
    await this.#slices.rest();
    this.#until = this.#slices.end;
  }
}

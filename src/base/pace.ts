import { SliceQueue } from './slice-queue.ts';

/** How long work goes on before others have their turn: as long as a few requests take. */
const sliceMs = 2;

/**
 * Cuts long work into slices: `if (pace.isDue) await pace.rest()` in its loops lets everything else that waits for the event loop have its
 * turn. Work that is short never rests and pays for one look at the clock. Work of many shares the queue in which it rests.
 */
export class Pace {
  readonly #slices: SliceQueue;
  readonly #slice: number;
  #until: number;

  constructor(slices = new SliceQueue(), milliseconds = sliceMs) {
    this.#slices = slices;
    this.#slice = milliseconds;
    this.#until = performance.now() + milliseconds;
  }

  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async rest(): Promise<void> {
    await this.#slices.rest();
    this.#until = performance.now() + this.#slice;
  }
}

/**
 * Cuts long work into slices: `if (pace.isDue) await pace.rest()` in its loops lets everything else that waits for the event loop have its
 * turn. Work that is short never rests and pays for one look at the clock.
 */
export class Pace {
  readonly #slice: number;
  #until: number;

  constructor(milliseconds = 10) {
    this.#slice = milliseconds;
    this.#until = performance.now() + milliseconds;
  }

  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#until = performance.now() + this.#slice;
  }
}

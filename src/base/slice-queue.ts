/**
 * Long work of many, cut into slices: those that rest are called back one in each turn of the event loop, in the order in which they came, so
 * that others wait for one slice, however much of such work there is.
 */
export class SliceQueue {
  #resting: (() => void)[] = [];

  rest(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#resting.push(resolve) === 1) this.#callNext();
    });
  }

  #callNext(): void {
    setImmediate(() => {
      this.#resting.shift()?.();
      // What is asked for in this phase of the loop is done in the next turn.
      if (this.#resting.length > 0) this.#callNext();
    });
  }
}

/** How long work goes on in one turn of the event loop before others have theirs: as long as a few requests take. */
const sliceMs = 2;

/**
 * Long work of many, cut into slices. Those that rest are called back in the order in which they came, one in each turn of the event loop and
 * more while its slice lasts; what begins meanwhile shares that slice. Others wait for one slice, however much of such work there is.
 */
export class SliceQueue {
  readonly #slice: number;
  readonly #resting: (() => void)[] = [];
  /** of the slice of this turn; undefined: there was no such work in it yet */
  #end: number | undefined;
  /** the end of the turn is waited for */
  #isWaiting = false;

  constructor(milliseconds = sliceMs) {
    this.#slice = milliseconds;
  }

  /** When the work of this turn is to rest, by the clock of performance.now(). */
  get end(): number {
    if (this.#end === undefined) {
      this.#end = performance.now() + this.#slice;
      this.#awaitNextTurn();
    }
    return this.#end;
  }

  /** What was done now takes so much longer, after the work itself: it counts as if it were a part of it. */
  owe(milliseconds: number): number {
    return (this.#end = this.end - milliseconds);
  }

  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting.push(resolve);
      this.#awaitNextTurn();
    });
  }

  #awaitNextTurn(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#end = undefined;
      if (this.#resting.length === 0) return;
      this.#end = performance.now() + this.#slice;
      // What is asked for in this phase of the loop is done in the next turn.
      this.#awaitNextTurn();
      this.#callBack();
    });
  }

  #callBack(): void {
    this.#resting.shift()?.();
    // When it rests again or waits for something else.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#resting.length > 0 && this.#end !== undefined && performance.now() < this.#end) this.#callBack();
      }),
    );
  }
}

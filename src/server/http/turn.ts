import * as limits from './limits.ts';

/** What requests and strangers of all connections share of one turn of the event loop: what is beyond it waits for the next. */
export class Turn {
  /** until when requests are begun; undefined: none was yet */
  #ends: number | undefined;
  #strangers = 0;
  #strangersFrames = 0;
  #number = 0;

  /** Of this turn; another one in the next. */
  get number(): number {
    this.#begin();
    return this.#number;
  }

  /** Whether there is time for a further request of a connection that has begun one. */
  get hasTime(): boolean {
    return performance.now() < this.#begin();
  }

  /** Whether an unauthenticated request may be begun, which is then taken for begun. */
  admitStranger(): boolean {
    this.#begin();
    return ++this.#strangers <= limits.strangersPerTurn;
  }

  /** Whether more frames of unauthenticated clients may be read after this one. */
  admitStrangersFrame(): boolean {
    this.#begin();
    return ++this.#strangersFrames < limits.allStrangersFramesPerTurn;
  }

  #begin(): number {
    if (this.#ends === undefined) {
      this.#ends = performance.now() + limits.turnMs;
      setImmediate(() => {
        this.#ends = undefined;
        this.#strangers = this.#strangersFrames = 0;
        this.#number++;
      });
    }
    return this.#ends;
  }
}

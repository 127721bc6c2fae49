// Upstream: github.com/google/cel-go/interpreter/frame.go

import type { Value } from './values.ts';

/** Thrown when an evaluation has cost more than its budget allows. */
export class CostLimitExceeded {
  static readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** Thrown when the caller no longer wants the result. */
export class Interrupted {
  static readonly message = 'operation interrupted';
}

const interruptCheckFrequency = 100;

/** State of one evaluation: variables by slot, and what it has cost so far. */
export class Frame {
  readonly slots: (Value | undefined)[];
  cost = 0;
  readonly #limit: number;
  readonly #isCancelled: (() => boolean) | undefined;
  #iterations = 0;

  constructor(slots: (Value | undefined)[], limit: number, isCancelled: (() => boolean) | undefined) {
    this.slots = slots;
    this.#limit = limit;
    this.#isCancelled = isCancelled;
  }

  charge(cost: number): void {
    if ((this.cost += cost) > this.#limit) throw new CostLimitExceeded();
  }

  /** Called once per iteration of a comprehension. */
  iterate(): void {
    if (this.#isCancelled && ++this.#iterations % interruptCheckFrequency === 0 && this.#isCancelled()) throw new Interrupted();
  }
}

/** A compiled node: errors are returned, not thrown. */
export type Evaluate = (frame: Frame) => Value;

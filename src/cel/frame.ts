// Upstream: github.com/google/cel-go/interpreter/frame.go

import type { Value } from './values.ts';

/** Thrown when an evaluation has cost more than its budget allows. */
export class CostLimitExceeded {
  static readonly message = 'operation cancelled: actual cost limit exceeded';
}

/** Thrown when an evaluation has taken as long as it may at a time. */
export class Suspended {}

/** After so much more cost the clock is looked at again: the cheapest operations take some 20 ns. */
const costBetweenLooks = 128;

/** What calls of one scope have returned, by call, and where its loops are. */
export type Journal = Map<object, JournalEntry>;

export interface JournalEntry {
  readonly value: Value;
  /** what the evaluation had cost by then */
  readonly cost: number;
}

/** State of one evaluation: variables by slot, and what it has cost so far. */
export class Frame {
  readonly slots: (Value | undefined)[];
  cost = 0;
  /** of the innermost scope, in code that can be resumed; undefined in other code */
  journal: Journal | undefined;
  readonly #limit: number;
  #patience: number;
  #until = Infinity;
  /** the limit, or the cost at which to look at the clock */
  #bound: number;

  /** `patience`: after how many milliseconds to suspend */
  constructor(slots: (Value | undefined)[], limit: number, patience: number) {
    this.slots = slots;
    this.#limit = limit;
    this.#patience = patience;
    this.#bound = patience === Infinity ? limit : Math.min(limit, costBetweenLooks);
  }

  charge(cost: number): void {
    if ((this.cost += cost) > this.#bound) this.#look();
  }

  #look(): void {
    if (this.cost > this.#limit) throw new CostLimitExceeded();
    const now = performance.now();
    // What is cheap never looks at the clock.
    if (this.#until === Infinity) this.#until = now + this.#patience;
    if (now >= this.#until) throw new Suspended();
    this.#bound = Math.min(this.#limit, this.cost + costBetweenLooks);
  }

  /** Starts again what was suspended: what the journal has is not done again. */
  resume(journal: Journal): void {
    this.journal = journal;
    this.cost = 0;
    // It is suspended between its calls.
    this.#bound = this.#limit;
    this.#until = performance.now() + this.#patience;
  }

  /** Called wherever code can be suspended: what was done until now is in the journal. */
  pause(): void {
    if (performance.now() >= this.#until) throw new Suspended();
  }
}

/** A compiled node: errors are returned, not thrown. */
export type Evaluate = (frame: Frame) => Value;

/**
 * Makes a call one after which an evaluation can be suspended. An evaluation that goes on runs from its beginning, and such a call returns
 * what it returned before: no call is made twice, and costs are what they would have been.
 */
export function resumable(run: Evaluate): Evaluate {
  return (frame) => {
    const journal = frame.journal!;
    const known = journal.get(run);
    if (known !== undefined) {
      frame.cost = known.cost;
      return known.value;
    }
    const value = run(frame);
    journal.set(run, { value, cost: frame.cost });
    frame.pause();
    return value;
  };
}

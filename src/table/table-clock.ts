import { humanDuration } from './human-duration.ts';

/** The time as cells see it. */
export interface TableClock {
  /** milliseconds since the epoch */
  readonly now: number;
  /** `5d`, `3h12m`: how long ago a moment was, in milliseconds since the epoch */
  ageOf(since: number): string;
  /** Called where a cell depends on other rows. */
  readsOthers?(): void;
}

export function clockAt(now: number): TableClock {
  return { now, ageOf: (since) => humanDuration(now - since) };
}

const mark = /\uE000(\d+)\uE001/;

/**
 * Stands for the clock while a row is made that is to be kept: ages are marks in its text, for which each table has its own texts. Cells may
 * put an age into other text; what else depends on the time, or on other rows, cannot be kept.
 */
export class AgeMarks implements TableClock {
  readonly #now: number;
  readonly #since: number[] = [];
  #isConstant = true;

  constructor(now: number) {
    this.#now = now;
  }

  get now(): number {
    this.#isConstant = false;
    return this.#now;
  }

  readsOthers(): void {
    this.#isConstant = false;
  }

  ageOf(since: number): string {
    return `\uE000${this.#since.push(since) - 1}\uE001`;
  }

  /** The text between the ages, and the moments whose ages they are; undefined: it cannot be kept. */
  split(text: string): { readonly parts: readonly string[]; readonly since: readonly number[] } | undefined {
    if (!this.#isConstant) return undefined;
    const pieces = text.split(mark);
    const indexes = pieces.filter((_, index) => index % 2 === 1).map(Number);
    // An object may hold the same characters.
    if (indexes.length !== this.#since.length || new Set(indexes).size !== indexes.length) return undefined;
    const since = indexes.map((index) => this.#since[index]);
    if (since.includes(undefined)) return undefined;
    return { parts: pieces.filter((_, index) => index % 2 === 0), since: since as number[] };
  }
}

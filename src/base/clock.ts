/** Time, injected: production takes `systemClock`, tests move a `ManualClock` by hand. */
export interface Clock {
  /** milliseconds since the epoch */
  now(): number;
  /** Calls once after `ms` unless disposed before. */
  setTimeout(fn: () => void, ms: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    const timer = setTimeout(fn, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Stands still until `advance` is called; timers then fire in the order they fall due. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ readonly due: number; readonly fn: () => void }>();

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** how many timers are armed */
  get timers(): number {
    return this.#timers.size;
  }

  setTimeout(fn: () => void, ms: number): Disposable {
    const timer = { due: this.#now + Math.max(0, ms), fn };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      let next: { readonly due: number; readonly fn: () => void } | undefined;
      for (const timer of this.#timers) if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.fn();
    }
    this.#now = end;
  }
}

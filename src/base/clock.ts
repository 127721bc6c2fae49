/** Time, injected: production takes `systemClock`, tests move a `ManualClock` by hand. */
export interface Clock {
  /** milliseconds since the epoch; jumps when the machine's time is set */
  now(): number;
  /** milliseconds since some moment, without jumps: for what lasts a while */
  elapsed(): number;
  /** Calls once after `ms` unless disposed before. */
  setTimeout(fn: () => void, ms: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout(fn, ms) {
    const timer = setTimeout(fn, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** The time as it would be if the machine's had never been set since this call: for ends of life, which are not to come sooner or later by that. */
export function steadyClock(clock: Clock): Clock {
  const offset = clock.now() - clock.elapsed();
  return { now: () => offset + clock.elapsed(), elapsed: () => clock.elapsed(), setTimeout: (fn, ms) => clock.setTimeout(fn, ms) };
}

/** Stands still until `advance` is called; timers then fire in the order they fall due. */
export class ManualClock implements Clock {
  #now: number;
  /** how far it was set forward, in all */
  #set = 0;
  readonly #timers = new Set<{ due: number; readonly fn: () => void }>();

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now - this.#set;
  }

  /** As an administrator or a time server sets the time: no timer falls due by it. */
  set(now: number): void {
    const jump = now - this.#now;
    this.#set += jump;
    this.#now = now;
    for (const timer of this.#timers) timer.due += jump;
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

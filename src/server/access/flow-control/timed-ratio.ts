// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/metrics/timing_ratio_histogram.go
import type { Histogram } from '../../../base/metrics.ts';

/** Whole numerators below it are counted by how long they lasted, until metrics are read. */
const mostCounted = 64;

/** A ratio as it is at the end of every nanosecond, observed by a histogram. */
export class TimedRatio {
  readonly #histogram: Histogram;
  readonly #now: () => number;
  /** milliseconds that each numerator lasted */
  readonly #lasted = new Float64Array(mostCounted);
  #numerator = 0;
  #denominator: number;
  #since: number;

  /** `now`: milliseconds, monotonic */
  constructor(histogram: Histogram, now: () => number, denominator = 1) {
    this.#histogram = histogram;
    this.#now = now;
    this.#denominator = denominator;
    this.#since = now();
  }

  set(numerator: number, now = this.#now()): void {
    this.#account(now);
    this.#numerator = numerator;
  }

  add(delta: number, now?: number): void {
    this.set(this.#numerator + delta, now);
  }

  setDenominator(denominator: number): void {
    const next = Math.max(1, denominator);
    if (next === this.#denominator) return;
    this.observe();
    this.#denominator = next;
  }

  /** The histogram has seen all time until now. */
  observe(): void {
    this.#account(this.#now());
    for (let numerator = 0; numerator < mostCounted; numerator++) {
      const milliseconds = this.#lasted[numerator] as number;
      if (milliseconds > 0) this.#observeFor(numerator, milliseconds);
    }
    this.#lasted.fill(0);
  }

  #account(now: number): void {
    const passed = now - this.#since;
    if (passed <= 0) return;
    this.#since = now;
    const lasted = this.#lasted[this.#numerator];
    if (lasted === undefined) this.#observeFor(this.#numerator, passed);
    else this.#lasted[this.#numerator] = lasted + passed;
  }

  #observeFor(numerator: number, milliseconds: number): void {
    const nanoseconds = Math.round(milliseconds * 1e6);
    if (nanoseconds > 0) this.#histogram.observe(numerator / this.#denominator, nanoseconds);
  }
}

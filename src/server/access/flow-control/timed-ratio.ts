// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/metrics/timing_ratio_histogram.go
import type { Histogram } from '../../../base/metrics.ts';

/** Whole numerators below it are counted by how long they lasted, until metrics are read. */
const mostCounted = 64;

/** A ratio as it is at the end of every nanosecond, observed by a histogram. */
export class TimedRatio {
  readonly #histogram: Histogram;
  readonly #now: () => number;
  /** milliseconds that each numerator lasted; undefined: it has always been 0 */
  #lasted: Float64Array | undefined;
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
    if (this.#lasted === undefined) {
      if (numerator === 0) return;
      this.#lasted = new Float64Array(mostCounted);
    }
    this.#account(now, this.#lasted);
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
    const now = this.#now();
    if (this.#lasted === undefined) {
      this.#observeFor(0, now - this.#since);
      this.#since = now;
      return;
    }
    this.#account(now, this.#lasted);
    for (let numerator = 0; numerator < mostCounted; numerator++) {
      const milliseconds = this.#lasted[numerator] as number;
      if (milliseconds > 0) this.#observeFor(numerator, milliseconds);
    }
    this.#lasted.fill(0);
  }

  #account(now: number, all: Float64Array): void {
    const passed = now - this.#since;
    if (passed <= 0) return;
    this.#since = now;
    const lasted = all[this.#numerator];
    if (lasted === undefined) this.#observeFor(this.#numerator, passed);
    else all[this.#numerator] = lasted + passed;
  }

  #observeFor(numerator: number, milliseconds: number): void {
    const nanoseconds = Math.round(milliseconds * 1e6);
    if (nanoseconds > 0) this.#histogram.observe(numerator / this.#denominator, nanoseconds);
  }
}

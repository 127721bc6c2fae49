// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/metrics/timing_ratio_histogram.go
import type { Histogram } from '../../../base/metrics.ts';

/** A ratio as it is at the end of every nanosecond, observed by a histogram. */
export class TimedRatio {
  readonly #histogram: Histogram;
  readonly #now: () => number;
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

  set(numerator: number): void {
    this.observe();
    this.#numerator = numerator;
  }

  add(delta: number): void {
    this.set(this.#numerator + delta);
  }

  setDenominator(denominator: number): void {
    this.observe();
    this.#denominator = Math.max(1, denominator);
  }

  /** Accounts for the time since the last change. */
  observe(): void {
    const now = this.#now();
    const nanoseconds = Math.round((now - this.#since) * 1e6);
    if (nanoseconds <= 0) return;
    this.#histogram.observe(this.#numerator / this.#denominator, nanoseconds);
    this.#since = now;
  }
}

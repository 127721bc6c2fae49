// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/integrator.go, k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go#seatDemandStats
const smoothing = 0.977;

/** How many seats a priority level could have used, over the time since it was last asked. */
export class SeatDemand {
  readonly #now: () => number;
  #since: number;
  #changed: number;
  #current = 0;
  #integral = 0;
  #squares = 0;
  #max = 0;
  /** of the last period */
  average = 0;
  deviation = 0;
  highWatermark = 0;
  /** follows a rise at once and a fall slowly */
  smoothed = 0;

  /** `now`: milliseconds, monotonic */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = this.#changed = now();
  }

  set(seats: number, now = this.#now()): void {
    this.#advance(now);
    this.#current = seats;
    if (seats > this.#max) this.#max = seats;
  }

  /** Ends the period. */
  update(): void {
    this.#advance(this.#now());
    const duration = this.#changed - this.#since;
    this.highWatermark = Math.round(this.#max);
    if (duration > 0) {
      this.average = this.#integral / duration;
      this.deviation = Math.sqrt(Math.max(0, this.#squares / duration - this.average ** 2));
      const envelope = this.average + this.deviation;
      this.smoothed = Math.max(envelope, smoothing * this.smoothed + (1 - smoothing) * envelope);
    }
    this.#since = this.#changed;
    this.#integral = this.#squares = 0;
    this.#max = this.#current;
  }

  #advance(now: number): void {
    const passed = now - this.#changed;
    if (passed <= 0) return;
    this.#integral += this.#current * passed;
    this.#squares += this.#current ** 2 * passed;
    this.#changed = now;
  }
}

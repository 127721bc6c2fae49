// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/dropped_requests_tracker.go
const maxSeconds = 32;

/** How long clients of a priority level are asked to stay away, in whole seconds: longer while many are turned away. */
export class RetryAfter {
  readonly #now: () => number;
  /** requests turned away, by second */
  readonly #history: { readonly second: number; count: number }[] = [];
  #seconds = 1;
  #updated: number;

  /** `now`: milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#updated = this.#second;
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** A request is turned away now. */
  record(): void {
    const second = this.#second;
    const last = this.#history.at(-1);
    if (last?.second === second) {
      last.count++;
      return;
    }
    this.#history.push({ second, count: 1 });
    while (second - (this.#history[0]?.second ?? second) > maxSeconds) this.#history.shift();
    this.#update(second);
  }

  get #second(): number {
    return Math.floor(this.#now() / 1000);
  }

  #update(second: number): void {
    let dropped = 0;
    for (const { second: when, count } of this.#history) if (when < second && second - when <= this.#seconds) dropped += count;
    if (second - this.#updated >= this.#seconds && dropped >= 3 * this.#seconds) {
      this.#seconds = Math.min(maxSeconds, this.#seconds * 2);
      this.#updated = second;
    } else if (dropped < this.#seconds && this.#seconds > 1) this.#seconds--;
  }
}

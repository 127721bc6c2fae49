// Upstream: k8s.io/client-go/util/workqueue#ItemExponentialFailureRateLimiter, k8s.io/kube-aggregator/pkg/controllers
import type { Clock } from '../base/clock.ts';

export interface RepeatedCheckOptions {
  /** true: all is well; rejects when it could not be found out */
  readonly check: (signal: AbortSignal) => Promise<boolean>;
  readonly failed: (error: unknown) => void;
  /** milliseconds until the next check after one that went well */
  readonly everyMs: number;
  /** milliseconds until the next one after a failure; each further failure doubles them, up to `everyMs` */
  readonly afterFailureMs: number;
  readonly clock: Clock;
}

/** Something that is looked at now and then, sooner while it is bad, and at once when there is reason to. One look at a time. */
export class RepeatedCheck implements Disposable {
  readonly #options: RepeatedCheckOptions;
  readonly #end = new AbortController();
  #timer: Disposable | undefined;
  #failures = 0;
  #running = false;
  #wanted = false;

  constructor(options: RepeatedCheckOptions) {
    this.#options = options;
  }

  /** Looks now, or once more when it is just looking. */
  request(): void {
    this.#wanted = true;
    if (!this.#running) void this.#run();
  }

  /** As `request`; failures of the past do not count any more. */
  restart(): void {
    this.#failures = 0;
    this.request();
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#timer?.[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    const { everyMs, afterFailureMs, clock } = this.#options;
    this.#running = true;
    this.#timer?.[Symbol.dispose]();
    while (this.#wanted && !this.#end.signal.aborted) {
      this.#wanted = false;
      this.#failures = (await this.#isWell()) ? 0 : this.#failures + 1;
    }
    this.#running = false;
    if (this.#end.signal.aborted) return;
    const delay = this.#failures === 0 ? everyMs : Math.min(everyMs, afterFailureMs * 2 ** (this.#failures - 1));
    this.#timer = clock.setTimeout(() => this.request(), delay);
  }

  async #isWell(): Promise<boolean> {
    const { check, failed } = this.#options;
    try {
      return await check(this.#end.signal);
    } catch (error) {
      if (!this.#end.signal.aborted) failed(error);
      return false;
    }
  }
}

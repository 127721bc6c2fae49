// Upstream: k8s.io/client-go/util/workqueue
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { whenAborted } from '../../base/pause.ts';
import { WorkQueueMetrics } from '../../base/work-queue-metrics.ts';
import { isReason } from '../../machinery/errors.ts';

export interface WorkQueueOptions<K> {
  /** as metrics name it */
  readonly name: string;
  readonly metrics: MetricsRegistry;
  /** Deals with one key. When it throws, the key comes back, later each time. */
  readonly process: (key: K) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  /** how many keys are dealt with at a time; default 5 */
  readonly workers?: number;
  readonly longestDelayMs?: number;
  /** a key in log lines; default: as text */
  readonly describe?: (key: K) => string;
}

/** Thrown by `process` when nothing is wrong but something else has to happen first: after a time, or later and later. */
export class RetryError extends Error {
  readonly delayMs: number | undefined;

  constructor(message: string, delayMs?: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

const shortestDelayMs = 5;
const defaultLongestDelayMs = 1_000_000;

/** Keys to deal with: each is in it once, is never dealt with twice at a time, and comes back later and later while it fails. */
export class WorkQueue<K> {
  readonly #options: WorkQueueOptions<K>;
  readonly #waiting = new Set<K>();
  readonly #processing = new Set<K>();
  /** added while they were dealt with */
  readonly #again = new Set<K>();
  readonly #delayed = new Map<K, { readonly due: number; readonly timer: Disposable }>();
  readonly #failures = new Map<K, number>();
  readonly #metrics: WorkQueueMetrics<K>;
  #running = false;
  #idle: (() => void) | undefined;

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
    this.#metrics = new WorkQueueMetrics(options.metrics, options.name);
  }

  add(key: K): void {
    this.#undelay(key);
    this.#metrics.added(key);
    if (this.#processing.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#pump();
  }

  /** The earlier one counts when the key is to come back already. */
  addAfter(key: K, delayMs: number): void {
    const { clock } = this.#options;
    const due = clock.now() + delayMs;
    const known = this.#delayed.get(key);
    if (this.#waiting.has(key) || (known !== undefined && known.due <= due)) return;
    this.#undelay(key);
    this.#delayed.set(key, { due, timer: clock.setTimeout(() => this.add(key), delayMs) });
  }

  /** Works once everything that it depends on is known, until the signal; resolves when nothing is under way any more. */
  async run(signal: AbortSignal, ...known: readonly Promise<void>[]): Promise<void> {
    const stopped = whenAborted(signal);
    await Promise.race([Promise.all(known), stopped]);
    if (signal.aborted) return this.#forgetAll();
    this.#running = true;
    this.#pump();
    await stopped;
    this.#running = false;
    this.#forgetAll();
    if (this.#processing.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #forgetAll(): void {
    this.#waiting.clear();
    this.#metrics.emptied();
    for (const { timer } of this.#delayed.values()) timer[Symbol.dispose]();
    this.#delayed.clear();
  }

  #pump(): void {
    const { workers = 5 } = this.#options;
    if (!this.#running) return;
    for (const key of this.#waiting) {
      if (this.#processing.size >= workers) return;
      this.#waiting.delete(key);
      this.#processing.add(key);
      this.#metrics.begun(key);
      void this.#work(key);
    }
  }

  async #work(key: K): Promise<void> {
    try {
      await this.#options.process(key);
      this.#failures.delete(key);
    } catch (error) {
      if (this.#running) this.#postpone(key, error);
    }
    this.#processing.delete(key);
    this.#metrics.ended(key);
    if (this.#again.delete(key) && this.#running) this.add(key);
    this.#pump();
    if (!this.#running && this.#processing.size === 0) this.#idle?.();
  }

  #postpone(key: K, error: unknown): void {
    const { log, describe = String, longestDelayMs = defaultLongestDelayMs } = this.#options;
    if (error instanceof RetryError && error.delayMs !== undefined) {
      this.#failures.delete(key);
      this.addAfter(key, error.delayMs);
      return;
    }
    this.#metrics.retried();
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // A conflict with another writer is expected.
    const expected = error instanceof RetryError || isReason(error, 'Conflict');
    if (!expected) log.error('failed and will be tried again', { key: describe(key), err: error });
    this.addAfter(key, Math.min(shortestDelayMs * 2 ** failures, longestDelayMs));
  }

  #undelay(key: K): void {
    this.#delayed.get(key)?.timer[Symbol.dispose]();
    this.#delayed.delete(key);
  }
}

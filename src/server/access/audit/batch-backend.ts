// Upstream: k8s.io/apiserver/plugin/pkg/audit/buffered/buffered.go
import type { Clock } from '../../../base/clock.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import type { AuditReports } from './reports.ts';

export interface BatchOptions {
  /** events that wait at most; more are lost */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** milliseconds after which a batch goes although not full */
  readonly maxBatchWait: number;
  /** undefined: batches go as fast as they can */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined;
  /** batches need not wait for each other */
  readonly isConcurrent: boolean;
}

/** Takes events at once and hands them on in batches, later. */
export class BatchBackend implements AuditBackend {
  readonly #delegate: AuditBackend;
  readonly #options: BatchOptions;
  readonly #reports: AuditReports;
  readonly #clock: Clock;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #throttle: Throttle | undefined;
  #buffer: AuditEvent[] = [];
  #sending: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #closed = false;

  constructor(delegate: AuditBackend, options: BatchOptions, reports: AuditReports, clock: Clock) {
    this.#delegate = delegate;
    this.#options = options;
    this.#reports = reports;
    this.#clock = clock;
    this.#throttle = options.throttle && new Throttle(options.throttle.qps, options.throttle.burst, clock);
  }

  process(events: readonly AuditEvent[]): boolean {
    const { bufferSize } = this.#options;
    const room = this.#closed ? 0 : Math.max(0, bufferSize - this.#buffer.length);
    this.#buffer.push(...events.slice(0, room));
    this.#reports.buffered(Math.min(room, events.length));
    const lost = events.slice(room);
    if (lost.length > 0) this.#reports.failed('buffered', this.#closed ? 'audit backend shut down' : 'audit buffer queue blocked', lost);
    this.#schedule();
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.[Symbol.dispose]();
    do await (this.#sending ??= this.#send());
    while (this.#buffer.length > 0);
    await Promise.all(this.#underWay);
    await this.#delegate.close();
  }

  #schedule(): void {
    const { maxBatchSize, maxBatchWait } = this.#options;
    if (this.#sending !== undefined || this.#buffer.length === 0) return;
    if (this.#buffer.length >= maxBatchSize) this.#sending = this.#send();
    else this.#timer ??= this.#clock.setTimeout(() => void (this.#sending ??= this.#send()), maxBatchWait);
  }

  /** What waits when it begins, whole batches of what comes meanwhile too. */
  async #send(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    do {
      const batch = this.#buffer.splice(0, this.#options.maxBatchSize);
      if (batch.length === 0) break;
      this.#reports.buffered(-batch.length);
      await this.#throttle?.accept();
      const done = Promise.resolve(this.#delegate.process(batch)).finally(() => this.#underWay.delete(done));
      this.#underWay.add(done);
      if (!this.#options.isConcurrent) await done;
    } while (this.#buffer.length >= this.#options.maxBatchSize);
    this.#sending = undefined;
    if (!this.#closed) this.#schedule();
  }
}

/** A bucket that fills at a rate: what is in it may go at once. */
class Throttle {
  readonly #qps: number;
  readonly #burst: number;
  readonly #clock: Clock;
  #tokens: number;
  #at: number;

  constructor(qps: number, burst: number, clock: Clock) {
    this.#qps = qps;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#at = clock.now();
  }

  async accept(): Promise<void> {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#qps) - 1;
    this.#at = now;
    if (this.#tokens >= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#clock.setTimeout(resolve, (-this.#tokens / this.#qps) * 1000);
    await promise;
  }
}

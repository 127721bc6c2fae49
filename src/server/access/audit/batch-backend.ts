// Upstream: k8s.io/apiserver/plugin/pkg/audit/buffered/buffered.go
import type { Clock } from '../../../base/clock.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { objectLength } from './event.ts';
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

/** Upstream counts events alone, however large their objects are: a batch is not to be more than a receiver takes, nor what waits more than there is memory. */
const maxBatchLength = 8 * 1024 * 1024;
const maxBufferLength = 256 * 1024 * 1024;

/** Takes events at once and hands them on in batches, later. */
export class BatchBackend implements AuditBackend {
  readonly #delegate: AuditBackend;
  readonly #options: BatchOptions;
  readonly #reports: AuditReports;
  readonly #clock: Clock;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #throttle: Throttle | undefined;
  #buffer: AuditEvent[] = [];
  /** characters of the objects of events that wait */
  #waiting = 0;
  /** of those, and of events that are on their way */
  #length = 0;
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
    const lost: AuditEvent[] = [];
    for (const event of events) {
      if (this.#hasRoomFor(event)) {
        this.#buffer.push(event);
        this.#waiting += objectLength(event);
        this.#length += objectLength(event);
      } else lost.push(event);
    }
    this.#reports.buffered(events.length - lost.length);
    if (lost.length > 0) this.#reports.failed('buffered', this.#closed ? 'audit backend shut down' : 'audit buffer queue blocked', lost);
    this.#schedule();
    return true;
  }

  #hasRoomFor(event: AuditEvent): boolean {
    if (this.#closed || this.#buffer.length >= this.#options.bufferSize) return false;
    return this.#length === 0 || this.#length + objectLength(event) <= maxBufferLength;
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
    if (this.#sending !== undefined || this.#buffer.length === 0) return;
    if (this.#hasWholeBatch) this.#sending = this.#send();
    else this.#timer ??= this.#clock.setTimeout(() => void (this.#sending ??= this.#send()), this.#options.maxBatchWait);
  }

  get #hasWholeBatch(): boolean {
    return this.#buffer.length >= this.#options.maxBatchSize || this.#waiting >= maxBatchLength;
  }

  #takeBatch(): { readonly batch: readonly AuditEvent[]; readonly length: number } {
    let [count, length] = [0, 0];
    for (const event of this.#buffer) {
      if (count === this.#options.maxBatchSize || (count > 0 && length + objectLength(event) > maxBatchLength)) break;
      count++;
      length += objectLength(event);
    }
    this.#waiting -= length;
    return { batch: this.#buffer.splice(0, count), length };
  }

  /** What waits when it begins, whole batches of what comes meanwhile too. */
  async #send(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    do {
      const { batch, length } = this.#takeBatch();
      if (batch.length === 0) break;
      this.#reports.buffered(-batch.length);
      await this.#throttle?.accept();
      const done = Promise.resolve(this.#delegate.process(batch)).finally(() => {
        this.#length -= length;
        this.#underWay.delete(done);
      });
      this.#underWay.add(done);
      if (!this.#options.isConcurrent) await done;
    } while (this.#hasWholeBatch);
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

// Upstream: k8s.io/apiserver/plugin/pkg/audit/truncate/truncate.go
import { aggregateMessages } from '../../../machinery/field.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { eventLine, objectLength } from './event.ts';
import { isAtLeast } from './level.ts';
import type { AuditReports } from './reports.ts';

export interface TruncateOptions {
  readonly maxEventSize: number;
  readonly maxBatchSize: number;
}

/** Leaves objects out of events that are too big, drops what is too big even so, and cuts big batches. */
export class TruncatingBackend implements AuditBackend {
  readonly #delegate: AuditBackend;
  readonly #options: TruncateOptions;
  readonly #reports: AuditReports;

  constructor(delegate: AuditBackend, options: TruncateOptions, reports: AuditReports) {
    this.#delegate = delegate;
    this.#options = options;
    this.#reports = reports;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const { maxEventSize, maxBatchSize } = this.#options;
    const lost: AuditEvent[] = [];
    let batch: AuditEvent[] = [];
    let batchSize = 0;
    let success = true;
    for (const whole of events) {
      const { event, size } = this.#fitted(whole);
      if (size > maxEventSize) {
        lost.push(event);
        continue;
      }
      if (batch.length > 0 && batchSize + size > maxBatchSize) {
        success = (await this.#delegate.process(batch)) && success;
        batch = [];
        batchSize = 0;
      }
      batch.push(event);
      batchSize += size;
    }
    if (batch.length > 0) success = (await this.#delegate.process(batch)) && success;
    if (lost.length > 0) {
      const why = aggregateMessages(lost.map(() => 'event is too large even after truncating'));
      this.#reports.failed('truncate', why, lost);
    }
    return success;
  }

  close(): Promise<void> {
    return this.#delegate.close();
  }

  #fitted(event: AuditEvent): { readonly event: AuditEvent; readonly size: number } {
    // What is too big by its objects alone need not be written to be measured.
    const size = objectLength(event) > this.#options.maxEventSize ? objectLength(event) : sizeOf(event);
    if (size <= this.#options.maxEventSize || !isAtLeast(event.level, 'Request')) return { event, size };
    const annotations = { ...event.annotations, 'audit.k8s.io/truncated': 'true' };
    const truncated = { ...event, requestObject: undefined, responseObject: undefined, annotations };
    return { event: truncated, size: sizeOf(truncated) };
  }
}

function sizeOf(event: AuditEvent): number {
  return Buffer.byteLength(eventLine(event));
}

import { silentLogger } from '../../src/base/log.ts';
import type { Logger } from '../../src/base/log.ts';
import { metricsText } from '../../src/base/exposition/text.ts';
import { MetricsRegistry } from '../../src/base/metrics.ts';
import type { AuditBackend } from '../../src/server/access/audit/backend.ts';
import type { AuditEvent } from '../../src/server/access/audit/event.ts';
import { AuditReports } from '../../src/server/access/audit/reports.ts';

/** An event for tests. */
export function testEvent(more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: 'RequestResponse',
    auditID: 'id',
    stage: 'ResponseComplete',
    requestURI: '/api/v1/namespaces/n/configmaps/c?a=1&b=2',
    verb: 'update',
    user: { name: 'alice', uid: '', groups: ['a', 'b'], extra: { z: ['1'], a: ['2'] } },
    sourceIPs: ['10.0.0.1'],
    userAgent: 'judge',
    objectRef: { resource: 'configmaps', namespace: 'n', name: 'c', uid: '', apiGroup: '', apiVersion: 'v1' },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: '2026-11-16T05:00:40.854170Z',
    stageTimestamp: '2026-11-16T05:00:40.854176Z',
    ...more,
  };
}

/** Keeps what it is given. */
export class KeepingBackend implements AuditBackend {
  readonly batches: (readonly AuditEvent[])[] = [];
  closed = false;
  /** what `process` says */
  succeeds = true;

  process(events: readonly AuditEvent[]): boolean {
    this.batches.push(events);
    return this.succeeds;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  get ids(): string[][] {
    return this.batches.map((events) => events.map(({ auditID }) => auditID));
  }
}

/** Reports whose failures can be looked at. */
export function testReports(): { readonly reports: AuditReports; readonly failures: string[]; metrics(): string } {
  const registry = new MetricsRegistry();
  const failures: string[] = [];
  const log: Logger = { ...silentLogger, error: (message) => failures.push(message) };
  return { reports: new AuditReports(registry, log), failures, metrics: () => metricsText(registry) };
}

// Upstream: k8s.io/apiserver/pkg/audit/metrics.go
import type { Logger } from '../../../base/log.ts';
import type { Counter, Family, Gauge, MetricsRegistry } from '../../../base/metrics.ts';
import type { AuditEvent } from './event.ts';
import { legacyLine } from './event.ts';
import type { Level } from './level.ts';

/** How auditing itself fares: counted, and failures logged with the events that they cost. */
export class AuditReports {
  readonly #events: Counter;
  readonly #errors: Family<Counter, readonly ['plugin']>;
  readonly #levels: Family<Counter, readonly ['level']>;
  readonly #rejected: Counter;
  readonly #buffered: Gauge;
  readonly #log: Logger;

  constructor(registry: MetricsRegistry, log: Logger) {
    this.#log = log;
    this.#events = registry
      .counter({ name: 'apiserver_audit_event_total', help: 'Audit events that were handed to where they are recorded' })
      .with();
    this.#errors = registry.counter({
      name: 'apiserver_audit_error_total',
      help: 'Audit events that could not be recorded, by what should have recorded them',
      labels: ['plugin'],
    });
    this.#levels = registry.counter({
      name: 'apiserver_audit_level_total',
      help: 'Requests by the level that the audit policy has for them',
      labels: ['level'],
    });
    this.#rejected = registry
      .counter({
        name: 'apiserver_audit_requests_rejected_total',
        help: 'Requests that were refused because their audit event could not be recorded',
      })
      .with();
    this.#buffered = registry
      .gauge({ name: 'wheelhouse_audit_buffered_events', help: 'Audit events that wait in the buffers of backends in batch mode' })
      .with();
  }

  /** So many more events wait in a buffer, or fewer. */
  buffered(change: number): void {
    this.#buffered.add(change);
  }

  event(): void {
    this.#events.inc();
  }

  level(level: Level): void {
    this.#levels.with(level).inc();
  }

  rejected(): void {
    this.#rejected.inc();
  }

  failed(plugin: string, why: string, events: readonly AuditEvent[]): void {
    this.#errors.with(plugin).inc(events.length);
    const impacted = events.map(legacyLine).join('');
    this.#log.error(`Error in audit plugin '${plugin}' affecting ${events.length} audit events: ${why}\nImpacted events:\n${impacted}`);
  }
}

// Upstream: k8s.io/apiserver/plugin/pkg/audit/log/backend.go
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { eventLine, legacyLine } from './event.ts';
import type { AuditReports } from './reports.ts';

export type LogFormat = 'json' | 'legacy';

/** Where lines go. */
export interface LineWriter {
  /** Resolves when the line is there. */
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

/** A line per event. */
export class LogBackend implements AuditBackend {
  readonly #writer: LineWriter;
  readonly #lineOf: (event: AuditEvent) => string;
  readonly #reports: AuditReports;

  constructor(writer: LineWriter, format: LogFormat, reports: AuditReports) {
    this.#writer = writer;
    this.#lineOf = format === 'legacy' ? legacyLine : eventLine;
    this.#reports = reports;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const written = await Promise.all(events.map((event) => this.#write(event)));
    return written.every(Boolean);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  async #write(event: AuditEvent): Promise<boolean> {
    try {
      await this.#writer.write(this.#lineOf(event));
      return true;
    } catch (error) {
      this.#reports.failed('log', (error as Error).message, [event]);
      return false;
    }
  }
}

// Upstream: k8s.io/apiserver/plugin/pkg/audit/log/backend.go
import { stepByStep } from '../../../base/steps.ts';
import { largeBytes } from '../../../base/turns.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { eventLine, eventLineBytes, legacyLine, objectLength } from './event.ts';
import type { AuditReports } from './reports.ts';

export type LogFormat = 'json' | 'legacy';

/** Where lines go. */
export interface LineWriter {
  /** Resolves when the line is there. */
  write(line: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A line per event. */
export class LogBackend implements AuditBackend {
  readonly #writer: LineWriter;
  readonly #format: LogFormat;
  readonly #reports: AuditReports;

  constructor(writer: LineWriter, format: LogFormat, reports: AuditReports) {
    this.#writer = writer;
    this.#format = format;
    this.#reports = reports;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const written = await Promise.all(events.map((event) => this.#write(event)));
    return written.every(Boolean);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #lineOf(event: AuditEvent): string | Promise<Buffer> {
    if (this.#format === 'legacy') return legacyLine(event);
    return objectLength(event) < largeBytes ? eventLine(event) : stepByStep(eventLineBytes(event));
  }

  async #write(event: AuditEvent): Promise<boolean> {
    try {
      await this.#writer.write(await this.#lineOf(event));
      return true;
    } catch (error) {
      this.#reports.failed('log', (error as Error).message, [event]);
      return false;
    }
  }
}

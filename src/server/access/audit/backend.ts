// Upstream: k8s.io/apiserver/pkg/audit/{types,union}.go
import type { AuditEvent } from './event.ts';

/** Where events go. */
export interface AuditBackend {
  /** false: not all of them got there. Never throws: who fails says so to the reports. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Resolves when everything that was given is where it belongs. */
  close(): Promise<void>;
}

/** All of them get everything. */
export function unionBackend(backends: readonly AuditBackend[]): AuditBackend {
  return {
    async process(events) {
      const results = await Promise.all(backends.map((one) => one.process(events)));
      return results.every(Boolean);
    },
    async close() {
      for (const one of backends) await one.close();
    },
  };
}

/** Waits for the delegate, whatever comes of it. */
export function ignoringErrors(delegate: AuditBackend): AuditBackend {
  return {
    async process(events) {
      await delegate.process(events);
      return true;
    },
    close: () => delegate.close(),
  };
}

import type { EventEmitter } from 'node:events';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';

const origins = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * The last line of defence: an unhandled error is logged and, where there are metrics, counted, and the server goes on, as upstream does
 * after a panic.
 * For the command only: what becomes of the errors of a process in which the server is a library is for that process to decide.
 */
export function surviveStrayErrors(process: EventEmitter, log: Logger, metrics?: MetricsRegistry): Disposable {
  const total = metrics?.counter({
    name: 'wheelhouse_unhandled_errors_total',
    help: 'Errors that no part of the server handled, by the event that reported them.',
    labels: ['origin'] as const,
  });
  const listeners = origins.map((origin) => {
    const counter = total?.with(origin);
    const listener = (error: unknown): void => {
      counter?.inc();
      log.error('unhandled error', { origin, err: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    };
    process.on(origin, listener);
    return { origin, listener };
  });
  return {
    [Symbol.dispose]() {
      for (const { origin, listener } of listeners) process.off(origin, listener);
    },
  };
}

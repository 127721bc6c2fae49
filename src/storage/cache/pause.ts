import type { Clock } from '../../base/clock.ts';

const firstMilliseconds = 50;
const longestMilliseconds = 5_000;

/**
 * Waits before another attempt: twice as long after each failure, and spread out, so that all caches of a server do not come back to
 * the storage at the same instant. Resolves early when the signal aborts.
 */
export function pauseAfter(failures: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const longest = Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds);
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.setTimeout(done, longest * (0.75 + Math.random() / 4));
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

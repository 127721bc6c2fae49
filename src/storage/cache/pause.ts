import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/pause.ts';

const firstMilliseconds = 50;
const longestMilliseconds = 5_000;

/**
 * Waits before another attempt: twice as long after each failure, and spread out, so that all caches of a server do not come back to
 * the storage at the same instant. Resolves early when the signal aborts.
 */
export function pauseAfter(failures: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const longest = Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds);
  return pause(clock, longest * (0.75 + Math.random() / 4), signal);
}

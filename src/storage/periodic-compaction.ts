import type { Clock } from '../base/clock.ts';
import type { Storage } from './storage.ts';

/** Forgets history that is older than one to two intervals, for as long as the store is open. 0 switches it off. */
export function compactPeriodically(storage: Storage, clock: Clock, intervalMs: number, failed: (error: unknown) => void): Disposable {
  let previous: number | undefined;
  let timer: Disposable | undefined;
  let closed = false;
  const tick = async (): Promise<void> => {
    try {
      const revision = await storage.currentRevision();
      // A store that was put back in time has not come that far again.
      if (previous !== undefined && previous > 0 && previous <= revision) await storage.compact(previous);
      previous = revision;
    } catch (error) {
      if (!closed) failed(error);
    }
    arm();
  };
  const arm = (): void => {
    if (!closed && intervalMs > 0) timer = clock.setTimeout(() => void tick(), intervalMs);
  };
  arm();
  return {
    [Symbol.dispose]() {
      closed = true;
      timer?.[Symbol.dispose]();
    },
  };
}

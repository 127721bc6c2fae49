// Upstream: k8s.io/apiserver/pkg/server/storage_readiness_hook.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import type { PostStartHook } from '../../server/api-server.ts';

const pollMs = 100;

/**
 * Readiness waits for the store, but not for longer than this. Watch caches are not waited for: here the first
 * request fills them, and waits for it.
 */
export function storageReadiness(
  health: () => Promise<void>,
  timeoutMs: number,
  { clock, log }: { clock: Clock; log: Logger },
): PostStartHook {
  return {
    name: 'storage-readiness',
    async run(stopping) {
      const end = new AbortController();
      const signal = AbortSignal.any([stopping, end.signal]);
      const attempts = async (): Promise<boolean> => {
        while (!signal.aborted) {
          const problem = await health().then(
            () => undefined,
            (error: unknown) => error,
          );
          if (problem === undefined) return true;
          log.v(4)?.info('Storage is not ready', { err: problem });
          await pause(clock, pollMs, signal);
        }
        return false;
      };
      const isReady = await Promise.race([attempts(), pause(clock, timeoutMs, signal).then(() => false)]);
      end.abort();
      if (isReady) log.info('Storage is ready for all registered resources');
      else if (!stopping.aborted) log.warn('Deadline exceeded while waiting for storage readiness... ignoring');
    },
  };
}

import type { Clock } from '../../base/clock.ts';

/** Runs again and again, always as long after the end of the last run, until the signal ends it. Failures go to `failed`. */
export function periodically(
  run: () => Promise<void>,
  { everyMs, clock, signal, failed }: { everyMs: number; clock: Clock; signal: AbortSignal; failed: (error: unknown) => void },
): void {
  if (signal.aborted) return;
  const again = (): Disposable =>
    clock.setTimeout(() => {
      void run()
        .catch(failed)
        .finally(() => (timer = signal.aborted ? undefined : again()));
    }, everyMs);
  let timer: Disposable | undefined = again();
  signal.addEventListener('abort', () => timer?.[Symbol.dispose](), { once: true });
}

import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { CacheEventType } from '../../storage/cache/types.ts';
import type { StoredEntry } from './entry.ts';
import { follow } from './follow.ts';
import type { Resource } from './resource.ts';

export interface Reconciliation {
  /** what the log calls it */
  readonly name: string;
  readonly resources: readonly Resource[];
  /** whether a change can matter; default: every one does */
  readonly isRelevant?: (resource: Resource, entry: StoredEntry) => boolean;
  /** brings into line what follows from these resources, whatever has changed */
  readonly reconcile: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

const retryMs = 1000;

/** Reconciles now and after every change, one run at a time, until the signal ends it; a run that fails is repeated. */
export function keepReconciled(reconciliation: Reconciliation): void {
  const { name, resources, isRelevant, signal, clock, log } = reconciliation;
  const loop = new Loop(reconciliation);
  signal.addEventListener('abort', () => loop.stop(), { once: true });
  for (const resource of resources) {
    const event = (_: CacheEventType, entry: StoredEntry): void => {
      if (isRelevant?.(resource, entry) ?? true) loop.request();
    };
    void follow({ name, resource, event, caughtUp: () => loop.request(), signal, clock, log });
  }
}

class Loop {
  readonly #reconciliation: Reconciliation;
  #timer: Disposable | undefined;
  #wanted = false;
  #running = false;

  constructor(reconciliation: Reconciliation) {
    this.#reconciliation = reconciliation;
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
  }

  request(): void {
    this.#wanted = true;
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { reconcile, signal } = this.#reconciliation;
    try {
      while (this.#wanted && !signal.aborted) {
        this.#wanted = false;
        await reconcile();
      }
    } catch (error) {
      this.#again(error);
    }
    // In the same turn as the last look at what is wanted: a request in between would be lost.
    this.#running = false;
  }

  #again(error: unknown): void {
    const { name, signal, clock, log } = this.#reconciliation;
    if (signal.aborted) return;
    log.warn(`${name} will be tried again`, { err: error });
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.setTimeout(() => this.request(), retryMs);
  }
}

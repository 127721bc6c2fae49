import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import type { CacheEventType } from '../../storage/cache/types.ts';
import type { StoredEntry } from './entry.ts';
import { follow } from './follow.ts';
import type { Resource } from './resource.ts';

interface RepeatedWork {
  /** what the log calls it */
  readonly name: string;
  /** brings things into line, whatever has changed; milliseconds: what it has put off until then */
  readonly reconcile: () => Promise<number | void>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Reconciliation extends RepeatedWork {
  readonly resources: readonly Resource[];
  /** whether a change can matter; default: every one does */
  readonly isRelevant?: (resource: Resource, entry: StoredEntry) => boolean;
}

export interface ObjectReconciliation extends RepeatedWork {
  readonly resource: Resource;
  readonly namespace: string;
  readonly object: string;
}

const retryMs = 1000;
const longestRetryMs = 60_000;

/**
 * Reconciles now and after every change, one run at a time, until the signal ends it; a run that fails is repeated. Resolves after the first run
 * that did not fail, or at the signal.
 */
export function keepReconciled(reconciliation: Reconciliation): Promise<void> {
  const { name, resources, isRelevant, signal, clock, log } = reconciliation;
  const loop = new Loop(reconciliation);
  signal.addEventListener('abort', () => loop.stop(), { once: true });
  for (const resource of resources) {
    const event = (_: CacheEventType, entry: StoredEntry): void => {
      if (isRelevant?.(resource, entry) ?? true) loop.request();
    };
    void follow({ name, resource, event, caughtUp: () => loop.request(), signal, clock, log });
  }
  return loop.first;
}

/**
 * The same for one object, whose key is watched in the store: other objects of its kind are not kept in memory for it. `request` asks for a run.
 */
export function keepObjectReconciled(reconciliation: ObjectReconciliation): { request: () => void } {
  const { name, resource, namespace, object, signal, clock, log } = reconciliation;
  const loop = new Loop(reconciliation);
  signal.addEventListener('abort', () => loop.stop(), { once: true });
  const { store } = resource;
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for await (const _ of store.storage.watch(store.key(namespace, object), { signal })) loop.request();
      } catch (error) {
        if (signal.aborted) return;
        log.info(`${name} will be watched again`, { err: error });
        await pause(clock, retryMs, signal);
      }
      // What has changed meanwhile was not seen.
      loop.request();
    }
  };
  void watch();
  return { request: () => loop.request() };
}

class Loop {
  readonly #reconciliation: RepeatedWork;
  readonly #first = Promise.withResolvers<void>();
  #timer: Disposable | undefined;
  #failures = 0;
  #wanted = false;
  #running = false;

  constructor(reconciliation: RepeatedWork) {
    this.#reconciliation = reconciliation;
  }

  get first(): Promise<void> {
    return this.#first.promise;
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#first.resolve();
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
        const putOff = await reconcile();
        if (typeof putOff === 'number') this.#later(putOff);
        this.#failures = 0;
        this.#first.resolve();
      }
    } catch (error) {
      this.#again(error);
    }
    // In the same turn as the last look at what is wanted: a request in between would be lost.
    this.#running = false;
  }

  #again(error: unknown): void {
    const { name, signal, log } = this.#reconciliation;
    if (signal.aborted) return;
    log.warn(`${name} will be tried again`, { err: error });
    this.#later(Math.min(retryMs * 2 ** this.#failures++, longestRetryMs));
  }

  #later(milliseconds: number): void {
    const { signal, clock } = this.#reconciliation;
    this.#timer?.[Symbol.dispose]();
    if (!signal.aborted) this.#timer = clock.setTimeout(() => this.request(), milliseconds);
  }
}

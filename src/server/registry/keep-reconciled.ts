import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { WatchHandle, WatchSink } from '../../storage/cache/types.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';

export interface Reconciliation {
  /** what the log calls it */
  readonly name: string;
  readonly resources: readonly Resource[];
  /** whether a change can matter; default: every one does */
  readonly concerns?: (resource: Resource, entry: StoredEntry) => boolean;
  /** brings into line what follows from these resources, whatever has changed */
  readonly reconcile: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

const retryMs = 1000;

/** Reconciles now and after every change, one run at a time, until the signal ends it; a run that fails is repeated. Resolves at once. */
export function keepReconciled(reconciliation: Reconciliation): void {
  const { signal } = reconciliation;
  if (signal.aborted) return;
  const loop = new Loop(reconciliation);
  signal.addEventListener('abort', () => loop.stop(), { once: true });
  loop.start();
}

class Loop {
  readonly #reconciliation: Reconciliation;
  readonly #watches = new Map<Resource, WatchHandle>();
  readonly #timers = new Set<Disposable>();
  #wanted = false;
  #running = false;

  constructor(reconciliation: Reconciliation) {
    this.#reconciliation = reconciliation;
  }

  start(): void {
    for (const resource of this.#reconciliation.resources) this.#follow(resource);
  }

  stop(): void {
    for (const timer of this.#timers) timer[Symbol.dispose]();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #follow(resource: Resource): void {
    this.#watch(resource).catch((error: unknown) => this.#again(error, () => this.#follow(resource)));
  }

  async #watch(resource: Resource): Promise<void> {
    const { cache } = resource.store;
    const { signal } = this.#reconciliation;
    await cache.ready(signal);
    if (signal.aborted) return;
    const sink: WatchSink<StoredEntry> = {
      event: (_, { object }) => {
        if (this.#reconciliation.concerns?.(resource, object) ?? true) this.#request();
      },
      bookmark: () => {},
      end: () => this.#follow(resource),
    };
    const watch = cache.watch({ prefix: resource.keyPrefix, matches: () => true, from: 'now', bookmarks: false, sink });
    this.#watches.set(resource, watch);
    this.#request();
  }

  #request(): void {
    this.#wanted = true;
    if (this.#running) return;
    this.#running = true;
    this.#run()
      .catch((error: unknown) => this.#again(error, () => this.#request()))
      .finally(() => (this.#running = false));
  }

  async #run(): Promise<void> {
    const { reconcile, signal } = this.#reconciliation;
    while (this.#wanted && !signal.aborted) {
      this.#wanted = false;
      await reconcile();
    }
  }

  #again(error: unknown, attempt: () => void): void {
    const { name, signal, clock, log } = this.#reconciliation;
    if (signal.aborted) return;
    log.warn(`${name} will be tried again`, { error: error instanceof Error ? error.message : String(error) });
    const timer = clock.setTimeout(() => {
      this.#timers.delete(timer);
      attempt();
    }, retryMs);
    this.#timers.add(timer);
  }
}

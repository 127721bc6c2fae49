// Upstream: k8s.io/apiserver/pkg/util/peerproxy/gv_exclusion_manager.go
import type { Clock } from '../../base/clock.ts';
import type { DiscoveryRegistry } from '../../server/discovery/registry.ts';

const graceMs = 5 * 60_000;

/**
 * Group versions of custom resources and of aggregated servers. All servers of a store know those by themselves; what a peer said of them
 * some time ago may be over, so it does not count, also for a while after they are gone.
 */
export class Exclusions implements Disposable {
  readonly #discovery: DiscoveryRegistry;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #unsubscribe: () => void;
  readonly #timers = new Map<string, Disposable>();
  #active = new Set<string>();

  constructor(discovery: DiscoveryRegistry, clock: Clock, changed: () => void) {
    this.#discovery = discovery;
    this.#clock = clock;
    this.#changed = changed;
    this.#unsubscribe = discovery.onChange(() => this.#update());
    this.#update();
  }

  has(group: string, version: string): boolean {
    const key = `${group}/${version}`;
    return this.#active.has(key) || this.#timers.has(key);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
  }

  #update(): void {
    const own = [...this.#discovery.from('custom'), ...this.#discovery.from('aggregated')];
    const active = new Set(own.map(({ group, version }) => `${group}/${version}`));
    const gone = [...this.#active].filter((key) => !active.has(key));
    if (gone.length === 0 && active.size === this.#active.size) return;
    this.#active = active;
    for (const key of gone) {
      this.#timers.get(key)?.[Symbol.dispose]();
      const timer = this.#clock.setTimeout(() => {
        this.#timers.delete(key);
        this.#changed();
      }, graceMs);
      this.#timers.set(key, timer);
    }
    this.#changed();
  }
}

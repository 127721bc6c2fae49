// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go#tearDown
import type { Clock } from '../../base/clock.ts';
import type { ServedDefinition } from './custom-resource.ts';

/** Requests that have just found it get this long to begin. */
const graceMs = 1000;

/** What definitions were served by before they changed: it ends when the last request that began with it is over. Its watches end then too. */
export class Retirement {
  readonly #clock: Clock;
  readonly #waiting = new Map<ServedDefinition, Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param idle resolves when no request uses it any more */
  retire(served: ServedDefinition, idle: Promise<unknown>): void {
    const timer = this.#clock.setTimeout(() => {
      void idle.then(() => this.#end(served));
    }, graceMs);
    this.#waiting.set(served, timer);
  }

  /** Does not wait for requests under way. */
  async stop(): Promise<void> {
    for (const [served, timer] of this.#waiting) {
      timer[Symbol.dispose]();
      await this.#end(served);
    }
  }

  async #end(served: ServedDefinition): Promise<void> {
    if (this.#waiting.delete(served)) await dispose(served);
  }
}

/** Watches and lists of a resource end with what it was served by. */
export async function dispose({ caches }: ServedDefinition): Promise<void> {
  for (const cache of caches) await cache[Symbol.asyncDispose]();
}

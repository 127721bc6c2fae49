// Upstream: k8s.io/apiserver/pkg/server/genericapiserver.go, k8s.io/apimachinery/pkg/util/waitgroup/ratelimited_waitgroup.go

/** watches per second that end at least, however long they may take */
const minRate = 200;
const stepMs = 10;

/** Watches under way, which end when the server stops: at once, or spread out so that their clients do not all come back together. */
export class ActiveWatches {
  readonly #stops = new Set<() => void>();
  readonly #ending = new AbortController();
  #gone: (() => void) | undefined;

  /** aborted when the server wants its watches to end */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  get count(): number {
    return this.#stops.size;
  }

  /** `stop` is called when the watch is to end, at most once. Call what is returned when it has ended. */
  add(stop: () => void): () => void {
    if (this.ending.aborted) stop();
    else this.#stops.add(stop);
    return () => {
      this.#stops.delete(stop);
      if (this.#stops.size === 0) this.#gone?.();
    };
  }

  /** Resolves when all have ended, after `graceMs` at the latest. 0: ends all and waits for none. */
  async end(graceMs: number): Promise<void> {
    this.#ending.abort();
    const stops = [...this.#stops];
    if (graceMs > 0 && stops.length > 0) {
      const gone = new Promise<void>((resolve) => (this.#gone = resolve));
      const perStep = (Math.max(minRate, stops.length / (graceMs / 1000)) * stepMs) / 1000;
      const startedAt = performance.now();
      let ended = 0;
      const step = setInterval(() => {
        const due = Math.ceil(((performance.now() - startedAt) / stepMs) * perStep);
        for (const stop of stops.slice(ended, due)) stop();
        ended = Math.max(ended, due);
      }, stepMs);
      const late = Promise.withResolvers<void>();
      const grace = setTimeout(late.resolve, graceMs);
      await Promise.race([gone, late.promise]);
      clearInterval(step);
      clearTimeout(grace);
    }
    for (const stop of this.#stops) stop();
  }
}

// Upstream: k8s.io/apiserver/pkg/storage/etcd3/lease_manager.go
export interface LeaseManagerOptions {
  /** how long a lease is handed out again, at most (`--lease-reuse-duration-seconds`) */
  readonly reuseDurationSeconds: number;
  readonly maxObjectCount: number;
  readonly grant: (ttlSeconds: number, signal: AbortSignal | undefined) => Promise<bigint>;
  /** milliseconds; injected so that tests need not wait */
  readonly now: () => number;
  /** how many keys a lease held when it was replaced, for metrics */
  readonly onRetired?: (objectCount: number) => void;
}

const reuseShareOfTtl = 0.05;

/**
 * Keys with a time to live share leases, since each lease costs etcd: one is granted a little longer than asked and
 * handed out until that surplus is used up or it holds many keys.
 */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  #last: { id: bigint; expires: number } | undefined;
  #attached = 0;
  #granting: Promise<bigint> = Promise.resolve(0n);

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
  }

  /** A lease that outlives `ttlSeconds` by at most 5 % or the reuse duration. Callers take turns, so that they share. */
  lease(ttlSeconds: number, signal?: AbortSignal): Promise<bigint> {
    const next = this.#granting.then(
      () => this.#take(ttlSeconds, signal),
      () => this.#take(ttlSeconds, signal),
    );
    this.#granting = next;
    return next;
  }

  /** The lease turned out to be gone: do not hand it out again. */
  forget(id: bigint): void {
    if (this.#last?.id === id) this.#last = undefined;
  }

  async #take(ttlSeconds: number, signal: AbortSignal | undefined): Promise<bigint> {
    const { now, grant, maxObjectCount, reuseDurationSeconds, onRetired } = this.#options;
    const reuse = Math.min(Math.trunc(reuseShareOfTtl * ttlSeconds), reuseDurationSeconds);
    const start = now();
    // Counts every request, whether its write succeeds or not, as upstream does.
    this.#attached++;
    const last = this.#last;
    if (last !== undefined && this.#attached <= maxObjectCount) {
      const longEnough = start + ttlSeconds * 1000 < last.expires;
      const notTooLong = start + (ttlSeconds + reuse) * 1000 >= last.expires;
      if (longEnough && notTooLong) return last.id;
    }
    const id = await grant(ttlSeconds + reuse, signal);
    onRetired?.(this.#attached);
    this.#last = { id, expires: start + (ttlSeconds + reuse) * 1000 };
    this.#attached = 1;
    return id;
  }
}

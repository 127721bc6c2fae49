// Upstream: k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/{limitenforcer,cache}.go, golang.org/x/time/rate
import type { Clock } from '../../base/clock.ts';

interface Bucket {
  tokens: number;
  /** when it had that many, in milliseconds */
  at: number;
}

export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** how many keys are remembered; those not used for longest are forgotten, and start afresh */
  readonly keys: number;
  readonly clock: Clock;
}

/** A bucket of tokens per key: full at first, filled up at a steady rate. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  /** the one used last at the end */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Takes a token; false when there is none. */
  take(key: string): boolean {
    const { perSecond, burst, keys, clock } = this.#options;
    const now = clock.now();
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const present = Math.min(burst, tokens + (Math.max(0, now - at) * perSecond) / 1000);
    const isThere = present >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isThere ? present - 1 : present, at: now });
    if (this.#buckets.size > keys) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return isThere;
  }
}

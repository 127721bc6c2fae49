// Upstream: k8s.io/apiserver/pkg/storage/cacher/cacher.go#watcherBookmarkTimeBuckets
import type { Clock } from '../../base/clock.ts';
import type { CacheEntry } from './types.ts';
import type { Watcher } from './watcher.ts';

const periodMilliseconds = 60_000;
const beforeDeadlineMilliseconds = 2_000;
const bucketMilliseconds = 1_000;

/** Knows which watchers are due a bookmark. Watchers due within the same second share a bucket; one timer waits for the next bucket. */
export class BookmarkSchedule<T extends CacheEntry> implements Disposable {
  readonly #clock: Clock;
  readonly #due: (watchers: readonly Watcher<T>[]) => void;
  readonly #buckets = new Map<number, Set<Watcher<T>>>();
  readonly #bucketOf = new Map<Watcher<T>, number>();
  #timer: { readonly bucket: number; readonly handle: Disposable } | undefined;

  constructor(clock: Clock, due: (watchers: readonly Watcher<T>[]) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Plans the watcher's next bookmark: in a minute, or shortly before its deadline. */
  add(watcher: Watcher<T>): void {
    const now = this.#clock.elapsed();
    const last = (watcher.options.deadline ?? Infinity) - beforeDeadlineMilliseconds;
    const time = Math.min(now + periodMilliseconds, last);
    if (time <= now) return;
    const bucket = Math.ceil(time / bucketMilliseconds);
    const set = this.#buckets.get(bucket);
    if (set === undefined) this.#buckets.set(bucket, new Set([watcher]));
    else set.add(watcher);
    this.#bucketOf.set(watcher, bucket);
    this.#arm();
  }

  remove(watcher: Watcher<T>): void {
    const bucket = this.#bucketOf.get(watcher);
    if (bucket === undefined) return;
    this.#bucketOf.delete(watcher);
    const set = this.#buckets.get(bucket);
    set?.delete(watcher);
    if (set?.size !== 0) return;
    this.#buckets.delete(bucket);
    this.#arm();
  }

  [Symbol.dispose](): void {
    this.#buckets.clear();
    this.#bucketOf.clear();
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const bucket of this.#buckets.keys()) next = Math.min(next, bucket);
    if (next === (this.#timer?.bucket ?? Infinity)) return;
    this.#timer?.handle[Symbol.dispose]();
    this.#timer = undefined;
    if (next === Infinity) return;
    const wait = Math.max(0, next * bucketMilliseconds - this.#clock.elapsed());
    this.#timer = { bucket: next, handle: this.#clock.setTimeout(() => this.#fire(next), wait) };
  }

  #fire(bucket: number): void {
    this.#timer = undefined;
    const watchers = [...(this.#buckets.get(bucket) ?? [])];
    this.#buckets.delete(bucket);
    for (const watcher of watchers) this.#bucketOf.delete(watcher);
    this.#arm();
    this.#due(watchers);
  }
}

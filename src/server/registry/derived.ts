import type { WatchHandle, WatchSink } from '../../storage/cache/types.ts';
import type { Cluster } from './cluster.ts';
import type { StoredEntry } from './entry.ts';

/** The resources that something is made of. */
export interface Sources {
  readonly group: string;
  readonly plurals: readonly string[];
}

/** Something made of all stored objects of some resources, as they are now: after any change of one the next who asks makes it again. */
export class Derived<T extends object> {
  readonly #cluster: Cluster;
  readonly #sources: Sources;
  readonly #make: () => T;
  #value: T | undefined;
  #following: Promise<void> | undefined;

  /** `make` reads from caches that are ready. */
  constructor(cluster: Cluster, sources: Sources, make: () => T) {
    this.#cluster = cluster;
    this.#sources = sources;
    this.#make = make;
  }

  /** undefined: it has to be made first. */
  get current(): T | undefined {
    return this.#value;
  }

  async get(): Promise<T> {
    if (this.#value !== undefined) return this.#value;
    await (this.#following ??= this.#follow());
    return (this.#value ??= this.#make());
  }

  /** Whoever asks next has it made again. */
  invalidate(): void {
    this.#value = undefined;
  }

  /** Stored objects of one of its resources, in the order of their keys; none where it is not served. */
  *entries(plural: string): Generator<StoredEntry> {
    const found = this.#cluster.find(this.#sources.group, plural);
    if (found !== undefined) yield* found.store.cache.list({ prefix: found.keyPrefix }).items;
  }

  async #follow(): Promise<void> {
    const watches: WatchHandle[] = [];
    // Whoever asks next starts anew.
    const stop = (): void => {
      this.#value = undefined;
      this.#following = undefined;
      for (const watch of watches.splice(0)) watch.close();
    };
    const sink: WatchSink<StoredEntry> = { event: () => void (this.#value = undefined), bookmark: () => {}, end: stop };
    try {
      for (const plural of this.#sources.plurals) {
        const found = this.#cluster.find(this.#sources.group, plural);
        if (found === undefined) continue;
        await found.store.cache.ready();
        const prefix = found.keyPrefix;
        watches.push(found.store.cache.watch({ prefix, matches: () => true, from: 'now', bookmarks: false, sink }));
      }
    } catch (error) {
      stop();
      throw error;
    }
  }
}

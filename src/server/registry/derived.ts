import type { WatchHandle } from '../../storage/cache/types.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { ObjectReader } from './object-reader.ts';
import type { StoredEntry } from './entry.ts';
import { watchResource } from './follow.ts';

/** The resources that something is made of. */
export interface Sources {
  readonly group: string;
  readonly plurals: readonly string[];
}

/** Something made of all stored objects of some resources, as they are now: after any change of one the next who asks makes it again. */
export class Derived<T extends object> {
  readonly #reader: ObjectReader;
  readonly #sources: Sources;
  readonly #make: () => T;
  #value: T | undefined;
  #following: Promise<void> | undefined;

  /** `make` reads from caches that are ready. */
  constructor(reader: ObjectReader, sources: Sources, make: () => T) {
    this.#reader = reader;
    this.#sources = sources;
    this.#make = make;
  }

  /** undefined: it has to be made first. */
  get current(): T | undefined {
    return this.#value;
  }

  async get(): Promise<T> {
    while (this.#value === undefined) {
      const following = (this.#following ??= this.#follow());
      await following;
      // Without following its resources there is no event that says it is out of date.
      if (this.#following === following) this.#value ??= this.#make();
    }
    return this.#value;
  }

  /** The next caller has it made again. */
  invalidate(): void {
    this.#value = undefined;
  }

  /** Stored objects of one of its resources, in the order of their keys; none where it is not served. */
  *entries(plural: string): Generator<StoredEntry> {
    const found = this.#reader.find(this.#sources.group, plural);
    if (found !== undefined) yield* found.store.cache.list({ prefix: found.keyPrefix }).items;
  }

  /** The same, parsed one by one as they are asked for. */
  *objects<O extends KubeObject>(plural: string): Generator<O> {
    const store = this.#reader.find(this.#sources.group, plural)?.store;
    if (store !== undefined) for (const entry of this.entries(plural)) yield store.parse(entry) as O;
  }

  async #follow(): Promise<void> {
    const watches: WatchHandle[] = [];
    let isOver = false;
    // The next caller starts anew.
    const stop = (): void => {
      isOver = true;
      this.#value = undefined;
      this.#following = undefined;
      for (const watch of watches.splice(0)) watch.close();
    };
    const event = (): void => void (this.#value = undefined);
    try {
      for (const plural of this.#sources.plurals) {
        const resource = this.#reader.find(this.#sources.group, plural);
        if (resource === undefined) continue;
        const watch = await watchResource({ resource, event, ended: stop });
        if (isOver) return watch.close();
        watches.push(watch);
      }
    } catch (error) {
      stop();
      throw error;
    }
  }
}

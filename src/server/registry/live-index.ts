import { Slices } from '../../base/slices.ts';
import type { WatchHandle } from '../../storage/cache/types.ts';
import type { Sources } from './derived.ts';
import type { StoredEntry } from './entry.ts';
import { watchResource } from './follow.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Resource } from './resource.ts';

/** What is made of stored objects one by one. */
export interface IndexOf {
  /** The object is there, or is there in this state now. */
  set(plural: string, entry: StoredEntry): void;
  delete(plural: string, key: string): void;
}

/**
 * An index of all stored objects of some resources, as they are now. Unlike what is derived of them it is changed with each: however many
 * there are, a change costs as much as the one object.
 */
export class LiveIndex<T extends IndexOf> {
  readonly #reader: ObjectReader;
  readonly #sources: Sources;
  readonly #make: () => T;
  #current: T | undefined;
  #loading: Promise<void> | undefined;

  constructor(reader: ObjectReader, sources: Sources, make: () => T) {
    this.#reader = reader;
    this.#sources = sources;
    this.#make = make;
  }

  /** undefined: it has to be made first. */
  get current(): T | undefined {
    return this.#current;
  }

  async get(): Promise<T> {
    while (this.#current === undefined) await (this.#loading ??= this.#load());
    return this.#current;
  }

  async #load(): Promise<void> {
    const index = this.#make();
    const watches: WatchHandle[] = [];
    let isOver = false;
    // The next caller starts anew.
    const stop = (): void => {
      if (!isOver) this.#current = this.#loading = undefined;
      isOver = true;
      for (const watch of watches.splice(0)) watch.close();
    };
    try {
      const slices = new Slices();
      for (const plural of this.#sources.plurals) {
        const resource = this.#reader.find(this.#sources.group, plural);
        if (resource === undefined) continue;
        const { watch, listed } = await listAndWatch(resource, plural, index, stop);
        watches.push(watch);
        for (const change of listed) {
          if (isOver) return stop();
          change();
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      }
      if (isOver) stop();
      else this.#current = index;
    } catch (error) {
      stop();
      throw error;
    }
  }
}

/** Changes go to the index from now on; what is there already is to be put there by the caller, one by one. */
async function listAndWatch(
  resource: Resource,
  plural: string,
  index: IndexOf,
  ended: () => void,
): Promise<{ readonly watch: WatchHandle; readonly listed: Iterable<() => void> }> {
  /** what the list shows need not be taken from events */
  let listedAt = Infinity;
  const changed = new Set<string>();
  let isListed = false;
  const watch = await watchResource({
    resource,
    event: (type, entry) => {
      if (entry.revision <= listedAt) return;
      if (!isListed) changed.add(entry.key);
      if (type === 'DELETED') index.delete(plural, entry.key);
      else index.set(plural, entry);
    },
    ended,
  });
  const { items, revision } = resource.store.cache.list({ prefix: resource.keyPrefix });
  listedAt = revision;
  function* listed(): Generator<() => void> {
    for (const entry of items) if (!changed.has(entry.key)) yield () => index.set(plural, entry);
    isListed = true;
    changed.clear();
  }
  return { watch, listed: listed() };
}

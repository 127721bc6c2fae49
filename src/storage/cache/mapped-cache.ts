import type { Steps } from '../../base/steps.ts';
import { stepByStep } from '../../base/steps.ts';
import type {
  CacheEntry,
  CacheEvent,
  CacheListOptions,
  CacheListResult,
  CacheStats,
  CacheWatchOptions,
  CorruptEntry,
  SharedForm,
  WatchCache,
  WatchHandle,
  WatchSink,
} from './types.ts';

/**
 * A cache whose entries are shown in another way; several such views have one state, one history and one watch of the storage. `map` keeps key,
 * revision, labels and fields, so that selection is the same in every view, and gives the same entry for the same entry.
 */
export function mappedCache<T extends CacheEntry>(cache: WatchCache<T>, { map, prepare }: EntryView<T>): WatchCache<T> {
  return new MappedCache(cache, map, prepare);
}

export interface EntryView<T> {
  readonly map: (entry: T) => T;
  /** Ahead of `map`, which then finds what it takes. */
  readonly prepare: (entry: T) => Steps<void>;
}

class MappedCache<T extends CacheEntry> implements WatchCache<T> {
  readonly #cache: WatchCache<T>;
  readonly #map: (entry: T) => T;
  readonly prepare: NonNullable<WatchCache<T>['prepare']>;

  constructor(cache: WatchCache<T>, map: (entry: T) => T, prepare: (entry: T) => Steps<void>) {
    this.#cache = cache;
    this.#map = map;
    this.prepare = {
      async get(key) {
        const entry = cache.get(key);
        if (entry !== undefined) await stepByStep(prepare(entry));
      },
      list: (options, wanted, limit) => stepByStep(preparing(cache.list(options).items, wanted, limit, prepare)),
    };
  }

  get isReady(): boolean {
    return this.#cache.isReady;
  }

  get isLoading(): boolean {
    return this.#cache.isLoading;
  }

  get revision(): number {
    return this.#cache.revision;
  }

  get oldestRevision(): number {
    return this.#cache.oldestRevision;
  }

  get stats(): CacheStats {
    return this.#cache.stats;
  }

  ready(signal?: AbortSignal): Promise<void> {
    return this.#cache.ready(signal);
  }

  waitFor(revision: number, signal?: AbortSignal): Promise<void> {
    return this.#cache.waitFor(revision, signal);
  }

  fresh(signal?: AbortSignal): Promise<void> {
    return this.#cache.fresh(signal);
  }

  get(key: string): T | undefined {
    const entry = this.#cache.get(key);
    return entry && this.#map(entry);
  }

  corrupt(key: string): CorruptEntry | undefined {
    return this.#cache.corrupt(key);
  }

  corruptIn(prefix: string): readonly CorruptEntry[] {
    return this.#cache.corruptIn(prefix);
  }

  list(options: CacheListOptions): CacheListResult<T> {
    const { items, revision, total } = this.#cache.list(options);
    return { items: lazily(items, this.#map), stored: items, revision, total };
  }

  watch(options: CacheWatchOptions<T>): WatchHandle {
    return this.#cache.watch({ ...options, sink: new MappedSink(options.sink, this.#map) });
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#cache[Symbol.asyncDispose]();
  }
}

class MappedSink<T extends CacheEntry> implements WatchSink<T> {
  readonly #sink: WatchSink<T>;
  readonly #map: (entry: T) => T;

  constructor(sink: WatchSink<T>, map: (entry: T) => T) {
    this.#sink = sink;
    this.#map = map;
  }

  event(type: CacheEvent<T>['type'], event: CacheEvent<T>): void {
    this.#sink.event(type, new MappedEvent(event, this.#map));
  }

  bookmark(revision: number, initialEventsEnd: boolean): void {
    this.#sink.bookmark(revision, initialEventsEnd);
  }

  live(): void {
    this.#sink.live?.();
  }

  end(error: Error): void {
    this.#sink.end(error);
  }

  get pending(): number {
    return this.#sink.pending ?? 0;
  }

  drained(limit: number): Promise<void> | undefined {
    return this.#sink.drained?.(limit);
  }

  get shared(): SharedForm<T> | undefined {
    const { shared } = this.#sink;
    if (shared === undefined) return undefined;
    const { form, encode, send } = shared;
    return { form, encode: (entries) => encode(lazily(entries, this.#map)), send };
  }
}

/** Encodings are those of the event itself: their keys say which view they are of. Where there is one, nothing is mapped. */
class MappedEvent<T extends CacheEntry> implements CacheEvent<T> {
  readonly #event: CacheEvent<T>;
  readonly #map: (entry: T) => T;

  constructor(event: CacheEvent<T>, map: (entry: T) => T) {
    this.#event = event;
    this.#map = map;
  }

  get type(): CacheEvent<T>['type'] {
    return this.#event.type;
  }

  get object(): T {
    return this.#map(this.#event.object);
  }

  get previous(): T | undefined {
    return this.#event.previous && this.#map(this.#event.previous);
  }

  get revision(): number {
    return this.#event.revision;
  }

  get encodings(): Map<unknown, unknown> {
    return this.#event.encodings;
  }
}

function* preparing<T>(
  entries: Iterable<T>,
  wanted: (entry: T) => boolean,
  limit: number,
  prepare: (entry: T) => Steps<void>,
): Steps<void> {
  let found = 0;
  for (const entry of entries) {
    if (wanted(entry)) {
      yield* prepare(entry);
      if (++found === limit) return;
    }
    yield;
  }
}

/** One by one, as they are asked for. */
function lazily<T>(entries: Iterable<T>, map: (entry: T) => T): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      for (const entry of entries) yield map(entry);
    },
  };
}

import type { Steps } from '../../base/steps.ts';
import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { isAscending, OrderedMap, prefixEnd } from '../ordered-map.ts';
import type { KeyValue, WatchItem } from '../storage.ts';
import { RecordedEvent } from './event.ts';
import { FieldIndex } from './field-index.ts';
import type { CacheEntry, CacheOptions, CorruptEntry } from './types.ts';
import { read, Unreadable } from './unreadable.ts';

/** One applied change of one key. A value that cannot be read is a change without an event: watchers keep what they saw last. */
export interface Change<T extends CacheEntry> {
  readonly key: string;
  readonly revision: number;
  readonly entry: T | undefined;
  readonly event: RecordedEvent<T> | undefined;
}

interface Spoiled<T extends CacheEntry> extends CorruptEntry {
  /** the last state that could be read */
  readonly last: T | undefined;
}

/** Keys whose values can be read, and those whose values cannot. */
interface Contents<T extends CacheEntry> {
  readonly entries: OrderedMap<T>;
  readonly spoiled: OrderedMap<Spoiled<T>>;
}

/** Where a change is made: in the contents, or in what is noted for them. */
interface Place<T extends CacheEntry> {
  readonly entries: Pick<OrderedMap<T>, 'get' | 'set' | 'delete'>;
  readonly spoiled: OrderedMap<Spoiled<T>>;
}

/** Changes of a map, each of another key, that are made together: then they cost one walk over it. */
class Noted<T> {
  readonly #map: OrderedMap<T>;
  readonly #keys: string[] = [];
  readonly #values: (T | undefined)[] = [];

  constructor(map: OrderedMap<T>) {
    this.#map = map;
  }

  get(key: string): T | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: T): undefined {
    this.#keys.push(key);
    this.#values.push(value);
  }

  delete(key: string): undefined {
    this.#keys.push(key);
    this.#values.push(undefined);
  }

  make(): Steps<void> {
    return this.#map.setAll(this.#keys, this.#values);
  }
}

/** What is made aside, in steps, and takes effect at once. */
export interface Staged<T extends CacheEntry> {
  readonly changes: readonly Change<T>[];
  adopt(): void;
}

type Replaced<T extends CacheEntry> = (before: T | undefined, after: T | undefined) => void;

/** So many values are read between two steps. */
const stepSize = 64;

/** Every key of the prefix as of the newest applied revision: readable entries, their field index, and the keys that are corrupt. */
export class State<T extends CacheEntry> {
  readonly #options: CacheOptions<T>;
  #index: FieldIndex<T>;
  #contents: Contents<T> = { entries: new OrderedMap(), spoiled: new OrderedMap() };
  #snapshot: ReadonlyOrderedMap<T> | undefined;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
    this.#index = new FieldIndex(options.indexedFields ?? []);
  }

  get size(): number {
    return this.#contents.entries.size;
  }

  get corruptCount(): number {
    return this.#contents.spoiled.size;
  }

  get(key: string): T | undefined {
    return this.#contents.entries.get(key);
  }

  corrupt(key: string): CorruptEntry | undefined {
    return this.#contents.spoiled.get(key);
  }

  corruptIn(prefix: string): readonly CorruptEntry[] {
    const { spoiled } = this.#contents;
    return spoiled.size === 0 ? [] : spoiled.range(prefix, prefixEnd(prefix));
  }

  candidates(fieldEquals: Readonly<Record<string, string>>): ReadonlyMap<string, T> | undefined {
    return this.#index.candidates(fieldEquals);
  }

  /** The entries as they are now, whatever happens later. */
  snapshot(): ReadonlyOrderedMap<T> {
    return (this.#snapshot ??= this.#contents.entries.snapshot());
  }

  /** What takes the place of everything so far; `values` are in key order. */
  *load(values: readonly KeyValue[]): Steps<Staged<T>> {
    const keys: string[] = [];
    const entries: T[] = [];
    const index = new FieldIndex<T>(this.#options.indexedFields ?? []);
    const spoiled = new OrderedMap<Spoiled<T>>();
    for (const [at, kv] of values.entries()) {
      if (at % stepSize === stepSize - 1) yield;
      const entry = read(kv, this.#options.decode);
      if (entry instanceof Unreadable) {
        spoiled.set(kv.key, { key: kv.key, revision: kv.modRevision, error: entry.error, last: undefined });
        continue;
      }
      keys.push(kv.key);
      entries.push(entry);
      index.replace(undefined, entry);
    }
    const contents = { entries: OrderedMap.fromSorted(keys, entries), spoiled };
    const adopt = (): void => {
      this.#contents = contents;
      this.#index = index;
      this.#snapshot = undefined;
    };
    return { changes: [], adopt };
  }

  /** Many changes of one transaction. There must be no others until they are adopted. */
  *stage(items: readonly WatchItem[]): Steps<Staged<T>> {
    const { entries, spoiled } = this.#contents;
    const contents = { entries: entries.snapshot(), spoiled: spoiled.snapshot() };
    // In order, no key comes twice: none of the changes depends on another.
    const noted = isAscending(items.map(keyOf)) ? new Noted(contents.entries) : undefined;
    const place = { entries: noted ?? contents.entries, spoiled: contents.spoiled };
    const changes: Change<T>[] = [];
    const replaced: (readonly [T | undefined, T | undefined])[] = [];
    const note: Replaced<T> = this.#index.isEmpty ? () => {} : (before, after) => void replaced.push([before, after]);
    for (const [at, item] of items.entries()) {
      if (at % stepSize === stepSize - 1) yield;
      if (item.type === 'progress') continue;
      const change = item.type === 'put' ? this.#put(item.kv, place, note) : this.#delete(item.key, item.revision, place, note);
      if (change !== undefined) changes.push(change);
    }
    if (noted !== undefined) yield* noted.make();
    const adopt = (): void => {
      this.#contents = contents;
      for (const [before, after] of replaced) this.#index.replace(before, after);
      this.#snapshot = undefined;
    };
    return { changes, adopt };
  }

  /** undefined: nothing new */
  put(kv: KeyValue): Change<T> | undefined {
    return this.#put(kv, this.#contents, this.#replaced);
  }

  delete(key: string, revision: number): Change<T> | undefined {
    return this.#delete(key, revision, this.#contents, this.#replaced);
  }

  readonly #replaced: Replaced<T> = (before, after) => {
    this.#snapshot = undefined;
    this.#index.replace(before, after);
  };

  #put(kv: KeyValue, { entries, spoiled: all }: Place<T>, replaced: Replaced<T>): Change<T> | undefined {
    const { key, modRevision: revision } = kv;
    const before = entries.get(key);
    const spoiled = before === undefined ? all.get(key) : undefined;
    const known = before ?? spoiled;
    if (known !== undefined && revision <= known.revision) return undefined;
    const last = before ?? spoiled?.last;
    const entry = read(kv, this.#options.decode);
    if (entry instanceof Unreadable) {
      if (before !== undefined) entries.delete(key);
      replaced(before, undefined);
      all.set(key, { key, revision, error: entry.error, last });
      return { key, revision, entry: undefined, event: undefined };
    }
    if (spoiled !== undefined) all.delete(key);
    entries.set(key, entry);
    replaced(before, entry);
    return { key, revision, entry, event: new RecordedEvent(last === undefined ? 'ADDED' : 'MODIFIED', entry, last, revision) };
  }

  #delete(key: string, revision: number, { entries, spoiled: all }: Place<T>, replaced: Replaced<T>): Change<T> | undefined {
    const before = entries.get(key);
    const spoiled = before === undefined ? all.get(key) : undefined;
    const last = before ?? spoiled?.last;
    if (before === undefined && spoiled === undefined) return undefined;
    entries.delete(key);
    all.delete(key);
    replaced(before, undefined);
    const event = last === undefined ? undefined : new RecordedEvent('DELETED', this.#options.tombstone(last, revision), last, revision);
    return { key, revision, entry: undefined, event };
  }
}

/** '' for what is no change of a key: two of them are not in order. */
function keyOf(item: WatchItem): string {
  if (item.type === 'progress') return '';
  return item.type === 'put' ? item.kv.key : item.key;
}

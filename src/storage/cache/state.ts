import type { Steps } from '../../base/steps.ts';
import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { OrderedMap, prefixEnd } from '../ordered-map.ts';
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

/** What is made aside, in steps, and takes effect at once. */
export interface Staged<T extends CacheEntry> {
  readonly changes: readonly Change<T>[];
  adopt(): void;
}

type ChangeItem = Exclude<WatchItem, { type: 'progress' }>;

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
    const changes: Change<T>[] = [];
    const replaced: (readonly [T | undefined, T | undefined])[] = [];
    const stored = items.filter((item) => item.type !== 'progress');
    yield* contents.entries.changeAll(stored.map(keyOf), (at, before) => {
      const change = this.#change(stored[at]!, before, contents.spoiled);
      if (change === undefined) return before;
      if (before !== undefined) this.#options.replaced?.(before);
      changes.push(change);
      if (!this.#index.isEmpty) replaced.push([before, change.entry]);
      return change.entry;
    });
    const adopt = (): void => {
      this.#contents = contents;
      for (const [before, after] of replaced) this.#index.replace(before, after);
      this.#snapshot = undefined;
    };
    return { changes, adopt };
  }

  /** undefined: nothing new */
  apply(item: ChangeItem): Change<T> | undefined {
    const { entries, spoiled } = this.#contents;
    const key = keyOf(item);
    const before = entries.get(key);
    const change = this.#change(item, before, spoiled);
    if (change === undefined) return undefined;
    if (before !== undefined) this.#options.replaced?.(before);
    if (change.entry !== undefined) entries.set(key, change.entry);
    else if (before !== undefined) entries.delete(key);
    this.#index.replace(before, change.entry);
    this.#snapshot = undefined;
    return change;
  }

  /** What becomes of an entry. Of values that cannot be read it takes note at once. */
  #change(item: ChangeItem, before: T | undefined, all: OrderedMap<Spoiled<T>>): Change<T> | undefined {
    const spoiled = before === undefined ? all.get(keyOf(item)) : undefined;
    const last = before ?? spoiled?.last;
    if (item.type === 'put') return this.#put(item.kv, before ?? spoiled, last, all);
    const { key, revision } = item;
    if (before === undefined && spoiled === undefined) return undefined;
    if (spoiled !== undefined) all.delete(key);
    const event = last === undefined ? undefined : new RecordedEvent('DELETED', this.#options.tombstone(last, revision), last, revision);
    return { key, revision, entry: undefined, event };
  }

  #put(kv: KeyValue, known: T | Spoiled<T> | undefined, last: T | undefined, all: OrderedMap<Spoiled<T>>): Change<T> | undefined {
    const { key, modRevision: revision } = kv;
    if (known !== undefined && revision <= known.revision) return undefined;
    const entry = read(kv, this.#options.decode);
    if (entry instanceof Unreadable) {
      all.set(key, { key, revision, error: entry.error, last });
      return { key, revision, entry: undefined, event: undefined };
    }
    if (all.size > 0) all.delete(key);
    return { key, revision, entry, event: new RecordedEvent(last === undefined ? 'ADDED' : 'MODIFIED', entry, last, revision) };
  }
}

function keyOf(item: ChangeItem): string {
  return item.type === 'put' ? item.kv.key : item.key;
}

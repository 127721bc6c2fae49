import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { OrderedMap, prefixEnd } from '../ordered-map.ts';
import type { KeyValue } from '../storage.ts';
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

/** Every key of the prefix as of the newest applied revision: readable entries, their field index, and the keys that are corrupt. */
export class State<T extends CacheEntry> {
  readonly #options: CacheOptions<T>;
  readonly #index: FieldIndex<T>;
  #entries = new OrderedMap<T>();
  #spoiled = new OrderedMap<Spoiled<T>>();
  #snapshot: ReadonlyOrderedMap<T> | undefined;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
    this.#index = new FieldIndex(options.indexedFields ?? []);
  }

  get size(): number {
    return this.#entries.size;
  }

  get corruptCount(): number {
    return this.#spoiled.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  corrupt(key: string): CorruptEntry | undefined {
    return this.#spoiled.get(key);
  }

  corruptIn(prefix: string): readonly CorruptEntry[] {
    return this.#spoiled.size === 0 ? [] : this.#spoiled.range(prefix, prefixEnd(prefix));
  }

  candidates(fieldEquals: Readonly<Record<string, string>>): ReadonlyMap<string, T> | undefined {
    return this.#index.candidates(fieldEquals);
  }

  /** The entries as they are now, whatever happens later. */
  snapshot(): ReadonlyOrderedMap<T> {
    return (this.#snapshot ??= this.#entries.snapshot());
  }

  /** Takes the place of everything so far; `values` are in key order. */
  load(values: Iterable<KeyValue>): void {
    const keys: string[] = [];
    const entries: T[] = [];
    this.#index.clear();
    this.#spoiled = new OrderedMap();
    for (const kv of values) {
      const entry = read(kv, this.#options.decode);
      if (entry instanceof Unreadable) {
        this.#spoiled.set(kv.key, { key: kv.key, revision: kv.modRevision, error: entry.error, last: undefined });
        continue;
      }
      keys.push(kv.key);
      entries.push(entry);
      this.#index.replace(undefined, entry);
    }
    this.#entries = OrderedMap.fromSorted(keys, entries);
    this.#snapshot = undefined;
  }

  /** undefined: nothing new */
  put(kv: KeyValue): Change<T> | undefined {
    const { key, modRevision: revision } = kv;
    const before = this.#entries.get(key);
    const spoiled = before === undefined ? this.#spoiled.get(key) : undefined;
    const known = before ?? spoiled;
    if (known !== undefined && revision <= known.revision) return undefined;
    const last = before ?? spoiled?.last;
    const entry = read(kv, this.#options.decode);
    this.#snapshot = undefined;
    if (entry instanceof Unreadable) {
      if (before !== undefined) this.#entries.delete(key);
      this.#index.replace(before, undefined);
      this.#spoiled.set(key, { key, revision, error: entry.error, last });
      return { key, revision, entry: undefined, event: undefined };
    }
    if (spoiled !== undefined) this.#spoiled.delete(key);
    this.#entries.set(key, entry);
    this.#index.replace(before, entry);
    return { key, revision, entry, event: new RecordedEvent(last === undefined ? 'ADDED' : 'MODIFIED', entry, last, revision) };
  }

  delete(key: string, revision: number): Change<T> | undefined {
    const before = this.#entries.get(key);
    const spoiled = before === undefined ? this.#spoiled.get(key) : undefined;
    const last = before ?? spoiled?.last;
    if (before === undefined && spoiled === undefined) return undefined;
    this.#snapshot = undefined;
    this.#entries.delete(key);
    this.#spoiled.delete(key);
    this.#index.replace(before, undefined);
    const event = last === undefined ? undefined : new RecordedEvent('DELETED', this.#options.tombstone(last, revision), last, revision);
    return { key, revision, entry: undefined, event };
  }
}

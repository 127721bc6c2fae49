import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { compareKeys, prefixEnd } from '../ordered-map.ts';
import type { CacheEntry, CacheListOptions, CacheListResult } from './types.ts';

const portionSize = 256;
const leastParted = 64;
/** Sorting a few candidates beats walking the prefix; many of them do not. */
const indexAdvantage = 4;

/** The part of a state that a list wants. `candidates` hold at least all entries with the wanted field values, in no order. */
export function listing<T extends CacheEntry>(
  state: ReadonlyOrderedMap<T>,
  revision: number,
  options: CacheListOptions,
  candidates: ReadonlyMap<string, T> | undefined,
): CacheListResult<T> {
  const { prefix, limit = Infinity } = options;
  const from = options.from ?? prefix;
  const to = prefixEnd(prefix);
  const total = state.count(from, to);
  if (candidates !== undefined && candidates.size * indexAdvantage < total) {
    const keys = [...candidates.keys()].filter((key) => key.startsWith(prefix) && compareKeys(key, from) >= 0);
    const items = keys.sort(compareKeys).map((key) => candidates.get(key)!);
    return { items: limit < items.length ? items.slice(0, limit) : items, revision, total };
  }
  const items = limit <= portionSize || total <= portionSize ? state.range(from, to, limit) : walk(state, from, to, limit);
  const parts = limit === Infinity && total >= leastParted ? () => state.parts(from, to) : undefined;
  return { items, parts, revision, total };
}

function walk<T extends CacheEntry>(state: ReadonlyOrderedMap<T>, from: string, to: string | undefined, limit: number): Iterable<T> {
  return { [Symbol.iterator]: () => new Walk(state, from, to, limit) };
}

/** Portion after portion. A generator would take as long as what is done with its values. */
class Walk<T extends CacheEntry> implements Iterator<T, undefined> {
  readonly #state: ReadonlyOrderedMap<T>;
  readonly #to: string | undefined;
  #from: string;
  #left: number;
  #portion: readonly T[] = [];
  #at = 0;

  constructor(state: ReadonlyOrderedMap<T>, from: string, to: string | undefined, limit: number) {
    this.#state = state;
    this.#from = from;
    this.#to = to;
    this.#left = limit;
  }

  next(): IteratorResult<T, undefined> {
    if (this.#at === this.#portion.length && !this.#advance()) return { done: true, value: undefined };
    return { done: false, value: this.#portion[this.#at++] as T };
  }

  /** Whether there is more. */
  #advance(): boolean {
    const last = this.#portion.at(-1);
    if (last !== undefined) {
      if (this.#portion.length < portionSize) return false;
      this.#from = `${last.key}\0`;
    }
    this.#portion = this.#state.range(this.#from, this.#to, Math.min(portionSize, this.#left));
    this.#left -= this.#portion.length;
    this.#at = 0;
    return this.#portion.length > 0;
  }
}

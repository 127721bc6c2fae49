import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { compareKeys, prefixEnd } from '../ordered-map.ts';
import type { CacheEntry, CacheListOptions, CacheListResult } from './types.ts';

const portionSize = 256;
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
  return { items, revision, total };
}

function walk<T extends CacheEntry>(state: ReadonlyOrderedMap<T>, from: string, to: string | undefined, limit: number): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      let left = limit;
      for (let at = from; left > 0;) {
        const portion = state.range(at, to, Math.min(portionSize, left));
        yield* portion;
        left -= portion.length;
        if (portion.length < portionSize) return;
        at = `${portion.at(-1)!.key}\0`;
      }
    },
  };
}

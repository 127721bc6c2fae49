import { compareKeys } from '../ordered-map.ts';
import type { KeyValue } from '../storage.ts';
import type { Keyspace } from './keyspace.ts';
import type { ChangeItem } from './transaction.ts';

/** The state as it will be once everything that is queued is durable. To be read at once: it moves along with the store. */
export class ForeseenState {
  readonly #keyspace: Keyspace;
  /** per key, the last change that is queued */
  readonly #pending: ReadonlyMap<string, ChangeItem>;

  constructor(keyspace: Keyspace, pending: ReadonlyMap<string, ChangeItem>) {
    this.#keyspace = keyspace;
    this.#pending = pending;
  }

  get(key: string): KeyValue | undefined {
    const item = this.#pending.get(key);
    if (item === undefined) return this.#keyspace.get(key);
    return item.type === 'put' ? item.kv : undefined;
  }

  /** Keys in [from, to), in order; `to` undefined: to the end. */
  range(from: string, to: string | undefined): KeyValue[] {
    return overlaid(this.#keyspace.stateAt().range(from, to), this.#pending, from, to);
  }
}

/** Sorted values with changes made to them that concern [from, to). */
export function overlaid(values: KeyValue[], changes: ReadonlyMap<string, ChangeItem>, from: string, to: string | undefined): KeyValue[] {
  const concerned = new Map<string, ChangeItem>();
  for (const [key, item] of changes) {
    if (compareKeys(key, from) >= 0 && (to === undefined || compareKeys(key, to) < 0)) concerned.set(key, item);
  }
  if (concerned.size === 0) return values;
  const merged = values.filter(({ key }) => !concerned.has(key));
  for (const item of concerned.values()) if (item.type === 'put') merged.push(item.kv);
  return merged.sort((a, b) => compareKeys(a.key, b.key));
}

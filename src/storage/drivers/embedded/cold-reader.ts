import { OrderedMap } from '../../ordered-map.ts';
import type { Changes } from '../../mvcc/history.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import type { KeyValue } from '../../storage.ts';
import type { LogFiles } from './log-files.ts';
import { detached } from './merge.ts';
import type { StoredRecord } from './record.ts';

/** Changes that one response holds at most, but for the rest of a transaction. */
const changesAtOnce = 20_000;
const states = 2;

/**
 * Reads history that memory no longer holds, from the checkpoint and the log. That means going through the files from the start,
 * so it is for the rare reader who comes back after a great many changes, and costs other requests nothing.
 */
export class ColdReader {
  readonly #log: LogFiles;
  /** what was read lately, since pages of one list ask for the same state */
  readonly #states = new Map<string, OrderedMap<KeyValue>>();

  constructor(log: LogFiles) {
    this.#log = log;
  }

  /** Keys with this prefix as they were at `revision`. */
  async stateAt(revision: number, prefix: string): Promise<OrderedMap<KeyValue>> {
    const name = `${revision} ${prefix}`;
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const state = await this.#load(revision, prefix);
    this.#states.set(name, state);
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= states) break;
      this.#states.delete(oldest);
    }
    return state;
  }

  /** Changes with this prefix in (revision, upTo], or the first of them. */
  async since(revision: number, upTo: number, prefix: string): Promise<Changes> {
    const state = (await this.stateAt(revision, prefix)).snapshot();
    const items: ChangeItem[] = [];
    for await (const records of this.#log.records(revision, upTo)) {
      for (const record of records) {
        if (!record.key.startsWith(prefix)) continue;
        const last = items.at(-1);
        if (last !== undefined && items.length >= changesAtOnce && revisionOf(last) !== record.revision)
          return { items, upTo: revisionOf(last) };
        items.push(apply(state, detached(record)));
      }
    }
    return { items, upTo };
  }

  forget(): void {
    this.#states.clear();
  }

  async #load(revision: number, prefix: string): Promise<OrderedMap<KeyValue>> {
    const keys: string[] = [];
    const values: KeyValue[] = [];
    for await (const batch of this.#log.readCheckpoint()) {
      for (const { record } of batch) {
        if (!record.key.startsWith(prefix)) continue;
        keys.push(record.key);
        values.push(detached(record).kv!);
      }
    }
    const state = OrderedMap.fromSorted(keys, values);
    for await (const records of this.#log.records(this.#log.checkpoint?.revision ?? 0, revision)) {
      for (const record of records) if (record.key.startsWith(prefix)) apply(state, detached(record));
    }
    return state;
  }
}

function apply(state: OrderedMap<KeyValue>, { key, kv, revision }: StoredRecord): ChangeItem {
  if (kv === undefined) return { type: 'delete', key, revision, previous: state.delete(key) };
  return { type: 'put', kv, previous: state.set(key, kv) };
}

function revisionOf(item: ChangeItem): number {
  return item.type === 'put' ? item.kv.modRevision : item.revision;
}

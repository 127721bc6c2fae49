import { compareKeys } from '../ordered-map.ts';
import type { KeyValue, Operation, WatchItem } from '../storage.ts';

export interface Evaluation {
  readonly succeeded: boolean;
  /** what `TransactResult.values` shows */
  readonly values: readonly (KeyValue | undefined)[];
  /** the changes to make, all at the given revision; empty when an expectation failed or nothing would change */
  readonly items: readonly ChangeItem[];
}

export type ChangeItem = Exclude<WatchItem, { type: 'progress' }>;
export type PutItem = Extract<WatchItem, { type: 'put' }>;

/** What the operations would do to the state that `lookup` shows. */
export function evaluate(operations: readonly Operation[], lookup: (key: string) => KeyValue | undefined, revision: number): Evaluation {
  const values = operations.map(({ key }) => lookup(key));
  const succeeded = operations.every(({ expect }, i) => expect === undefined || (values[i]?.modRevision ?? 0) === expect);
  if (!succeeded) return { succeeded, values, items: [] };
  const items: ChangeItem[] = [];
  const keys = new Set<string>();
  for (const [i, operation] of operations.entries()) {
    const { key } = operation;
    if (operations.length > 1 && keys.size === keys.add(key).size) throw new TypeError(`duplicate key in transaction: ${key}`);
    const previous = values[i];
    if (operation.type === 'put') items.push(putItem(key, operation.value, previous, revision));
    else if (previous !== undefined) items.push({ type: 'delete', key, revision, previous });
  }
  return { succeeded, values, items };
}

/** A value that takes the place of `previous`. */
export function putItem(key: string, value: Buffer, previous: KeyValue | undefined, revision: number): PutItem {
  const { createRevision = revision, version = 0 } = previous ?? {};
  return { type: 'put', kv: { key, value, modRevision: revision, createRevision, version: version + 1 }, previous };
}

export function keyOf(item: ChangeItem): string {
  return item.type === 'put' ? item.kv.key : item.key;
}

export function revisionOf(item: ChangeItem): number {
  return item.type === 'put' ? item.kv.modRevision : item.revision;
}

/** Index of the first of changes, which are in the order of keys, whose key is not smaller. */
export function firstFrom(items: readonly ChangeItem[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keyOf(items[middle]!), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

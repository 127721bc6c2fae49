import type { Steps } from '../../base/steps.ts';
import type { OrderedMap } from '../ordered-map.ts';
import type { KeyValue, Operation, Storage } from '../storage.ts';
import type { Deadline } from './expiry.ts';
import type { Keyspace } from './keyspace.ts';
import type { ChangeItem } from './transaction.ts';
import { putItem } from './transaction.ts';

/** Everything that a store holds at one moment: values, revisions, times to live. */
export interface Snapshot {
  readonly keyspace: Keyspace;
  readonly deadlines: OrderedMap<Deadline>;
}

/** A store that can be put back to an earlier state of its own. */
export interface SnapshotStorage extends Storage {
  /** Costs the same whatever the store holds; what it shows stays in memory for as long as the snapshot is kept. */
  snapshot(): Snapshot;
  /**
   * Makes the present what the snapshot shows, by one transaction of what has changed since: all of it or nothing, as any other write, and
   * watches see it as such. Values that come back have a new revision. Resolves to the revision of the store then.
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): Promise<number>;
}

export interface RestoreOptions {
  /** keys that stay as they are */
  readonly keeps?: (key: string) => boolean;
}

export function isSnapshotStorage(storage: Storage): storage is SnapshotStorage {
  return 'snapshot' in storage && 'restore' in storage;
}

export interface RestoreParts {
  readonly current: Keyspace;
  /** changes that are queued, by key: they come before the restore, which undoes them */
  readonly queued?: ReadonlyMap<string, unknown>;
  /** a key as it will be once everything queued has happened */
  readonly foreseen?: (key: string) => KeyValue | undefined;
  /** milliseconds since the epoch */
  readonly now: number;
}

/** What has to be written to go back to a snapshot. */
export function* restoreOperations(to: Snapshot, parts: RestoreParts, options?: RestoreOptions): Steps<Operation[]> {
  const operations: Operation[] = [];
  yield* forEachChange(to, parts, options, (key, _, there, at) => {
    if (there === undefined) operations.push({ type: 'delete', key });
    else operations.push({ type: 'put', key, value: there.value, ...(at !== undefined && { ttlSeconds: (at - parts.now) / 1000 }) });
  });
  return operations;
}

/** The same as changes of one revision, in the order of keys, for a store in which nothing is queued, and the ends of times to live. */
export function* restoreItems(
  to: Snapshot,
  parts: Pick<RestoreParts, 'current' | 'now'>,
  options?: RestoreOptions,
): Steps<{ readonly items: readonly ChangeItem[]; readonly deadlines: readonly Deadline[] }> {
  const revision = parts.current.revision + 1;
  const items: ChangeItem[] = [];
  const deadlines: Deadline[] = [];
  yield* forEachChange(to, parts, options, (key, here, there, at) => {
    if (there !== undefined) items.push(putItem(key, there.value, here, revision));
    else if (here !== undefined) items.push({ type: 'delete', key, revision, previous: here });
    if (at !== undefined) deadlines.push({ key, modRevision: revision, at });
  });
  return { items, deadlines };
}

const stepSize = 512;

/** What is here and has to be there, undefined where there is nothing, and the end of its time to live. */
type Change = (key: string, here: KeyValue | undefined, there: KeyValue | undefined, at: number | undefined) => void;

function* forEachChange(to: Snapshot, parts: RestoreParts, { keeps }: RestoreOptions = {}, each: Change): Steps<void> {
  const { current, queued = new Map<string, unknown>(), foreseen = (key) => current.get(key), now } = parts;
  const differences = yield* current.differences(to.keyspace);
  const changed = queued.size === 0 ? differences : differences.filter(({ key }) => !queued.has(key));
  for (const key of queued.keys()) changed.push({ key, here: foreseen(key), there: to.keyspace.get(key) });
  const deadlines = new Map(to.deadlines.range().map((deadline) => [`${deadline.modRevision} ${deadline.key}`, deadline.at]));
  for (const [seen, { key, here, there }] of changed.entries()) {
    if (seen % stepSize === stepSize - 1) yield;
    if (here?.value === there?.value || keeps?.(key)) continue;
    const at = there && deadlines.size > 0 ? deadlines.get(`${there.modRevision} ${key}`) : undefined;
    const isOver = at !== undefined && at <= now;
    if (!isOver) each(key, here, there, at);
    else if (here !== undefined) each(key, here, undefined, undefined);
  }
}

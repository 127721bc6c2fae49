import type { Steps } from '../../base/steps.ts';
import type { OrderedMap } from '../ordered-map.ts';
import type { KeyValue, Storage } from '../storage.ts';
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

interface RestoreParts {
  readonly current: Keyspace;
  /** milliseconds since the epoch */
  readonly now: number;
}

export interface Restoration {
  /** changes of one revision, in the order of keys */
  readonly items: readonly ChangeItem[];
  /** the ends of times to live */
  readonly deadlines: readonly Deadline[];
  /** the state with the changes */
  readonly staged: OrderedMap<KeyValue>;
}

/** What has to be written to go back to a snapshot. */
export function* restoreItems(to: Snapshot, { current, now }: RestoreParts, { keeps }: RestoreOptions = {}): Steps<Restoration> {
  const revision = current.revision + 1;
  const items: ChangeItem[] = [];
  const deadlines: Deadline[] = [];
  const ends = new Map(to.deadlines.range().map((deadline) => [`${deadline.modRevision} ${deadline.key}`, deadline.at]));
  const staged = yield* current.reconciled(to.keyspace, (key, here, there) => {
    if (here?.value === there?.value || keeps?.(key)) return here;
    const at = there && ends.size > 0 ? ends.get(`${there.modRevision} ${key}`) : undefined;
    const isOver = at !== undefined && at <= now;
    if (there === undefined || isOver) {
      if (here !== undefined) items.push({ type: 'delete', key, revision, previous: here });
      return undefined;
    }
    const item = putItem(key, there.value, here, revision);
    items.push(item);
    if (at !== undefined) deadlines.push({ key, modRevision: revision, at });
    return item.kv;
  });
  return { items, deadlines, staged };
}

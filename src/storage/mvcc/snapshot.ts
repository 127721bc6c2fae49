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

/** What has to be written to go back to a snapshot: changes of one revision, in the order of keys, and the ends of times to live. */
export function* restoreItems(
  to: Snapshot,
  parts: RestoreParts,
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
  const { current, now } = parts;
  const changed = yield* current.differences(to.keyspace);
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

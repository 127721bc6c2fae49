import type { Difference, OrderedMap } from '../ordered-map.ts';
import type { KeyValue, Operation, Storage } from '../storage.ts';
import type { Deadline } from './expiry.ts';
import type { Keyspace } from './keyspace.ts';

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
export function restoreOperations(to: Snapshot, parts: RestoreParts, { keeps = () => false }: RestoreOptions = {}): Operation[] {
  const { current, queued = new Map<string, unknown>(), foreseen = (key) => current.get(key), now } = parts;
  const changed = current.differences(to.keyspace).filter(({ key }) => !queued.has(key));
  for (const key of queued.keys()) changed.push({ key, here: foreseen(key), there: to.keyspace.get(key) });
  const wanted = changed.filter(({ key, here, there }) => here?.value !== there?.value && !keeps(key));
  if (wanted.length === 0) return [];
  const deadlines = new Map(to.deadlines.range().map((deadline) => [`${deadline.modRevision} ${deadline.key}`, deadline.at]));
  return wanted.flatMap((difference) => operation(difference, deadlines, now));
}

function operation({ key, here, there }: Difference<KeyValue>, deadlines: ReadonlyMap<string, number>, now: number): Operation[] {
  const at = there && deadlines.get(`${there.modRevision} ${key}`);
  if (there !== undefined && (at === undefined || at > now)) {
    return [{ type: 'put', key, value: there.value, ...(at !== undefined && { ttlSeconds: (at - now) / 1000 }) }];
  }
  return here === undefined ? [] : [{ type: 'delete', key }];
}

import type { Clock } from '../../../base/clock.ts';
import { steadyClock, systemClock } from '../../../base/clock.ts';
import type { Deadline } from '../../mvcc/expiry.ts';
import { Keyspace } from '../../mvcc/keyspace.ts';
import type { ChangeItem } from '../../mvcc/transaction.ts';
import { OrderedMap } from '../../ordered-map.ts';
import type { KeyValue } from '../../storage.ts';
import { StorageDirectory } from './directory.ts';
import type { EmbeddedParts, StorageObserver } from './embedded-storage.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import type { Files } from './files.ts';
import { diskFiles } from './files.ts';
import { LogFiles } from './log-files.ts';
import { withOwnBytes } from './merge.ts';
import type { Batch } from './segment.ts';

export interface EmbeddedStorageOptions {
  /** made if it does not exist; no other process may have it open */
  readonly directory: string;
  readonly clock?: Clock;
  readonly observer?: StorageObserver;
  /** how many changes, and bytes of superseded values, stay in memory at least; older history is read from disk */
  readonly historyItems?: number;
  readonly historyBytes?: number;
  /** log that must have been compacted before a new checkpoint is worth writing; half the last checkpoint if that is more */
  readonly checkpointAfterBytes?: number;
  /** where files are written; tests inject faults here */
  readonly files?: Files;
}

/** Opens a data directory and loads the present into memory. */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<EmbeddedStorage> {
  const { observer = {}, files = diskFiles } = options;
  const clock = steadyClock(options.clock ?? systemClock);
  const { historyItems = 50_000, historyBytes = 32 << 20, checkpointAfterBytes = 16 << 20 } = options;
  const directory = await StorageDirectory.open(options.directory);
  try {
    await directory.removeUnfinished();
    const limits = { historyItems, historyBytes, checkpointAfterBytes };
    const { deadlines, ...loaded } = await loadDirectory(new LogFiles(directory), observer, limits);
    return await new EmbeddedStorage({ directory, files, clock, observer, ...loaded, ...limits }, deadlines.values()).start();
  } catch (error) {
    directory.unlock();
    throw error;
  }
}

export interface LoadedDirectory extends Pick<EmbeddedParts, 'keyspace' | 'logFiles' | 'expiresAt' | 'compactRevision' | 'sequence'> {
  readonly deadlines: ReadonlyMap<string, Deadline>;
}

/** What a locked directory holds: the checkpoint, and every change since. */
export async function loadDirectory(
  logFiles: LogFiles,
  observer: Pick<StorageObserver, 'damagedValue'>,
  { historyItems, historyBytes, signal }: { readonly historyItems: number; readonly historyBytes: number; readonly signal?: AbortSignal },
): Promise<LoadedDirectory> {
  await logFiles.findCheckpoint();
  const expiresAt = new WeakMap<KeyValue, number>();
  const deadlines = new Map<string, Deadline>();
  const keyspace = new Keyspace({
    current: await loadCheckpoint(logFiles, observer, expiresAt, deadlines, signal),
    revision: logFiles.checkpoint?.revision ?? 1,
    compactRevision: logFiles.checkpoint?.revision ?? 1,
  });
  let compactRevision = keyspace.compactRevision;
  const sequence = await logFiles.recover((batch) => {
    signal?.throwIfAborted();
    replay(keyspace, batch, expiresAt, deadlines);
    compactRevision = Math.max(compactRevision, batch.compactRevision);
    keyspace.trim(historyItems, historyBytes, keyspace.revision);
  });
  keyspace.compact(compactRevision);
  return { keyspace, logFiles, expiresAt, deadlines, compactRevision, sequence };
}

async function loadCheckpoint(
  logFiles: LogFiles,
  observer: Pick<StorageObserver, 'damagedValue'>,
  expiresAt: WeakMap<KeyValue, number>,
  deadlines: Map<string, Deadline>,
  signal: AbortSignal | undefined,
): Promise<OrderedMap<KeyValue>> {
  const keys: string[] = [];
  const values: KeyValue[] = [];
  for await (const batch of logFiles.readCheckpoint()) {
    signal?.throwIfAborted();
    for (const { record, intact } of batch) {
      if (record.kv === undefined) continue;
      if (!intact) observer.damagedValue?.(record.key, record.revision);
      const kv = intact ? record.kv : { ...record.kv, value: Buffer.alloc(0) };
      keys.push(record.key);
      values.push(kv);
      if (record.expiresAt === 0) continue;
      expiresAt.set(kv, record.expiresAt);
      deadlines.set(record.key, { key: record.key, modRevision: kv.modRevision, at: record.expiresAt });
    }
  }
  return OrderedMap.fromSorted(keys, values);
}

/** Makes the changes of a batch again, transaction by transaction. */
function replay(keyspace: Keyspace, { records }: Batch, expiresAt: WeakMap<KeyValue, number>, deadlines: Map<string, Deadline>): void {
  let items: ChangeItem[] = [];
  for (const [i, record] of records.entries()) {
    const { key, revision } = record;
    const kv = record.kv && withOwnBytes(record.kv);
    const previous = keyspace.get(key);
    items.push(kv === undefined ? { type: 'delete', key, revision, previous } : { type: 'put', kv, previous });
    deadlines.delete(key);
    if (kv !== undefined && record.expiresAt > 0) {
      expiresAt.set(kv, record.expiresAt);
      deadlines.set(key, { key, modRevision: revision, at: record.expiresAt });
    }
    if (records[i + 1]?.revision === revision) continue;
    keyspace.commit(items, revision);
    items = [];
  }
}

import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orderedDeadlines } from '../../mvcc/expiry.ts';
import type { Snapshot } from '../../mvcc/snapshot.ts';
import type { KeyValue } from '../../storage.ts';
import { CheckpointWriter } from './checkpoint.ts';
import type { DirectoryContents } from './directory.ts';
import { StorageDirectory } from './directory.ts';
import { StorageOpenError } from './errors.ts';
import { diskFiles } from './files.ts';
import { LogFiles } from './log-files.ts';
import type { LoadedDirectory } from './open.ts';
import { loadDirectory } from './open.ts';
import type { StoredRecord } from './record.ts';

/** What is done to a data directory that no server has open. Each of these refuses one that is in use, and one that is none. */

export interface DirectoryReport {
  readonly revision: number;
  readonly keys: number;
  /** of all files */
  readonly bytes: number;
  /** keys whose values do not match their checksums */
  readonly damaged: readonly string[];
}

/** Reads everything and changes nothing; rejects with what is wrong, and where. */
export async function verifyDirectory(path: string, signal?: AbortSignal): Promise<DirectoryReport> {
  return onExisting(path, async (directory) => {
    const { keyspace, damaged } = await load(directory, true, signal);
    return { revision: keyspace.revision, keys: keyspace.size, bytes: await bytesOf(directory), damaged };
  });
}

/** The newest state of a directory. Nothing in it is changed. */
export async function snapshotOfDirectory(path: string, signal?: AbortSignal): Promise<Snapshot & { readonly damaged: readonly string[] }> {
  return onExisting(path, async (directory) => {
    const { keyspace, deadlines, damaged } = await load(directory, true, signal);
    return { keyspace, deadlines: orderedDeadlines(deadlines.values()), damaged };
  });
}

/** Puts the newest state in the place of all history; resolves to the bytes before and after. */
export async function compactDirectory(path: string, signal?: AbortSignal): Promise<DirectoryReport & { readonly before: number }> {
  return onExisting(path, async (directory) => {
    await directory.removeUnfinished();
    const before = await bytesOf(directory);
    const { keyspace, logFiles, deadlines, damaged } = await load(directory, false, signal);
    if (damaged.length > 0) throw new StorageOpenError(`${path} holds damaged values, which would look sound then: ${damaged.join(', ')}`);
    const { revision } = keyspace;
    if (logFiles.checkpoint?.revision !== revision) {
      const old = await directory.contents();
      const expiresAt = (kv: KeyValue): number => deadlines.get(kv.key)?.at ?? 0;
      const records = [...keyspace.entries()].map(([key, kv]) => ({ key, kv, revision: kv.modRevision, expiresAt: expiresAt(kv) }));
      await writeCheckpoint(directory, revision, [records], signal);
      await removeAll(old);
    }
    return { revision, keys: keyspace.size, before, bytes: await bytesOf(directory), damaged };
  });
}

export interface NewState {
  /** of the store then; every revision that a client may know is before it, and gone */
  readonly revision: number;
  /** in key order; when it throws, everything stays as it was */
  readonly records: Iterable<readonly StoredRecord[]> | AsyncIterable<readonly StoredRecord[]>;
}

export interface FillOptions {
  readonly directory: string;
  /** whether what is there may be replaced */
  readonly replace: boolean;
  /** `last` is the newest revision that is there; 0 when it is empty */
  readonly state: (last: number) => NewState;
}

/**
 * Makes a store of records. One rename makes the difference: whenever the process is killed, the directory has what it had before, or all of
 * the new state.
 */
export async function fillDirectory({ directory: path, replace, state }: FillOptions): Promise<void> {
  const directory = await StorageDirectory.open(path);
  try {
    await directory.removeUnfinished();
    const old = await directory.contents();
    const isEmpty = old.segments.length === 0 && old.checkpoints.length === 0;
    const last = isEmpty ? 0 : await lastRevision(directory, old);
    if (last > 1 && !replace) {
      throw new StorageOpenError(`data directory ${path} is not empty; choose another one, or say --replace to lose what it holds`);
    }
    const { revision, records } = state(last);
    await writeCheckpoint(directory, revision, records);
    await removeAll(old);
  } finally {
    directory.unlock();
  }
}

/** A store that cannot be read to its end may well be the reason why it is replaced. */
async function lastRevision(directory: StorageDirectory, { checkpoints }: DirectoryContents): Promise<number> {
  let last = checkpoints.at(-1)?.revision ?? 1;
  const logFiles = new LogFiles(directory, { readOnly: true });
  await logFiles.recover((batch) => void (last = Math.max(last, batch.revision))).catch(() => undefined);
  return last;
}

export async function writeCheckpoint(
  directory: StorageDirectory,
  revision: number,
  records: NewState['records'],
  signal?: AbortSignal,
): Promise<void> {
  const writer = await CheckpointWriter.create(diskFiles, directory.checkpointPath(revision), revision);
  try {
    for await (const some of records) {
      for (const record of some) {
        signal?.throwIfAborted();
        await writer.addRecord(record);
      }
    }
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** Oldest first: a crash in between must not leave a hole in the middle of the log. */
async function removeAll({ segments, checkpoints }: DirectoryContents): Promise<void> {
  for (const { path } of [...segments, ...checkpoints]) await rm(path);
}

async function load(
  directory: StorageDirectory,
  readOnly: boolean,
  signal: AbortSignal | undefined,
): Promise<LoadedDirectory & { damaged: string[] }> {
  const damaged: string[] = [];
  const observer = { damagedValue: (key: string) => void damaged.push(key) };
  const noHistory = { historyItems: 1, historyBytes: 1, ...(signal && { signal }) };
  return { ...(await loadDirectory(new LogFiles(directory, { readOnly }), observer, noHistory)), damaged };
}

async function onExisting<T>(path: string, use: (directory: StorageDirectory) => Promise<T>): Promise<T> {
  const found = await findStore(path);
  if (found === undefined) throw new StorageOpenError(`${path} is not a data directory of Wheelhouse`);
  const directory = await StorageDirectory.open(found);
  try {
    return await use(directory);
  } finally {
    directory.unlock();
  }
}

/** The folder of a store, also when it is named by the folder of the development server, which has it in `store`. */
export async function storeFolder(path: string): Promise<string> {
  return (await findStore(path)) ?? path;
}

async function findStore(path: string): Promise<string | undefined> {
  for (const folder of [path, join(path, 'store')]) {
    const found = await stat(join(folder, 'format')).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    });
    if (found !== undefined) return folder;
  }
  return undefined;
}

async function bytesOf(directory: StorageDirectory): Promise<number> {
  const { segments, checkpoints } = await directory.contents();
  let bytes = 0;
  for (const { path } of [...segments, ...checkpoints]) bytes += (await stat(path)).size;
  return bytes;
}

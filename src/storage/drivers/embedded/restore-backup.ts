import type { BackupHead } from './backup.ts';
import { BackupReader, backupBytes } from './backup.ts';
import { writeWhole } from './files.ts';
import { fillDirectory } from './maintenance.ts';
import type { Snapshot } from '../../mvcc/snapshot.ts';
import type { StoredRecord } from './record.ts';

/**
 * How far a restored store begins beyond its backup. Clients may know revisions that came after the backup and are lost: they must not take
 * those that come now for the same. So all that they know is in the past, and they list anew.
 */
export const usualBump = 1_000_000_000;

export interface ReadBackupOptions {
  /** bytes of the file that have been read */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface RestoreBackupOptions extends ReadBackupOptions {
  readonly file: string;
  readonly directory: string;
  readonly replace?: boolean;
  readonly bumpRevision?: number;
}

/** Makes a data directory from a backup; resolves to what the backup says of itself. */
export async function restoreBackup(options: RestoreBackupOptions): Promise<BackupHead & { readonly restoredAt: number }> {
  const { file, directory, replace = false, bumpRevision = usualBump } = options;
  await using backup = await BackupReader.open(file);
  let restoredAt = 0;
  await fillDirectory({
    directory,
    replace,
    state: (last) => {
      restoredAt = Math.max(backup.head.revision, last === 0 ? 0 : last + 1) + bumpRevision;
      return { revision: restoredAt, records: watched(backup, options) };
    },
  });
  return { ...backup.head, restoredAt };
}

/** Reads a backup to its end; rejects with what is wrong with it, and where. */
export async function verifyBackup(file: string, options: ReadBackupOptions = {}): Promise<BackupHead> {
  await using backup = await BackupReader.open(file);
  for await (const _records of watched(backup, options));
  return backup.head;
}

/** Writes the backup of a state to a file, which is there whole or not at all. */
export async function writeBackup(file: string, state: Snapshot, about: { prefix: string; createdAt: string }): Promise<void> {
  await writeWhole(file, backupBytes(state, about));
}

async function* watched(backup: BackupReader, { onProgress, signal }: ReadBackupOptions): AsyncGenerator<StoredRecord[]> {
  for await (const records of backup.records()) {
    signal?.throwIfAborted();
    onProgress?.(backup.position, backup.bytes);
    yield records;
  }
}

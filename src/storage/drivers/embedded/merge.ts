import { setImmediate as turn } from 'node:timers/promises';
import { compareKeys } from '../../ordered-map.ts';
import type { KeyValue } from '../../storage.ts';
import { CheckpointWriter } from './checkpoint.ts';
import type { Files } from './files.ts';
import { ReusedBuffer } from './files.ts';
import type { Checkpoint, LogFiles } from './log-files.ts';
import type { StoredRecord } from './record.ts';

/**
 * Makes the checkpoint of a later revision: the old one and the sealed log up to there, merged by key. It works from file to file
 * in steps of a piece, so that requests are served in between, and copies unchanged records as they are. Files are read into the same memory
 * again and again, and a value that is still the `present` one of its key is not held twice: else the process would grow by the size of the log.
 */
export async function mergeCheckpoint(
  files: Files,
  log: LogFiles,
  path: string,
  revision: number,
  present: (key: string) => KeyValue | undefined,
): Promise<Checkpoint> {
  const changes = await changesOf(log, revision, present);
  const changed = [...changes.keys()].sort(compareKeys);
  const writer = await CheckpointWriter.create(files, path, revision);
  using memory = new ReusedBuffer();
  try {
    let next = 0;
    const addChangesBefore = async (key: string | undefined): Promise<void> => {
      for (; next < changed.length && (key === undefined || compareKeys(changed[next]!, key) < 0); next++) {
        const record = changes.get(changed[next]!)!;
        if (record.kv !== undefined) await writer.addRecord(record);
      }
    };
    for await (const batch of log.readCheckpoint(memory)) {
      for (const { record, piece, start, end } of batch) {
        await addChangesBefore(record.key);
        if (!changes.has(record.key)) await writer.add(piece.subarray(start, end));
      }
      await turn();
    }
    await addChangesBefore(undefined);
    return { path, revision, bytes: await writer.finish() };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** The last change of each key, with bytes of its own. */
async function changesOf(
  log: LogFiles,
  upTo: number,
  present: (key: string) => KeyValue | undefined,
): Promise<ReadonlyMap<string, StoredRecord>> {
  using memory = new ReusedBuffer();
  const changes = new Map<string, StoredRecord>();
  for await (const records of log.records(log.checkpoint?.revision ?? 0, upTo, memory)) {
    for (const [i, record] of records.entries()) {
      const now = present(record.key);
      changes.set(record.key, now?.modRevision === record.kv?.modRevision ? { ...record, kv: now } : detached(record));
      if (i % 1000 === 999) await turn();
    }
  }
  return changes;
}

/** The record with bytes of its own. */
export function detached({ key, kv, revision, expiresAt }: StoredRecord): StoredRecord {
  return { key, kv: kv && withOwnBytes(kv), revision, expiresAt };
}

/** A copy that does not keep alive the memory of the file it was read from. */
export function withOwnBytes({ key, value, modRevision, createRevision, version }: KeyValue): KeyValue {
  return { key, value: Buffer.from(value), modRevision, createRevision, version };
}

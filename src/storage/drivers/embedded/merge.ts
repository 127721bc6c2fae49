import { setImmediate as turn } from 'node:timers/promises';
import { compareKeys } from '../../ordered-map.ts';
import type { KeyValue } from '../../storage.ts';
import { CheckpointWriter } from './checkpoint.ts';
import type { Files } from './files.ts';
import type { Checkpoint, LogFiles } from './log-files.ts';
import type { StoredRecord } from './record.ts';
import { recordLength, writeRecord } from './record.ts';

/**
 * Makes the checkpoint of a later revision: the old one and the sealed log up to there, merged by key. It works from file to file
 * in steps of a piece, so that requests are served in between, and copies unchanged records as they are.
 */
export async function mergeCheckpoint(files: Files, log: LogFiles, path: string, revision: number): Promise<Checkpoint> {
  const changes = new Map<string, StoredRecord>();
  for await (const records of log.records(log.checkpoint?.revision ?? 0, revision)) {
    for (const [i, record] of records.entries()) {
      // A copy, since the record shares the memory of its whole segment.
      changes.set(record.key, detached(record));
      if (i % 1000 === 999) await turn();
    }
  }
  const changed = [...changes.keys()].sort(compareKeys);
  const writer = await CheckpointWriter.create(files, path, revision);
  try {
    let next = 0;
    const addChangesBefore = async (key: string | undefined): Promise<void> => {
      for (; next < changed.length && (key === undefined || compareKeys(changed[next]!, key) < 0); next++) {
        const record = changes.get(changed[next]!)!;
        if (record.kv !== undefined) await writer.add(encoded(record));
      }
    };
    for await (const batch of log.readCheckpoint()) {
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

export function encoded(record: StoredRecord): Buffer {
  const bytes = Buffer.allocUnsafe(recordLength(record.key, record.kv?.value));
  writeRecord(bytes, 0, record);
  return bytes;
}

/** The record with bytes of its own. */
export function detached({ key, kv, revision, expiresAt }: StoredRecord): StoredRecord {
  return { key, kv: kv && withOwnBytes(kv), revision, expiresAt };
}

/** A copy that does not keep alive the memory of the file it was read from. */
export function withOwnBytes({ key, value, modRevision, createRevision, version }: KeyValue): KeyValue {
  return { key, value: Buffer.from(value), modRevision, createRevision, version };
}

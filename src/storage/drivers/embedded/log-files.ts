import { open, readFile, rm, stat } from 'node:fs/promises';
import type { CheckpointRecord } from './checkpoint.ts';
import { checkpointRevision, readCheckpoint } from './checkpoint.ts';
import type { StorageDirectory } from './directory.ts';
import { DamagedStorageError } from './errors.ts';
import { ReusedBuffer, readAt } from './files.ts';
import type { StoredRecord } from './record.ts';
import type { Batch } from './segment.ts';
import { cutSegment, emptySegment, readBatches, readSegmentHead } from './segment.ts';

export interface SealedSegment {
  readonly path: string;
  readonly sequence: number;
  readonly firstRevision: number;
  /** highest revision it holds that counts; firstRevision - 1 when it holds none */
  readonly lastRevision: number;
  readonly bytes: number;
}

export interface Checkpoint {
  readonly path: string;
  readonly revision: number;
  readonly bytes: number;
}

/**
 * What is on the disk: the state at one revision, and every change since.
 *
 *     checkpoint-0000000000004711   log-0000000007   log-0000000008   log-0000000009
 *     state at 4711                 4650 … 5020      5021 … 6100      6101 … (being written)
 */
export class LogFiles {
  readonly #directory: StorageDirectory;
  /** files stay as they are */
  readonly #readOnly: boolean;
  checkpoint: Checkpoint | undefined;
  segments: SealedSegment[] = [];

  constructor(directory: StorageDirectory, { readOnly = false } = {}) {
    this.#directory = directory;
    this.#readOnly = readOnly;
  }

  get bytes(): number {
    return (this.checkpoint?.bytes ?? 0) + this.segmentBytes;
  }

  get segmentBytes(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** `memory`: a batch is gone when the next one is asked for. */
  async *readCheckpoint(memory?: ReusedBuffer): AsyncGenerator<CheckpointRecord[], void, undefined> {
    if (this.checkpoint !== undefined) yield* readCheckpoint(this.checkpoint.path, memory);
  }

  /** Finds the newest checkpoint, and removes older ones, which a crash may have left behind. */
  async findCheckpoint(): Promise<void> {
    const { checkpoints } = await this.#directory.contents();
    const newest = checkpoints.at(-1);
    for (const { path } of checkpoints.slice(0, -1)) await this.#remove(path);
    if (newest === undefined) return;
    this.checkpoint = { path: newest.path, revision: await checkpointRevision(newest.path), bytes: (await stat(newest.path)).size };
  }

  /**
   * Goes through the log from the checkpoint on, in order, checking that no revision is missing. Remembers the segments, cuts off
   * what a crash left unfinished and removes those that the checkpoint covers. Returns the sequence number to go on with.
   */
  async recover(apply: (batch: Batch) => void): Promise<number> {
    const { segments } = await this.#directory.contents();
    const start = this.checkpoint?.revision ?? 1;
    const heads = await Promise.all(segments.map(({ path }) => readSegmentHead(path)));
    let revision = start;
    for (const [i, { path, sequence }] of segments.entries()) {
      const head = heads[i];
      if (head === undefined) {
        if (i < segments.length - 1) throw new DamagedStorageError(path, 0, 'it does not start like a log segment, and it is not the last');
        await this.#remove(path);
        break;
      }
      const limit = heads[i + 1]?.firstRevision ?? Infinity;
      const bytes = await readFile(path);
      let end = emptySegment;
      let lastRevision = head.firstRevision - 1;
      for (const { batch, end: batchEnd } of readBatches(path, bytes)) {
        if (batch.revision >= limit) break;
        const first = batch.records[0]?.revision ?? batch.revision;
        if (first > revision + 1) throw new DamagedStorageError(path, end, `revisions ${revision + 1} to ${first - 1} are missing`);
        end = batchEnd;
        lastRevision = Math.max(lastRevision, batch.revision);
        revision = Math.max(revision, batch.revision);
        apply(after(batch, start));
      }
      if (limit !== Infinity && lastRevision < limit - 1) {
        throw new DamagedStorageError(path, end, `revisions ${lastRevision + 1} to ${limit - 1} are missing`);
      }
      if (end < bytes.length && !this.#readOnly) await cutSegment(path, end);
      if (lastRevision <= start) await this.#remove(path);
      else this.segments.push({ path, sequence, firstRevision: head.firstRevision, lastRevision, bytes: end });
    }
    return (segments.at(-1)?.sequence ?? 0) + 1;
  }

  /** Records of sealed segments with revisions in (after, upTo], one segment's at a time; with `memory` they are gone when the next are asked for. */
  async *records(afterRevision: number, upTo: number, memory?: ReusedBuffer): AsyncGenerator<StoredRecord[], void, undefined> {
    for (const { path, firstRevision, lastRevision, bytes } of this.segments) {
      if (lastRevision <= afterRevision || firstRevision > upTo) continue;
      yield recordsIn(path, await readStart(path, bytes, memory), afterRevision, Math.min(upTo, lastRevision));
    }
  }

  /** A new checkpoint takes the place of the old one and of the segments that it covers. */
  async replaceCheckpoint(checkpoint: Checkpoint): Promise<void> {
    const old = this.checkpoint;
    this.checkpoint = checkpoint;
    const covered = this.segments.filter(({ lastRevision }) => lastRevision <= checkpoint.revision);
    this.segments = this.segments.filter(({ lastRevision }) => lastRevision > checkpoint.revision);
    // Oldest first: a crash in between must not leave a hole in the middle of the log.
    for (const { path } of covered) await rm(path);
    if (old !== undefined) await rm(old.path);
  }

  async #remove(path: string): Promise<void> {
    if (!this.#readOnly) await rm(path);
  }
}

/** The first `length` bytes of a file that may be growing. */
export async function readStart(path: string, length: number, memory = new ReusedBuffer()): Promise<Buffer> {
  await using file = await open(path, 'r');
  const target = memory.take(length);
  return target.subarray(0, await readAt(file.fd, target, 0, 0));
}

export function recordsIn(path: string, bytes: Buffer, afterRevision: number, upTo: number): StoredRecord[] {
  const records: StoredRecord[] = [];
  for (const { batch } of readBatches(path, bytes)) {
    for (const record of batch.records) if (record.revision > afterRevision && record.revision <= upTo) records.push(record);
  }
  return records;
}

function after(batch: Batch, revision: number): Batch {
  if (batch.records.every((record) => record.revision > revision)) return batch;
  return { ...batch, records: batch.records.filter((record) => record.revision > revision) };
}

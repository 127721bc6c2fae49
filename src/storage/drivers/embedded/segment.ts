import type { Steps } from '../../../base/steps.ts';
import { open, rm, truncate } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { DamagedStorageError } from './errors.ts';
import type { Files, WritableFile } from './files.ts';
import { publish } from './files.ts';
import type { StoredRecord } from './record.ts';
import { isIntact, readRecord, recordLength, recordLengthAt, writeRecord } from './record.ts';

/**
 * A piece of the log: a header, then batches. A batch is what was committed together: its own header, then records.
 *
 * The file is filled with zeros before it is used. Writing then changes no length and no block map, so a sync is one write
 * of the data and not also one of the file system's journal: a single writer gets about half as many commits again.
 */
const headerSize = 32;
const batchHeader = 40;
const magic = Buffer.from('WHEELOG1');
const batchMagic = Buffer.from('WHBA');
const zerosSize = 1 << 20;

export interface Batch {
  readonly records: readonly StoredRecord[];
  /** highest revision in the log once this batch is there */
  readonly revision: number;
  readonly compactRevision: number;
}

export interface BatchLocation {
  readonly batch: Batch;
  /** position in the file after it */
  readonly end: number;
}

/** A segment that can be written to. */
export class SegmentWriter {
  readonly sequence: number;
  readonly path: string;
  readonly size: number;
  readonly #file: WritableFile;
  #position = headerSize;

  private constructor(sequence: number, path: string, size: number, file: WritableFile) {
    this.sequence = sequence;
    this.path = path;
    this.size = size;
    this.#file = file;
  }

  /** Makes a file full of zeros under a temporary name. */
  static async prepare(files: Files, path: string, sequence: number, size: number): Promise<SegmentWriter> {
    const file = await files.create(`${path}.tmp`);
    try {
      const zeros = Buffer.alloc(Math.min(zerosSize, size));
      for (let at = 0; at < size; at += zeros.length) await file.write(zeros.subarray(0, Math.min(zeros.length, size - at)), at);
      await file.sync();
    } catch (error) {
      await file.close();
      await rm(`${path}.tmp`, { force: true });
      throw error;
    }
    return new SegmentWriter(sequence, path, size, file);
  }

  /** Makes it part of the log. Whatever earlier segments hold from `firstRevision` on is void from now. */
  async activate(firstRevision: number): Promise<void> {
    const header = Buffer.alloc(headerSize);
    magic.copy(header);
    header.writeDoubleLE(this.sequence, 8);
    header.writeDoubleLE(firstRevision, 16);
    header.writeUInt32LE(crc32(header.subarray(0, 24)), 24);
    await this.#file.writeThrough(header, 0);
    await publish(`${this.path}.tmp`, this.path);
  }

  get used(): number {
    return this.#position;
  }

  get room(): number {
    return this.size - this.#position;
  }

  /** Resolves when the bytes of a batch are durable. After a failure the segment must not be written to any more. */
  async append(bytes: Buffer): Promise<void> {
    await this.#file.writeThrough(bytes, this.#position);
    this.#position += bytes.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Undoes `prepare`, for a segment that is not wanted or did not become active. */
  async discard(): Promise<void> {
    await this.#file.close();
    await rm(`${this.path}.tmp`, { force: true });
    await rm(this.path, { force: true });
  }
}

export function batchLength(records: readonly StoredRecord[]): number {
  let length = batchHeader;
  for (const { key, kv } of records) length += recordLength(key, kv?.value);
  return length;
}

/** So many records are written between two steps. */
const stepSize = 128;

/** Encodes into `target`, which has room for it, and returns the bytes used. */
export function* encodeBatch(target: Buffer, { records, revision, compactRevision }: Batch): Steps<Buffer> {
  let at = batchHeader;
  for (const [index, record] of records.entries()) {
    if (index % stepSize === stepSize - 1) yield;
    at = writeRecord(target, at, record);
  }
  batchMagic.copy(target);
  target.writeUInt32LE(at, 8);
  target.writeUInt32LE(records.length, 12);
  target.writeDoubleLE(records[0]?.revision ?? revision, 16);
  target.writeDoubleLE(revision, 24);
  target.writeDoubleLE(compactRevision, 32);
  target.writeUInt32LE(crc32(target.subarray(8, batchHeader)), 4);
  return target.subarray(0, at);
}

export interface SegmentHead {
  readonly firstRevision: number;
}

/** What a segment's header says; undefined when it never became part of the log. */
export async function readSegmentHead(path: string): Promise<SegmentHead | undefined> {
  await using handle = await open(path, 'r');
  const header = Buffer.alloc(headerSize);
  await handle.read(header, 0, headerSize, 0);
  const intact = header.subarray(0, 8).equals(magic) && header.readUInt32LE(24) === crc32(header.subarray(0, 24));
  return intact ? { firstRevision: header.readDoubleLE(16) } : undefined;
}

/**
 * The batches of a segment. It ends quietly at the first batch that is not whole, since that is how a crash leaves it: only one
 * batch is ever being written. If a whole batch follows, the one before had been durable and was damaged later: that throws.
 */
export function* readBatches(path: string, bytes: Buffer): Generator<BatchLocation, void, undefined> {
  let at = headerSize;
  let last = -1;
  for (;;) {
    const head = batchHeadAt(bytes, at);
    const batch = head && batchAt(bytes, at, head);
    if (head === undefined || batch === undefined) break;
    at += head.length;
    last = batch.revision;
    yield { batch, end: at };
  }
  for (let next = bytes.indexOf(batchMagic, at); next >= 0; next = bytes.indexOf(batchMagic, next + 1)) {
    const head = batchHeadAt(bytes, next);
    if (next === at || head === undefined || head.firstRevision <= last || batchAt(bytes, next, head) === undefined) continue;
    throw new DamagedStorageError(path, at, `what follows revision ${last} is not readable, but revision ${head.firstRevision} is there`);
  }
}

/** Gives back the space that was never written, when the segment is complete. */
export async function cutSegment(path: string, end: number): Promise<void> {
  await truncate(path, Math.max(end, headerSize));
}

export const emptySegment = headerSize;

interface BatchHead {
  readonly length: number;
  readonly count: number;
  readonly firstRevision: number;
  readonly revision: number;
  readonly compactRevision: number;
}

function batchHeadAt(bytes: Buffer, at: number): BatchHead | undefined {
  if (at + batchHeader > bytes.length || bytes.compare(batchMagic, 0, 4, at, at + 4) !== 0) return undefined;
  if (bytes.readUInt32LE(at + 4) !== crc32(bytes.subarray(at + 8, at + batchHeader))) return undefined;
  const length = bytes.readUInt32LE(at + 8);
  if (at + length > bytes.length) return undefined;
  return {
    length,
    count: bytes.readUInt32LE(at + 12),
    firstRevision: bytes.readDoubleLE(at + 16),
    revision: bytes.readDoubleLE(at + 24),
    compactRevision: bytes.readDoubleLE(at + 32),
  };
}

function batchAt(bytes: Buffer, start: number, { length, count, revision, compactRevision }: BatchHead): Batch | undefined {
  const records: StoredRecord[] = [];
  let at = start + batchHeader;
  for (let i = 0; i < count; i++) {
    const recordLength = recordLengthAt(bytes, at);
    if (recordLength === undefined || !isIntact(bytes, at, recordLength)) return undefined;
    records.push(readRecord(bytes, at, recordLength));
    at += recordLength;
  }
  return at === start + length ? { records, revision, compactRevision } : undefined;
}

import { createHash } from 'node:crypto';
import { Slices } from '../../../base/slices.ts';
import { crc32 } from 'node:zlib';
import type { Snapshot } from '../../mvcc/snapshot.ts';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { compareKeys } from '../../ordered-map.ts';
import type { StoredRecord } from './record.ts';
import { isIntact, readRecord, recordLength, recordLengthAt, writeRecord } from './record.ts';

/**
 * A backup: what a store held at one revision, in one file that says so itself.
 *
 *     WHEELBK1                      eight bytes
 *     HEAD length crc JSON          what it is of; see BackupHead
 *     DATA length crc records       about 256 KiB of records as the log has them, in key order; as often as it takes
 *     DONE length crc counts hash   blocks and records before it, and the SHA-256 of every byte before it
 *
 * Length and crc are u32, little endian. A crc is the CRC-32 of the number of the block, its length and what it holds, so that a block that is
 * damaged, missing or in another place is found where it is.
 */
const magic = Buffer.from('WHEELBK1');
const names = { head: Buffer.from('HEAD'), data: Buffer.from('DATA'), done: Buffer.from('DONE') };
const blockHeader = 12;
const doneLength = 16 + 32;
const blockSize = 256 * 1024;
/** a value is at most a few MiB; a length beyond this was not written by us */
const longestBlock = 256 << 20;

/** Written to the head. Raise it when an older version could not read what this one writes. */
const format = 1;

export interface BackupHead {
  readonly format: number;
  readonly revision: number;
  readonly keys: number;
  /** start of every key */
  readonly prefix: string;
  /** RFC 3339 */
  readonly createdAt: string;
}

/** A file that is not a whole backup; the message says which, where and why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The bytes of a backup, in pieces; others get their turn between them. */
export async function* backupBytes(state: Snapshot, about: { prefix: string; createdAt: string }): AsyncGenerator<Buffer, void, undefined> {
  const { keyspace, deadlines } = state;
  const head: BackupHead = { format, revision: keyspace.revision, keys: keyspace.size, ...about };
  const expiresAt = new Map(deadlines.range().map(({ key, modRevision, at }) => [`${modRevision} ${key}`, at]));
  const hash = createHash('sha256');
  const slices = new Slices();
  let blocks = 0;
  const block = (name: Buffer, payload: Buffer): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(blockHeader + payload.length);
    name.copy(bytes);
    bytes.writeUInt32LE(payload.length, 4);
    bytes.writeUInt32LE(checksum(blocks++, payload), 8);
    payload.copy(bytes, blockHeader);
    hash.update(bytes);
    return bytes;
  };
  hash.update(magic);
  yield Buffer.concat([magic, block(names.head, Buffer.from(JSON.stringify(head)))]);
  let records: StoredRecord[] = [];
  let length = 0;
  const flush = (): Buffer => {
    const payload = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for (const record of records) at = writeRecord(payload, at, record);
    records = [];
    length = 0;
    return block(names.data, payload);
  };
  for (const [key, kv] of keyspace.entries()) {
    records.push({ key, kv, revision: kv.modRevision, expiresAt: expiresAt.get(`${kv.modRevision} ${key}`) ?? 0 });
    length += recordLength(key, kv.value);
    if (length < blockSize) continue;
    yield flush();
    await slices.pause();
  }
  if (length > 0) yield flush();
  const done = Buffer.alloc(doneLength);
  done.writeDoubleLE(blocks, 0);
  done.writeDoubleLE(keyspace.size, 8);
  hash.copy().digest().copy(done, 16);
  yield block(names.done, done);
}

/** A backup that is being read. */
export class BackupReader implements AsyncDisposable {
  readonly head: BackupHead;
  readonly #blocks: BlockReader;

  private constructor(head: BackupHead, blocks: BlockReader) {
    this.head = head;
    this.#blocks = blocks;
  }

  static async open(path: string): Promise<BackupReader> {
    const blocks = await BlockReader.open(path);
    try {
      const { name, payload, start } = await blocks.next();
      if (!name.equals(names.head)) throw blocks.damaged(start, 'there is no head');
      return new BackupReader(readHead(path, payload), blocks);
    } catch (error) {
      await blocks[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** size of the file */
  get bytes(): number {
    return this.#blocks.size;
  }

  /** bytes that have been read */
  get position(): number {
    return this.#blocks.position;
  }

  /** Records in key order, a block at a time. Rejects at the end at the latest when the file is not what was written. */
  async *records(): AsyncGenerator<StoredRecord[], void, undefined> {
    let count = 0;
    let last: string | undefined;
    for (;;) {
      const { name, payload, start, hash } = await this.#blocks.next();
      if (name.equals(names.done)) return this.#finish(payload, start, count, hash);
      if (!name.equals(names.data)) throw this.#blocks.damaged(start, 'it is not a block of records');
      const records = this.#parse(payload, start);
      for (const { key } of records) {
        if (last !== undefined && compareKeys(last, key) >= 0) throw this.#blocks.damaged(start, `${key} is not in its place`);
        last = key;
      }
      count += records.length;
      yield records;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blocks[Symbol.asyncDispose]();
  }

  #parse(payload: Buffer, start: number): StoredRecord[] {
    const records: StoredRecord[] = [];
    for (let at = 0; at < payload.length;) {
      const length = recordLengthAt(payload, at);
      if (length === undefined || !isIntact(payload, at, length)) {
        throw this.#blocks.damaged(start + blockHeader + at, 'it is not a record');
      }
      const record = readRecord(payload, at, length);
      if (record.kv === undefined) throw this.#blocks.damaged(start + blockHeader + at, 'it is the record of a deletion');
      records.push(record);
      at += length;
    }
    return records;
  }

  #finish(payload: Buffer, start: number, count: number, hash: Buffer): void {
    if (payload.length !== doneLength) throw this.#blocks.damaged(start, 'the end is not as it should be');
    const [blocks, records] = [payload.readDoubleLE(0), payload.readDoubleLE(8)];
    if (blocks !== this.#blocks.count - 1) throw this.#blocks.damaged(start, `it has ${this.#blocks.count - 1} blocks, not ${blocks}`);
    if (records !== count || this.head.keys !== count) throw this.#blocks.damaged(start, `it has ${count} keys, not ${records}`);
    if (!payload.subarray(16).equals(hash)) throw this.#blocks.damaged(start, 'the hash of all that is before it does not match');
    const { position, size } = this.#blocks;
    if (position !== size) throw this.#blocks.damaged(position, `there are ${size - position} bytes after the end`);
  }
}

interface Block {
  readonly name: Buffer;
  readonly payload: Buffer;
  /** where it begins in the file */
  readonly start: number;
  /** of everything before it */
  readonly hash: Buffer;
}

/** Reads block by block, and hands out only those whose checksum is right. */
class BlockReader implements AsyncDisposable {
  readonly size: number;
  position = magic.length;
  count = 0;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256').update(magic);

  private constructor(path: string, handle: FileHandle, size: number) {
    this.#path = path;
    this.#handle = handle;
    this.size = size;
  }

  static async open(path: string): Promise<BlockReader> {
    const handle = await open(path, 'r');
    try {
      const stats = await handle.stat();
      const start = Buffer.alloc(magic.length);
      const read = stats.isFile() ? (await handle.read(start, 0, start.length, 0)).bytesRead : 0;
      if (read < start.length || !start.equals(magic))
        throw new BackupError(`${path} is not a backup: it does not start like one, at byte 0`);
      return new BlockReader(path, handle, stats.size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async next(): Promise<Block> {
    const start = this.position;
    const header = await this.#read(blockHeader, start);
    const name = header.subarray(0, 4);
    if (!Object.values(names).some((known) => known.equals(name))) throw this.damaged(start, 'no block begins here');
    const length = header.readUInt32LE(4);
    if (length > longestBlock) throw this.damaged(start, `a block of ${length} bytes is longer than any that is written`);
    const payload = await this.#read(length, start);
    if (header.readUInt32LE(8) !== checksum(this.count, payload)) throw this.damaged(start, 'the checksum of the block does not match');
    this.count++;
    const hash = name.equals(names.done) ? this.#hash.digest() : Buffer.alloc(0);
    if (hash.length === 0) this.#hash.update(header).update(payload);
    return { name, payload, start, hash };
  }

  damaged(position: number, why: string): BackupError {
    return new BackupError(`${this.#path} is damaged at byte ${position}: ${why}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  async #read(length: number, block: number): Promise<Buffer> {
    if (this.position + length > this.size) {
      throw new BackupError(`${this.#path} is cut short: it ends at byte ${this.size}, within the block that begins at byte ${block}`);
    }
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await this.#handle.read(bytes, at, length - at, this.position + at);
      if (bytesRead === 0) throw new BackupError(`${this.#path} is cut short: it ends at byte ${this.position + at}`);
      at += bytesRead;
    }
    this.position += length;
    return bytes;
  }
}

function checksum(index: number, payload: Buffer): number {
  const place = Buffer.allocUnsafe(8);
  place.writeUInt32LE(index, 0);
  place.writeUInt32LE(payload.length, 4);
  return crc32(payload, crc32(place));
}

function readHead(path: string, payload: Buffer): BackupHead {
  const head = JSON.parse(payload.toString()) as BackupHead;
  if (head.format > format) {
    throw new BackupError(`${path} has backup format ${head.format}, written by a newer version; this version reads up to ${format}`);
  }
  return head;
}

import { open, rm, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { DamagedStorageError } from './errors.ts';
import type { Files, ReusedBuffer, WritableFile } from './files.ts';
import { PieceReader, publish } from './files.ts';
import type { StoredRecord } from './record.ts';
import { encoded, isIntact, readRecord, recordHeader, recordLength, recordLengthAt, writeRecord } from './record.ts';

/**
 * The whole state at one revision: a header, records in key order, and a footer that only a complete file has.
 * A backup is such a file, too.
 */
const headerSize = 32;
const footerSize = 32;
const headerMagic = Buffer.from('WHEELCP1');
const footerMagic = Buffer.from('WHEELEND');
/** Values that are loaded share the memory of a piece, so a small piece bounds what a single value can hold in memory. */
const pieceSize = 256 * 1024;
const writeSize = 1 << 20;

export interface CheckpointRecord {
  readonly record: StoredRecord;
  /** where the record as it is in the file is found; a view of it would cost a loader of a million records dearly */
  readonly piece: Buffer;
  readonly start: number;
  readonly end: number;
  /** false: the checksum does not match, so the value cannot be trusted */
  readonly intact: boolean;
}

/** Writes a checkpoint under a temporary name, and publishes it when it is complete and durable. */
export class CheckpointWriter {
  readonly #path: string;
  readonly #file: WritableFile;
  #buffer = Buffer.allocUnsafeSlow(writeSize);
  #used = 0;
  #position = 0;
  #count = 0;

  private constructor(path: string, file: WritableFile) {
    this.#path = path;
    this.#file = file;
  }

  static async create(files: Files, path: string, revision: number): Promise<CheckpointWriter> {
    const writer = new CheckpointWriter(path, await files.create(`${path}.tmp`));
    const header = Buffer.alloc(headerSize);
    headerMagic.copy(header);
    header.writeDoubleLE(revision, 8);
    header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
    await writer.#append(header);
    return writer;
  }

  /** Adds a record; it must come after the ones before in key order. */
  async add(bytes: Buffer): Promise<void> {
    this.#count++;
    await this.#append(bytes);
  }

  /** The same of a record that is not in a file yet. */
  async addRecord(record: StoredRecord): Promise<void> {
    const length = recordLength(record.key, record.kv?.value);
    if (length > this.#buffer.length) return this.add(encoded(record));
    if (this.#used + length > this.#buffer.length) await this.#flush();
    this.#count++;
    this.#used = writeRecord(this.#buffer, this.#used, record);
  }

  /** Returns the size of the file. */
  async finish(): Promise<number> {
    const footer = Buffer.alloc(footerSize);
    footerMagic.copy(footer);
    footer.writeDoubleLE(this.#count, 8);
    footer.writeUInt32LE(crc32(footer.subarray(0, 16)), 16);
    await this.#append(footer);
    await this.#flush();
    await this.#file.sync();
    await this.#file.close();
    await publish(`${this.#path}.tmp`, this.#path);
    return this.#position;
  }

  async abandon(): Promise<void> {
    await this.#file.close();
    await rm(`${this.#path}.tmp`, { force: true });
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#used + bytes.length > this.#buffer.length) await this.#flush();
    if (bytes.length > this.#buffer.length) {
      await this.#file.write(bytes, this.#position);
      this.#position += bytes.length;
      return;
    }
    bytes.copy(this.#buffer, this.#used);
    this.#used += bytes.length;
  }

  async #flush(): Promise<void> {
    if (this.#used === 0) return;
    await this.#file.write(this.#buffer.subarray(0, this.#used), this.#position);
    this.#position += this.#used;
    this.#used = 0;
  }
}

/** Revision of the checkpoint in a file. */
export async function checkpointRevision(path: string): Promise<number> {
  await using handle = await open(path, 'r');
  const header = Buffer.alloc(headerSize);
  await handle.read(header, 0, headerSize, 0);
  if (!header.subarray(0, 8).equals(headerMagic) || header.readUInt32LE(16) !== crc32(header.subarray(0, 16))) {
    throw new DamagedStorageError(path, 0, 'it does not start like a checkpoint');
  }
  return header.readDoubleLE(8);
}

/** Records of a checkpoint in key order, a batch per piece of the file; with `memory` it is gone when the next is asked for. Throws when the file is not complete. */
export async function* readCheckpoint(path: string, memory?: ReusedBuffer): AsyncGenerator<CheckpointRecord[], void, undefined> {
  const { size } = await stat(path);
  await checkpointRevision(path);
  await using handle = await open(path, 'r');
  const end = size - footerSize;
  const reader = new PieceReader(handle.fd, headerSize, pieceSize, memory);
  let count = 0;
  let wanted = 0;
  for (;;) {
    const piece = await reader.next(wanted);
    if (piece === undefined) throw new DamagedStorageError(path, reader.start, 'it ends in the middle');
    const { start } = reader;
    const batch: CheckpointRecord[] = [];
    let at = 0;
    wanted = 0;
    while (start + at < end) {
      const length = recordLengthAt(piece, at);
      if (length === undefined) {
        if (at + recordHeader <= piece.length) wanted = piece.readUInt32LE(at);
        break;
      }
      const intact = isIntact(piece, at, length);
      batch.push({ record: readRecord(piece, at, length), piece, start: at, end: at + length, intact });
      at += length;
    }
    if (wanted > end - start - at) throw new DamagedStorageError(path, start + at, 'a record is longer than the rest of the file');
    reader.consume(at);
    count += batch.length;
    if (batch.length > 0) yield batch;
    if (start + at >= end && piece.length - at >= footerSize) return checkFooter(path, piece.subarray(at), start + at, count);
  }
}

function checkFooter(path: string, footer: Buffer, position: number, count: number): void {
  const intact = footer.subarray(0, 8).equals(footerMagic) && footer.readUInt32LE(16) === crc32(footer.subarray(0, 16));
  if (!intact) throw new DamagedStorageError(path, position, 'it is not complete');
  if (footer.readDoubleLE(8) !== count)
    throw new DamagedStorageError(path, position, `it holds ${count} records, not ${footer.readDoubleLE(8)}`);
}

import { crc32 } from 'node:zlib';
import type { KeyValue } from '../../storage.ts';

/**
 * One change of one key, as log and checkpoint hold it. Little endian:
 *
 *      0  u32  length of the whole record
 *      4  u32  CRC-32 of everything after this field
 *      8  f64  revision of the change
 *     16  f64  revision at which the key came into being (0: this is a deletion)
 *     24  f64  when it expires, in milliseconds since the epoch (0: never)
 *     32  u32  number of changes since creation
 *     36  u32  length of the key
 *     40       key in UTF-8, then value
 */
export interface StoredRecord {
  readonly key: string;
  /** undefined: the key was deleted */
  readonly kv: KeyValue | undefined;
  readonly revision: number;
  readonly expiresAt: number;
}

export const recordHeader = 40;
const longestKey = 1 << 20;

export function recordLength(key: string, value: Buffer | undefined): number {
  return recordHeader + Buffer.byteLength(key) + (value?.length ?? 0);
}

export function encoded(record: StoredRecord): Buffer {
  const bytes = Buffer.allocUnsafe(recordLength(record.key, record.kv?.value));
  writeRecord(bytes, 0, record);
  return bytes;
}

/** Writes a record at `at` and returns where it ends. */
export function writeRecord(target: Buffer, at: number, { key, kv, revision, expiresAt }: StoredRecord): number {
  const keyLength = target.write(key, at + recordHeader);
  const valueAt = at + recordHeader + keyLength;
  const end = valueAt + (kv?.value.length ?? 0);
  kv?.value.copy(target, valueAt);
  target.writeUInt32LE(end - at, at);
  target.writeDoubleLE(revision, at + 8);
  target.writeDoubleLE(kv?.createRevision ?? 0, at + 16);
  target.writeDoubleLE(expiresAt, at + 24);
  target.writeUInt32LE(kv?.version ?? 0, at + 32);
  target.writeUInt32LE(keyLength, at + 36);
  target.writeUInt32LE(crc32(target.subarray(at + 8, end)), at + 4);
  return end;
}

/** Length of the record at `at` if it is entirely in the buffer and looks like one; its contents may still be damaged. */
export function recordLengthAt(buffer: Buffer, at: number): number | undefined {
  if (at + recordHeader > buffer.length) return undefined;
  const length = buffer.readUInt32LE(at);
  const keyLength = buffer.readUInt32LE(at + 36);
  return length >= recordHeader + keyLength && keyLength <= longestKey && at + length <= buffer.length ? length : undefined;
}

export function isIntact(buffer: Buffer, at: number, length: number): boolean {
  return buffer.readUInt32LE(at + 4) === crc32(buffer.subarray(at + 8, at + length));
}

/** The record at `at`. Its value shares the buffer's memory. */
export function readRecord(buffer: Buffer, at: number, length: number): StoredRecord {
  const revision = buffer.readDoubleLE(at + 8);
  const createRevision = buffer.readDoubleLE(at + 16);
  const valueAt = at + recordHeader + buffer.readUInt32LE(at + 36);
  const key = buffer.toString('utf8', at + recordHeader, valueAt);
  const kv =
    createRevision === 0
      ? undefined
      : {
          key,
          value: buffer.subarray(valueAt, at + length),
          modRevision: revision,
          createRevision,
          version: buffer.readUInt32LE(at + 32),
        };
  return { key, kv, revision, expiresAt: buffer.readDoubleLE(at + 24) };
}

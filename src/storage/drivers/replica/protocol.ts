import type { HealthOptions, ListOptions, Operation } from '../../storage.ts';
import { CompactedError, FutureRevisionError, StorageUnavailableError, ValueTooLargeError } from '../../storage.ts';
import type { Packed } from './packing.ts';

/** What the thread that has the store does for a replica. */
export type HostFunctions = {
  transact(operations: PackedOperations): Promise<PackedTransactResult>;
  list(question: { prefix: string; options: Omit<ListOptions, 'signal'> }): Promise<{ items: Packed; revision: number; total: number }>;
  since(question: { revision: number; prefix: string }): Promise<PackedChanges>;
  compact(revision: number): Promise<void>;
  health(options: Omit<HealthOptions, 'signal'>): Promise<void>;
};

/** What it tells a replica, in this order: what they share; everything that is there, in portions; where that stands; every change since. */
export type ReplicaFunctions = {
  /** `ring`: where values of changes are; `read`: the replica's counter */
  share(memory: { ring: SharedArrayBuffer; read: SharedArrayBuffer }): void;
  load(portion: Packed): void;
  loaded(revision: number): void;
  /** of one transaction or several, one after the other */
  changed(changes: Packed): void;
};

/** Key, value, expected revision, seconds to live and note of each operation, one after the other; one without a value is a deletion. */
export type PackedOperations = readonly (string | Uint8Array | number | undefined)[];

const perOperation = 5;

/** `noteOf`: what is known of a value */
export function packOperations(operations: readonly Operation[], noteOf: (value: Buffer) => string | undefined): PackedOperations {
  const packed: (string | Uint8Array | number | undefined)[] = [];
  for (const operation of operations) {
    const { key, expect } = operation;
    if (operation.type === 'delete') packed.push(key, undefined, expect, undefined, undefined);
    else packed.push(key, apart(operation.value), expect, operation.ttlSeconds, noteOf(operation.value));
  }
  return packed;
}

/** `noted` is called with what the other thread knows of a value. */
export function unpackOperations(packed: PackedOperations, noted: (key: string, value: Buffer, note: string) => void): Operation[] {
  const operations: Operation[] = [];
  for (let at = 0; at < packed.length; at += perOperation) {
    const [key, bytes, expect, ttlSeconds, note] = packed.slice(at, at + perOperation) as [string, Uint8Array?, number?, number?, string?];
    const expected = expect === undefined ? undefined : { expect };
    if (bytes === undefined) {
      operations.push({ type: 'delete', key, ...expected });
      continue;
    }
    // Bytes that crossed threads are no Buffer any more.
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (note !== undefined) noted(key, value, note);
    operations.push({ type: 'put', key, value, ...expected, ...(ttlSeconds !== undefined && { ttlSeconds }) });
  }
  return operations;
}

/** Bytes in memory of their own: of a part, the whole would be copied to the other thread. */
function apart(value: Buffer): Uint8Array {
  return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);
}

/** Whether it succeeded, the revision, and the values per operation. */
export type PackedTransactResult = readonly [succeeded: boolean, revision: number, values: PackedKnown | undefined];

/** Values of which some are known. */
export interface PackedKnown {
  readonly known: readonly boolean[];
  readonly packed: Packed;
}

export interface PackedChanges {
  readonly changes: Packed;
  /** per change the value before it, where there was one */
  readonly previous: PackedKnown | undefined;
  readonly upTo: number;
}

/** An error of the store, as it was before it crossed threads; its thread may be gone as well. */
export function revivedError(error: Error): Error {
  const { name, message } = error;
  if (name === 'CompactedError') return new CompactedError((error as CompactedError).compactRevision);
  if (name === 'FutureRevisionError') return new FutureRevisionError((error as FutureRevisionError).currentRevision);
  if (name === 'ValueTooLargeError') return new ValueTooLargeError(message);
  if (name === 'TypeError') return new TypeError(message);
  if (name === 'StorageUnavailableError') return new StorageUnavailableError(message, error as StorageUnavailableError);
  if (name === 'ThreadGoneError') return new StorageUnavailableError('the storage is closed', { outcomeUnknown: true, cause: error });
  return error;
}

import type { HealthOptions, ListOptions, Operation } from '../../storage.ts';
import { CompactedError, FutureRevisionError, StorageUnavailableError, ValueTooLargeError } from '../../storage.ts';
import type { Packed } from './packing.ts';

/** What the thread that has the store does for a replica. */
export type HostFunctions = {
  transact(operations: readonly NotedOperation[]): Promise<PackedTransactResult>;
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

export type NotedOperation = Operation & { readonly note?: string | undefined };

export interface PackedTransactResult {
  readonly succeeded: boolean;
  readonly revision: number;
  /** per operation */
  readonly values: PackedKnown | undefined;
}

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

/** An error of the store, as it was before it crossed threads. */
export function revivedError(error: Error): Error {
  const { name, message } = error;
  if (name === 'CompactedError') return new CompactedError((error as CompactedError).compactRevision);
  if (name === 'FutureRevisionError') return new FutureRevisionError((error as FutureRevisionError).currentRevision);
  if (name === 'ValueTooLargeError') return new ValueTooLargeError(message);
  if (name === 'TypeError') return new TypeError(message);
  if (name === 'StorageUnavailableError') return new StorageUnavailableError(message, error as StorageUnavailableError);
  return error;
}

import type { KeyValue } from '../storage/storage.ts';

/** The store keeps a value behind the identity of its lease, 0 for none. */
const leaseLength = 8;

export function storedValue(value: Buffer, lease: bigint): Buffer {
  const stored = Buffer.allocUnsafe(leaseLength + value.length);
  stored.writeBigInt64LE(lease);
  value.copy(stored, leaseLength);
  return stored;
}

export function valueOf({ value }: KeyValue): Buffer {
  return value.subarray(leaseLength);
}

export function leaseOf({ value }: KeyValue): bigint {
  // A value that was damaged on the disk is empty.
  return value.length < leaseLength ? 0n : value.readBigInt64LE();
}

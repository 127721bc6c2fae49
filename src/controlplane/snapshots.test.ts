import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { MemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { Snapshots } from './snapshots.ts';

const put = (storage: MemoryStorage, key: string, size: number): Promise<unknown> =>
  storage.transact([{ type: 'put', key, value: Buffer.alloc(size) }]);

async function isKept(snapshots: Snapshots, id: string): Promise<boolean> {
  try {
    await snapshots.restoreNamed(id);
    return true;
  } catch {
    return false;
  }
}

function snapshotsOf(storage: MemoryStorage, most: { number: number; bytes: number }): Snapshots {
  return new Snapshots({ storage, storagePrefix: '/registry', caches: () => [], definitionsServed: async () => {} }, most);
}

test('takeNamed() forgets the oldest snapshots when too much has been replaced or deleted since', async () => {
  const storage = new MemoryStorage(new ManualClock(0));
  const snapshots = snapshotsOf(storage, { number: 1000, bytes: 3000 });
  await put(storage, 'a', 1000);
  const ids: string[] = [];
  for (let change = 0; change < 5; change++) {
    ids.push(snapshots.takeNamed());
    await (change % 2 === 0 ? storage.transact([{ type: 'delete', key: 'a' }]) : put(storage, 'a', 2000));
  }
  ids.push(snapshots.takeNamed());
  // What was there was replaced or deleted after the first, third and fifth: 1000, 2000, 2000 bytes.
  assert.deepEqual(await Promise.all(ids.map((id) => isKept(snapshots, id))), [false, false, false, true, true, true]);
});

test('takeNamed() keeps any number of snapshots of what does not change, up to its limit', async () => {
  const storage = new MemoryStorage(new ManualClock(0));
  const snapshots = snapshotsOf(storage, { number: 3, bytes: 1000 });
  await put(storage, 'a', 100_000);
  const ids = Array.from({ length: 4 }, () => snapshots.takeNamed());
  for (const [index, id] of ids.entries()) assert.equal(await isKept(snapshots, id), index > 0);
});

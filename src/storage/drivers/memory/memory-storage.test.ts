import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { runStorageBehaviour } from '../../behaviour/behaviour.ts';
import { runSnapshotBehaviour } from '../../behaviour/snapshots.ts';
import { CompactedError } from '../../storage.ts';
import type { MemoryStorage } from './memory-storage.ts';
import { createMemoryStorage } from './memory-storage.ts';

const openEmpty = async () => {
  const clock = new ManualClock(Date.now());
  const storage = createMemoryStorage({ clock });
  return { storage, advance: (ms: number) => clock.advance(ms), watchers: () => storage.watchers };
};

runStorageBehaviour('memory', openEmpty);
runSnapshotBehaviour('memory', openEmpty);

test('fork() gives a store that shares the past, and neither sees what the other does next', async () => {
  await using one = createMemoryStorage();
  const start = await put(one, 'a', 'common');
  await put(one, 'a', 'common 2');
  await using other = one.fork();
  await put(one, 'a', 'one');
  await put(other, 'b', 'other');
  assert.deepEqual(await contents(one), ['a=one']);
  assert.deepEqual(await contents(other), ['a=common 2', 'b=other']);
  assert.deepEqual(await contents(other, start), ['a=common'], 'history comes along');
  await other.compact(await other.currentRevision());
  assert.deepEqual(await contents(one, start), ['a=common'], 'and is compacted apart');
});

test('rewind() goes back to a snapshot, as often as wanted, and ends watches', async () => {
  await using storage = createMemoryStorage();
  await put(storage, 'a', '1');
  const snapshot = storage.snapshot();
  for (let round = 0; round < 3; round++) {
    await put(storage, 'a', `round ${round}`);
    await put(storage, 'b', 'new');
    const abort = new AbortController();
    const watch = storage.watch('', { signal: abort.signal })[Symbol.asyncIterator]();
    const next = watch.next();
    storage.rewind(snapshot);
    await assert.rejects(next, CompactedError);
    assert.deepEqual(await contents(storage), ['a=1']);
  }
});

test('a fork keeps times to live', async () => {
  const clock = new ManualClock();
  await using one = createMemoryStorage({ clock });
  await one.transact([{ type: 'put', key: 'a', value: Buffer.from('1'), ttlSeconds: 10 }]);
  clock.advance(5000);
  await using other = one.fork();
  await put(one, 'a', 'written again');
  clock.advance(5001);
  assert.deepEqual(await contents(one), ['a=written again']);
  assert.deepEqual(await contents(other), []);
});

test('snapshots share what they hold, however much that is', async () => {
  await using storage = createMemoryStorage();
  for (let i = 0; i < 30_000; i++) await put(storage, `k${i % 20_000}`, String(i));
  const before = process.memoryUsage().heapUsed;
  const snapshots = Array.from({ length: 1000 }, () => storage.snapshot());
  const perSnapshot = (process.memoryUsage().heapUsed - before) / snapshots.length;
  // Copies of 20,000 keys would take more than this in pointers alone.
  assert.ok(perSnapshot < 80_000, `${perSnapshot} bytes`);
});

async function put(storage: MemoryStorage, key: string, value: string): Promise<number> {
  return (await storage.transact([{ type: 'put', key, value: Buffer.from(value) }])).revision;
}

async function contents(storage: MemoryStorage, revision?: number): Promise<string[]> {
  const { items } = await storage.list('', revision === undefined ? {} : { revision });
  return items.map((kv) => `${kv.key}=${kv.value.toString()}`);
}

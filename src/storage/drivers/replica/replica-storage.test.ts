import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { ManualClock } from '../../../base/clock.ts';
import { runStorageBehaviour } from '../../behaviour/behaviour.ts';
import { StorageUnavailableError } from '../../storage.ts';
import type { MemoryStorage } from '../memory/memory-storage.ts';
import { createMemoryStorage } from '../memory/memory-storage.ts';
import { ReplicaHost } from './replica-host.ts';
import { ReplicaStorage } from './replica-storage.ts';

interface World {
  readonly owner: MemoryStorage;
  readonly storage: ReplicaStorage;
  readonly watchers: () => number;
  advance(ms: number): void;
}

/** A replica in the same thread: messages take the same way. */
async function open(before?: (owner: MemoryStorage) => Promise<void>): Promise<World> {
  const clock = new ManualClock(Date.now());
  const owner = createMemoryStorage({ clock });
  await before?.(owner);
  const host = new ReplicaHost(owner);
  const { port1, port2 } = new MessageChannel();
  host.serve(port1);
  const storage = await ReplicaStorage.open({ port: port2, revision: host.revision.memory, clock });
  return { owner, storage, watchers: () => storage.watchers, advance: (ms) => clock.advance(ms) };
}

runStorageBehaviour('replica', open);

test('a replica holds what was there before it, reads what others write, and asks for history that is older', async () => {
  let first = 0;
  const { owner, storage } = await open(async (store) => {
    first = await put(store, '/a/0', 'x'.repeat(200));
    for (let i = 1; i < 2000; i++) await put(store, `/a/${i}`, 'x'.repeat(200));
    await put(store, '/a/0', 'newer');
  });
  await using _ = storage;
  assert.equal(await storage.count('/a/'), 2000);
  assert.equal((await storage.get('/a/0')).kv?.value.toString(), 'newer');
  const revision = await put(owner, '/b', 'of the owner');
  assert.equal((await storage.get('/b')).kv?.value.toString(), 'of the owner', 'a write that was acknowledged is seen at once');
  assert.equal(await storage.currentRevision(), revision);
  assert.equal((await storage.list('/a/0', { revision: first })).items[0]?.value.length, 200, 'as it was before the replica');
  const abort = new AbortController();
  const seen: string[] = [];
  for await (const items of storage.watch('/a/0', { revision: first, signal: abort.signal })) {
    for (const item of items) if (item.type === 'put') seen.push(`${item.previous?.value.length} -> ${item.kv.value.toString()}`);
    abort.abort();
  }
  assert.deepEqual(seen, ['200 -> newer']);
});

test('values of a pool are sent alone', async () => {
  const { owner, storage } = await open();
  await using _ = storage;
  const pool = Buffer.alloc(1 << 20, 'p');
  await storage.transact([{ type: 'put', key: '/a', value: pool.subarray(100, 110) }]);
  const kept = (await owner.get('/a')).kv?.value;
  assert.equal(kept?.buffer.byteLength, 10);
});

test('writes that come together arrive as the transactions that they were, also at a replica that joins between them', async () => {
  const clock = new ManualClock(Date.now());
  const owner = createMemoryStorage({ clock });
  const host = new ReplicaHost(owner);
  const join = (): Promise<ReplicaStorage> => {
    const { port1, port2 } = new MessageChannel();
    host.serve(port1);
    return ReplicaStorage.open({ port: port2, revision: host.revision.memory, clock });
  };
  await using first = await join();
  const revisions = await Promise.all(['a', 'b', 'c'].map((value) => put(owner, '/x', value)));
  const joining = join();
  revisions.push(await put(owner, '/x', 'd'));
  await using second = await joining;
  for (const [i, revision] of revisions.entries()) {
    assert.equal((await first.list('/x', { revision })).items[0]?.value.toString(), 'abcd'[i]);
  }
  const { kv } = await second.get('/x');
  assert.equal(kv?.value.toString(), 'd');
  assert.equal(kv.value.buffer.byteLength, 1, 'a value does not keep those that were sent with it');
});

test('when the owner goes, writes that are under way have an unknown outcome and later ones are refused', async () => {
  const { storage } = await open();
  const clock = new ManualClock(0);
  const { port1, port2 } = new MessageChannel();
  const host = new ReplicaHost(createMemoryStorage({ clock }));
  host.serve(port1);
  const other = await ReplicaStorage.open({ port: port2, revision: host.revision.memory, clock });
  const underWay = other.transact([{ type: 'put', key: '/a', value: Buffer.from('1') }]);
  host[Symbol.dispose]();
  await assert.rejects(underWay, (error: StorageUnavailableError) => error.name === 'StorageUnavailableError' && error.outcomeUnknown);
  await assert.rejects(other.get('/a'), StorageUnavailableError);
  await storage[Symbol.asyncDispose]();
});

test('a value that a replica has written comes back as the same value, with what is known of it to the owner and to other replicas', async () => {
  const clock = new ManualClock(0);
  const owner = createMemoryStorage({ clock });
  const host = new ReplicaHost(owner);
  const join = async (): Promise<ReplicaStorage> => {
    const { port1, port2 } = new MessageChannel();
    host.serve(port1);
    return ReplicaStorage.open({ port: port2, revision: host.revision.memory, clock });
  };
  await using writer = await join();
  await using reader = await join();
  const known = [host, writer, reader].map((thread) => {
    const notes = new WeakMap<Buffer, string>();
    thread.notes = { of: (value) => notes.get(value), add: (key, value, note) => notes.set(value, `${note} at ${key}`) };
    return notes;
  });
  const value = Buffer.from('of the replica');
  known[1]!.set(value, 'a note');
  await writer.transact([{ type: 'put', key: '/a', value }]);
  const [first, own, other] = await Promise.all([owner, writer, reader].map((storage) => storage.get('/a')));
  assert.equal(own?.kv?.value, value);
  assert.equal(known[0]!.get(first!.kv!.value), 'a note at /a');
  assert.equal(known[2]!.get(other!.kv!.value), 'a note at /a at /a');
  const unnoted = Buffer.from('nothing is known');
  await writer.transact([{ type: 'put', key: '/b', value: unnoted }]);
  assert.equal(known[2]!.get((await reader.get('/b')).kv!.value), undefined);
});

test('more than fits into shared memory arrives as well, also at a replica that does not read meanwhile', async () => {
  const { owner, storage } = await open();
  await using _ = storage;
  const values = Array.from({ length: 40 }, (_unused, i) => String.fromCharCode(65 + i).repeat(100_000));
  await Promise.all(values.map((value, i) => put(owner, `/a/${i}`, value)));
  for (let i = 0; i < 3; i++) await put(owner, `/large/${i}`, 'x'.repeat(900_000 * (i + 1)));
  for (const [i, value] of values.entries()) assert.equal((await storage.get(`/a/${i}`)).kv?.value.toString(), value);
  for (let i = 0; i < 3; i++) assert.equal((await storage.get(`/large/${i}`)).kv?.value.length, 900_000 * (i + 1));
});

async function put(storage: MemoryStorage, key: string, value: string): Promise<number> {
  return (await storage.transact([{ type: 'put', key, value: Buffer.from(value) }])).revision;
}

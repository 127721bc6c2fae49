import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../../test/faults/faulty-files.ts';
import { faultyFiles } from '../../../../test/faults/faulty-files.ts';
import { ManualClock } from '../../../base/clock.ts';
import { StorageUnavailableError } from '../../storage.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import type { Files } from './files.ts';
import { diskFiles } from './files.ts';
import { openEmbeddedStorage } from './open.ts';

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-faults-'));
after(() => rm(root, { recursive: true }));

const faults: { name: string; call: 'write' | 'sync'; fault: Fault }[] = [
  { name: 'a write is refused', call: 'write', fault: 'refuse' },
  { name: 'a write stops halfway', call: 'write', fault: 'tear' },
  { name: 'a write is done but reported as failed', call: 'write', fault: 'lie' },
  { name: 'a sync fails', call: 'sync', fault: 'refuse' },
  { name: 'a sync is done but reported as failed', call: 'sync', fault: 'lie' },
];
for (const { name, call, fault } of faults) {
  test(`when ${name}, writes fail with a reason, reads go on, and it recovers by itself`, async () => {
    const directory = await mkdtemp(join(root, 's-'));
    const clock = new ManualClock(Date.now());
    let failing = false;
    const files = faultyFiles({ decide: (asked) => (failing && (asked === call || asked === 'create') ? fault : undefined) });
    const seen: string[] = [];
    const observer = { failed: () => void seen.push('failed'), recovered: () => void seen.push('recovered') };
    {
      await using storage = await openEmbeddedStorage({ directory, clock, files, observer });
      const before = await put(storage, 'a', 'before');
      failing = true;
      const outcomes = await Promise.allSettled([put(storage, 'a', 'lost'), put(storage, 'b', 'lost'), put(storage, 'a', 'lost too')]);
      for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailableError);
      await assert.rejects(put(storage, 'c', 'refused'), (error: Error) => {
        assert.ok(error instanceof StorageUnavailableError);
        assert.match(error.message, /the storage cannot write to .*: EIO: injected/);
        assert.equal(error.outcomeUnknown, false);
        return true;
      });
      await assert.rejects(storage.health(), StorageUnavailableError);
      assert.deepEqual(await contents(storage), ['a=before']);
      assert.equal(await storage.currentRevision(), before);

      clock.advance(1000);
      await sleep(50);
      await assert.rejects(storage.health(), StorageUnavailableError, 'still failing');
      failing = false;
      clock.advance(1000);
      while (seen.at(-1) !== 'recovered') await sleep(5);
      await storage.health();
      assert.equal(await put(storage, 'd', 'after'), before + 1, 'the revision that was not reached is used');
      assert.deepEqual(await contents(storage), ['a=before', 'd=after']);
      assert.deepEqual(seen, ['failed', 'recovered']);
    }
    await using again = await openEmbeddedStorage({ directory });
    assert.deepEqual(await contents(again), ['a=before', 'd=after'], 'what failed stays undone after a restart');
  });
}

test('a full disk: the log is used up first, then writes fail, and go on when there is space', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const clock = new ManualClock(Date.now());
  let full = false;
  const files = faultyFiles(
    { decide: (call, path) => (full && call === 'write' && path.endsWith('.tmp') && !active(path) ? 'refuse' : undefined) },
    'ENOSPC',
  );
  // Space that is allocated can be written on a full disk: only files that are being made meet the error.
  const started = new Set<string>();
  function active(path: string): boolean {
    return started.has(path);
  }
  await using storage = await openEmbeddedStorage({ directory, clock, files });
  started.add(join(directory, 'log-0000000001.tmp'));
  full = true;
  const value = 'x'.repeat(10_000);
  let acknowledged = 0;
  await assert.rejects(
    (async () => {
      for (;;) {
        await put(storage, `k${acknowledged}`, value);
        acknowledged++;
      }
    })(),
    /ENOSPC/,
  );
  assert.ok(acknowledged > 90, `${acknowledged} writes fitted into the space there was`);
  assert.equal((await storage.list('k')).total, acknowledged);
  full = false;
  clock.advance(1000);
  while (
    !(await storage.health().then(
      () => true,
      () => false,
    ))
  )
    await sleep(5);
  await put(storage, 'k', 'there is space');
  assert.equal((await storage.list('k')).total, acknowledged + 1);
});

test('where there is no space for as large a piece of the log as is due, smaller ones do', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const most = 2 << 20;
  const files: Files = {
    async create(path) {
      const file = await diskFiles.create(path);
      const write = async (bytes: Buffer, position: number): Promise<void> => {
        if (position + bytes.length > most) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
        await file.writeThrough(bytes, position);
      };
      return { write, sync: () => file.sync(), writeThrough: write, close: () => file.close() };
    },
  };
  await using storage = await openEmbeddedStorage({ directory, files, checkpointAfterBytes: 1 << 30 });
  for (let i = 0; i < 100; i++) await put(storage, `k${i}`, 'x'.repeat(100_000));
  assert.equal((await storage.list('k')).total, 100);
});

test('a store whose disk is full when it opens can be read, and written once there is space', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  {
    await using storage = await openEmbeddedStorage({ directory });
    await put(storage, 'a', 'a');
  }
  const clock = new ManualClock(Date.now());
  let full = true;
  await using storage = await openEmbeddedStorage({
    directory,
    clock,
    files: faultyFiles({ decide: () => (full ? 'refuse' : undefined) }, 'ENOSPC'),
  });
  assert.deepEqual(await contents(storage), ['a=a']);
  await assert.rejects(put(storage, 'b', 'b'), /ENOSPC/);
  full = false;
  clock.advance(1000);
  while (
    !(await storage.health().then(
      () => true,
      () => false,
    ))
  )
    await sleep(5);
  await put(storage, 'b', 'b');
});

test('an answer that rests on a write that then fails is not given', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  let failing = false;
  const files = faultyFiles({ decide: (call) => (failing && call === 'sync' ? 'refuse' : undefined) });
  await using storage = await openEmbeddedStorage({ directory, files });
  failing = true;
  const creation = put(storage, 'a', 'a');
  const conflict = storage.transact([{ type: 'put', key: 'a', value: Buffer.from('b'), expect: 0 }]);
  await assert.rejects(creation, StorageUnavailableError);
  await assert.rejects(conflict, StorageUnavailableError);
});

async function put(storage: EmbeddedStorage, key: string, value: string): Promise<number> {
  return (await storage.transact([{ type: 'put', key, value: Buffer.from(value) }])).revision;
}

async function contents(storage: EmbeddedStorage): Promise<string[]> {
  return (await storage.list('')).items.map((kv) => `${kv.key}=${kv.value.toString()}`);
}

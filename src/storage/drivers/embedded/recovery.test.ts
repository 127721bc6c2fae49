import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { ManualClock } from '../../../base/clock.ts';
import { CompactedError } from '../../storage.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { DamagedStorageError, StorageOpenError } from './errors.ts';
import type { Files } from './files.ts';
import { diskFiles } from './files.ts';
import { openEmbeddedStorage } from './open.ts';
import { restoreBackup, writeBackup } from './restore-backup.ts';

const about = { prefix: '/registry', createdAt: '2026-01-01T00:00:00Z' };
const root = await mkdtemp(join(tmpdir(), 'wheelhouse-recovery-'));
after(() => rm(root, { recursive: true }));

test('everything is there after closing and opening: values, revisions, history', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const revisions: number[] = [];
  {
    await using storage = await openEmbeddedStorage({ directory });
    for (let i = 0; i < 5; i++) revisions.push(await put(storage, 'a', `a${i}`));
    revisions.push(
      (
        await storage.transact([
          { type: 'delete', key: 'a' },
          { type: 'put', key: 'ü', value: Buffer.from('u') },
        ])
      ).revision,
    );
  }
  await using storage = await openEmbeddedStorage({ directory });
  assert.equal(await storage.currentRevision(), revisions.at(-1));
  assert.deepEqual(await contents(storage), ['ü=u']);
  assert.deepEqual(await contents(storage, revisions[2]), ['a=a2']);
  assert.deepEqual(await changes(storage, revisions[3]!, 3), ['put a=a4 (a3)', 'delete a (a4)', 'put ü=u ()']);
  assert.equal(await put(storage, 'a', 'again'), revisions.at(-1)! + 1, 'revisions go on');
  assert.equal((await storage.get('ü')).kv?.version, 1);
});

test('history that memory does not hold is read from disk', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  await using storage = await openEmbeddedStorage({ directory, historyItems: 1, historyBytes: 1 });
  const value = 'x'.repeat(1000);
  const start = await put(storage, 'k0', 'start');
  let middle = 0;
  for (let i = 1; i <= 12_000; i++) {
    const last = storage.transact([{ type: 'put', key: `k${i % 10}`, value: Buffer.from(`${i} ${value}`) }]);
    if (i % 500 === 0) middle = (await last).revision;
    if (i === 3000) middle = (await last).revision;
  }
  const last = await storage.currentRevision();
  assert.ok(storage.statistics.historyBytes < 15_000_000, 'memory let go of old values');
  const early = await storage.list('k', { revision: start + 3000 });
  assert.deepEqual(
    early.items.map((kv) => Number.parseInt(kv.value.toString())),
    [3000, 2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999],
  );
  const page = await storage.list('k', { revision: start + 3000, from: 'k4', limit: 2 });
  assert.deepEqual([page.total, page.items.length, page.items[0]?.key], [6, 2, 'k4']);
  const seen = await changes(storage, start, 12_000);
  assert.equal(seen.length, 12_000);
  assert.match(seen[0]!, /^put k1=1 x+ \(\)$/);
  assert.match(seen[9]!, /^put k0=10 x+ \(start\)$/);
  assert.match(seen.at(-1)!, /^put k0=12000 x+ \(11990 x+\)$/);
  assert.equal(middle, last);
});

test('compaction turns old log into a checkpoint, which survives a restart', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  let done = 0;
  const observer = { compacted: () => void done++ };
  let kept = 0;
  for (let opening = 0; opening < 2; opening++) {
    await using storage = await openEmbeddedStorage({ directory, observer, checkpointAfterBytes: 1 << 20 });
    const value = 'x'.repeat(1000);
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 3000 }, (_, i) => put(storage, `k${i}`, `${round} ${value}`)));
      await storage.compact(await storage.currentRevision());
    }
    await Promise.all(Array.from({ length: 1000 }, (_, i) => storage.transact([{ type: 'delete', key: `k${i}` }])));
    await storage.compact(await storage.currentRevision());
    kept = await put(storage, 'last', 'one');
  }
  assert.ok(done >= 2, `${done} checkpoints`);
  const names = await readdir(directory);
  assert.equal(names.filter((name) => name.startsWith('checkpoint-')).length, 1);
  await using storage = await openEmbeddedStorage({ directory });
  assert.equal(await storage.currentRevision(), kept);
  assert.equal(await storage.count('k'), 2000);
  assert.match((await storage.get('k2999')).kv!.value.toString(), /^3 x/);
  assert.equal((await storage.get('k2999')).kv!.version, 8);
  await assert.rejects(storage.list('', { revision: kept - 2 }), CompactedError);
});

test('an unfinished last batch is dropped, whatever is left of it', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  {
    await using storage = await openEmbeddedStorage({ directory });
    await put(storage, 'a', 'kept');
  }
  const whole = await lastLog(directory);
  const { size } = await stat(whole);
  {
    await using storage = await openEmbeddedStorage({ directory });
    await put(storage, 'a', 'torn'.repeat(500));
  }
  assert.ok(size > 0);
  const bytes = await readFile(await lastLog(directory));
  for (let length = 0; length < bytes.indexOf('torntorn') + 1900; length += 61) {
    await writeFile(await lastLog(directory), bytes.subarray(0, length));
    const before = await readdir(directory);
    {
      await using storage = await openEmbeddedStorage({ directory });
      assert.deepEqual(await contents(storage), ['a=kept'], `cut to ${length} bytes`);
      await put(storage, 'b', 'new');
      await storage.transact([{ type: 'delete', key: 'b' }]);
    }
    for (const name of await readdir(directory)) if (!before.includes(name)) await rm(join(directory, name));
    await writeFile(join(directory, before.filter((name) => name.startsWith('log-')).at(-1)!), bytes);
  }
});

test('damage in the middle of the log is told from an unfinished end', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  {
    await using storage = await openEmbeddedStorage({ directory });
    for (let i = 0; i < 10; i++) await put(storage, 'a', `value ${i}`);
  }
  await flip(await lastLog(directory), 'value 4');
  await assert.rejects(openEmbeddedStorage({ directory }), (error: Error) => {
    assert.ok(error instanceof DamagedStorageError);
    assert.match(error.message, /log-0000000001 is damaged at byte \d+: what follows revision 5 is not readable, but revision 7 is there/);
    return true;
  });
});

test('a missing segment in the middle is noticed', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  for (let i = 0; i < 3; i++) {
    await using storage = await openEmbeddedStorage({ directory });
    await put(storage, 'a', String(i));
  }
  await rm(join(directory, 'log-0000000002'));
  await assert.rejects(openEmbeddedStorage({ directory }), /revisions 3 to 3 are missing/);
});

test('a damaged value in a checkpoint leaves its key visible and everything else intact', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const backup = join(root, 'damaged-backup');
  {
    await using storage = await openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')) });
    for (const key of ['a', 'b', 'c']) await put(storage, key, `value of ${key}`);
    await writeBackup(backup, storage.snapshot(), about);
  }
  await restoreBackup({ file: backup, directory });
  const checkpoint = (await readdir(directory)).find((name) => name.startsWith('checkpoint-'))!;
  await flip(join(directory, checkpoint), 'value of b');
  const damaged: string[] = [];
  await using storage = await openEmbeddedStorage({ directory, observer: { damagedValue: (key) => damaged.push(key) } });
  assert.deepEqual(damaged, ['b']);
  assert.deepEqual(await contents(storage), ['a=value of a', 'b=', 'c=value of c']);
  await flip(backup, 'value of b');
  await assert.rejects(
    restoreBackup({ file: backup, directory: await mkdtemp(join(root, 's-')) }),
    /damaged-backup is damaged at byte \d+: the checksum of the block does not match/,
  );
});

test('a backup taken while writes go on is a state that was, and opens as a store', async () => {
  const file = join(root, 'backup');
  await using storage = await openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')) });
  for (let i = 0; i < 3000; i++) void storage.transact([{ type: 'put', key: `k${i}`, value: Buffer.from('old'), ttlSeconds: 3600 }]);
  const start = await put(storage, 'z', 'old');
  const state = storage.snapshot();
  await Promise.all([writeBackup(file, state, about), ...Array.from({ length: 3000 }, (_, i) => put(storage, `k${i}`, 'new'))]);
  assert.equal(state.keyspace.revision, start);
  const directory = await mkdtemp(join(root, 's-'));
  await restoreBackup({ file, directory, bumpRevision: 0 });
  await using restored = await openEmbeddedStorage({ directory });
  assert.equal(await restored.currentRevision(), start);
  assert.equal((await restored.list('')).items.filter((kv) => kv.value.toString() === 'old').length, 3001);
  assert.deepEqual((await restored.get('k7')).kv, (await storage.list('k7', { revision: start })).items[0]);
  await assert.rejects(restoreBackup({ file, directory }), /is in use|not empty/);
});

test('times to live go on after a restart, also those that ran out meanwhile', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const clock = new ManualClock(1_000_000);
  {
    await using storage = await openEmbeddedStorage({ directory, clock });
    await storage.transact([
      { type: 'delete', key: 'nothing' },
      { type: 'put', key: 'short', value: Buffer.from('s'), ttlSeconds: 10 },
    ]);
    await storage.transact([{ type: 'put', key: 'long', value: Buffer.from('l'), ttlSeconds: 100 }]);
    await put(storage, 'ever', 'e');
  }
  clock.advance(20_000);
  await using storage = await openEmbeddedStorage({ directory, clock });
  clock.advance(1);
  await put(storage, 'barrier', '');
  assert.deepEqual(await contents(storage), ['barrier=', 'ever=e', 'long=l']);
  clock.advance(80_000);
  await put(storage, 'barrier', '');
  assert.deepEqual(await contents(storage), ['barrier=', 'ever=e']);
});

test('a time to live that runs out while the directory is being opened takes no segment away', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const clock = new ManualClock(1_000_000);
  {
    await using storage = await openEmbeddedStorage({ directory, clock });
    await storage.transact([{ type: 'put', key: 'short', value: Buffer.from('s'), ttlSeconds: 10 }]);
  }
  const failures: Error[] = [];
  const files: Files = {
    create(path) {
      clock.advance(20_000);
      return diskFiles.create(path);
    },
  };
  {
    await using storage = await openEmbeddedStorage({ directory, clock, files, observer: { failed: (error) => failures.push(error) } });
    await put(storage, 'later', 'l');
    assert.deepEqual(failures, []);
    assert.deepEqual(await contents(storage), ['later=l']);
  }
  await using again = await openEmbeddedStorage({ directory, clock });
  assert.deepEqual(await contents(again), ['later=l']);
});

test('a directory that is open is refused by name, and opens once it is closed', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  {
    await using _storage = await openEmbeddedStorage({ directory });
    await assert.rejects(openEmbeddedStorage({ directory }), {
      name: 'StorageOpenError',
      message: `data directory ${directory} is in use by process ${process.pid}; stop that process or choose another directory`,
    });
  }
  await using _again = await openEmbeddedStorage({ directory });
});

test('another process cannot open a directory that is open here, also not after this one has tried twice', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  await using _storage = await openEmbeddedStorage({ directory });
  await assert.rejects(openEmbeddedStorage({ directory }), StorageOpenError);
  const script = `import(${JSON.stringify(join(import.meta.dirname, 'open.ts'))})
    .then(({ openEmbeddedStorage }) => openEmbeddedStorage({ directory: ${JSON.stringify(directory)} }))
    .then(() => console.log('opened'), (error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  assert.equal(stdout, `data directory ${directory} is in use by process ${process.pid}; stop that process or choose another directory\n`);
});

test('a newer format and a foreign directory are refused with advice', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  await writeFile(join(directory, 'format'), 'wheelhouse storage format 2\n');
  await assert.rejects(openEmbeddedStorage({ directory }), (error: Error) => {
    assert.ok(error instanceof StorageOpenError);
    assert.match(error.message, /has storage format 2, written by a newer version; this version reads up to 1\. Use the newer version/);
    return true;
  });
  await writeFile(join(directory, 'format'), 'something else');
  await assert.rejects(openEmbeddedStorage({ directory }), /is .* the right data directory\?/);
});

test('a truncated checkpoint is refused', async () => {
  const directory = await mkdtemp(join(root, 's-'));
  const file = join(root, 'short-backup');
  {
    await using storage = await openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')) });
    for (let i = 0; i < 100; i++) await put(storage, `k${i}`, 'v'.repeat(100));
    await writeBackup(file, storage.snapshot(), about);
  }
  await restoreBackup({ file, directory });
  const checkpoint = join(
    directory,
    (await readdir(directory)).find((name) => name.startsWith('checkpoint-'))!,
  );
  await truncate(checkpoint, (await stat(checkpoint)).size - 50);
  await assert.rejects(openEmbeddedStorage({ directory }), DamagedStorageError);
  await appendFile(checkpoint, Buffer.alloc(50));
  await assert.rejects(openEmbeddedStorage({ directory }), DamagedStorageError);
});

async function put(storage: EmbeddedStorage, key: string, value: string): Promise<number> {
  return (await storage.transact([{ type: 'put', key, value: Buffer.from(value) }])).revision;
}

async function contents(storage: EmbeddedStorage, revision?: number): Promise<string[]> {
  const { items } = await storage.list('', revision === undefined ? {} : { revision });
  return items.map((kv) => `${kv.key}=${kv.value.toString()}`);
}

async function changes(storage: EmbeddedStorage, revision: number, count: number): Promise<string[]> {
  const abort = new AbortController();
  const found: string[] = [];
  for await (const batch of storage.watch('', { revision, signal: abort.signal })) {
    for (const item of batch) {
      if (item.type === 'put') found.push(`put ${item.kv.key}=${item.kv.value.toString()} (${item.previous?.value.toString() ?? ''})`);
      if (item.type === 'delete') found.push(`delete ${item.key} (${item.previous?.value.toString() ?? ''})`);
    }
    if (found.length >= count) break;
  }
  return found;
}

async function lastLog(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('log-')).sort();
  return join(directory, names.at(-1)!);
}

/** Changes one bit in the middle of a text in a file. */
async function flip(path: string, text: string): Promise<void> {
  const at = (await readFile(path)).indexOf(text) + 2;
  await using handle = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0]! ^= 1;
  await handle.write(byte, 0, 1, at);
}

test('a directory that cannot be made is refused, and does not keep the start waiting', { timeout: 10_000 }, async () => {
  const file = join(await mkdtemp(join(root, 's-')), 'file');
  await writeFile(file, '');
  for (const directory of [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/x', '/proc/x/y'] : [])]) {
    await assert.rejects(openEmbeddedStorage({ directory }), (error: Error) => {
      assert.ok(error instanceof StorageOpenError);
      assert.match(error.message, /^data directory \S+ cannot be made: /);
      return true;
    });
  }
});

test('only their owner may read the files of a store', { skip: process.platform === 'win32' }, async () => {
  const directory = join(await mkdtemp(join(root, 's-')), 'new', 'deep');
  const restored = join(await mkdtemp(join(root, 's-')), 'restored');
  const backup = join(await mkdtemp(join(root, 's-')), 'backup');
  {
    await using storage = await openEmbeddedStorage({ directory });
    await put(storage, 'a', 'b');
    await writeBackup(backup, storage.snapshot(), about);
  }
  await restoreBackup({ file: backup, directory: restored });
  for (const folder of [directory, restored]) {
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const name of await readdir(folder)) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
  }
  assert.equal((await stat(backup)).mode & 0o777, 0o600);
});

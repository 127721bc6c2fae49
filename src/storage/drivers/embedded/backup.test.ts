import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { KeyValue } from '../../storage.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { compactDirectory, snapshotOfDirectory, verifyDirectory } from './maintenance.ts';
import { openEmbeddedStorage } from './open.ts';
import { restoreBackup, verifyBackup, writeBackup } from './restore-backup.ts';

const about = { prefix: '/registry', createdAt: '2026-01-01T00:00:00Z' };
const root = await mkdtemp(join(tmpdir(), 'wheelhouse-backup-'));
after(() => rm(root, { recursive: true }));

const folder = (): Promise<string> => mkdtemp(join(root, 's-'));

async function put(storage: EmbeddedStorage, key: string, value: string, ttlSeconds?: number): Promise<number> {
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds };
  return (await storage.transact([{ type: 'put', key, value: Buffer.from(value), ...ttl }])).revision;
}

async function everything(directory: string): Promise<readonly KeyValue[]> {
  await using storage = await openEmbeddedStorage({ directory });
  return (await storage.list('')).items;
}

/** A store of 2,000 keys, some of them large, and its backup. */
async function stored(): Promise<{ directory: string; file: string; revision: number }> {
  const directory = await folder();
  const file = join(directory, '..', `${Math.random()}.backup`);
  await using storage = await openEmbeddedStorage({ directory });
  const writes = Array.from({ length: 2000 }, (_, i) =>
    put(storage, `/registry/configmaps/ns/${i}`, 'v'.repeat(i % 100 === 0 ? 20_000 : 200), i % 10 === 0 ? 3600 : undefined),
  );
  await Promise.all(writes);
  for (let i = 0; i < 50; i++) await put(storage, `/registry/configmaps/ns/${i}`, `again ${i}`);
  await writeBackup(file, storage.snapshot(), about);
  return { directory, file, revision: await storage.currentRevision() };
}

test('a backup restores to the same keys, values, revisions and ends of life, and clients know none of the revisions to come', async () => {
  const { directory, file, revision } = await stored();
  const restored = await folder();
  const { restoredAt, keys } = await restoreBackup({ file, directory: restored });
  assert.equal(keys, 2000);
  assert.equal(restoredAt, revision + 1_000_000_000);
  assert.deepEqual(await everything(restored), await everything(directory));
  const [before, now] = [await snapshotOfDirectory(directory), await snapshotOfDirectory(restored)];
  assert.equal(now.deadlines.size, 195);
  assert.deepEqual(now.deadlines.range(), before.deadlines.range());
  await using storage = await openEmbeddedStorage({ directory: restored });
  assert.equal(await put(storage, 'next', 'x'), restoredAt + 1);
});

test('every altered byte of a backup is found, by the name of the file and the place', async () => {
  const { file } = await stored();
  const sound = await readFile(file);
  const altered = join(root, 'altered');
  const places = [0, 9, 12, 16, 22, sound.length - 1, sound.length - 20, sound.length - 50];
  while (places.length < 200) places.push(Math.floor(Math.random() * sound.length));
  const target = join(root, 'never');
  for (const place of places) {
    const bytes = Buffer.from(sound);
    bytes[place] = bytes[place]! ^ (1 << Math.floor(Math.random() * 8));
    await writeFile(altered, bytes);
    const refused = new RegExp(`^${altered} is (damaged at byte \\d+: |cut short: it ends at byte \\d+|not a backup: .*at byte 0)`);
    await assert.rejects(verifyBackup(altered), { name: 'BackupError', message: refused }, `byte ${place}`);
    if (place % 20 === 0) await assert.rejects(restoreBackup({ file: altered, directory: target }), { name: 'BackupError' });
  }
  assert.equal((await verifyBackup(file)).keys, 2000);
  await assert.rejects(stat(join(target, 'log-0000000001')), { code: 'ENOENT' });
});

test('a backup that is cut short, or longer than it was, is refused', async () => {
  const { file } = await stored();
  const sound = await readFile(file);
  const altered = join(root, 'cut');
  for (let i = 0; i < 50; i++) {
    await writeFile(altered, sound.subarray(0, Math.floor(Math.random() * sound.length)));
    await assert.rejects(verifyBackup(altered), /^BackupError: \S+ is (cut short: it ends at byte \d+|not a backup)/);
  }
  await writeFile(altered, Buffer.concat([sound, Buffer.from('x')]));
  await assert.rejects(verifyBackup(altered), {
    message: `${altered} is damaged at byte ${sound.length}: there are 1 bytes after the end`,
  });
  await writeFile(altered, 'apiVersion: v1\n');
  await assert.rejects(verifyBackup(altered), { message: `${altered} is not a backup: it does not start like one, at byte 0` });
});

test('restoring into a store that holds something needs to be asked for, and leaves no revision twice', async () => {
  const { directory, file } = await stored();
  const other = await folder();
  let last: number;
  {
    await using storage = await openEmbeddedStorage({ directory: other });
    for (let i = 0; i < 3000; i++) void put(storage, `other-${i}`, 'x');
    last = await put(storage, 'last', 'x');
    await assert.rejects(restoreBackup({ file, directory: other, replace: true }), /is in use by process/);
  }
  await assert.rejects(restoreBackup({ file, directory: other }), /is not empty; choose another one, or say --replace/);
  assert.equal((await everything(other)).length, 3001);
  const { restoredAt } = await restoreBackup({ file, directory: other, replace: true, bumpRevision: 0 });
  assert.equal(restoredAt, last + 1);
  assert.deepEqual(await everything(other), await everything(directory));
});

test('a damaged backup changes nothing in the store that it was to replace', async () => {
  const { directory, file } = await stored();
  const bytes = await readFile(file);
  bytes[bytes.length - 300] = bytes[bytes.length - 300]! ^ 1;
  await writeFile(file, bytes);
  const before = await everything(directory);
  await assert.rejects(restoreBackup({ file, directory, replace: true }), { name: 'BackupError' });
  assert.deepEqual(await everything(directory), before);
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('compactDirectory() gives back space and keeps every key, and its revision', async () => {
  const directory = await folder();
  {
    await using storage = await openEmbeddedStorage({ directory });
    for (let i = 0; i < 5000; i++) void put(storage, `k${i % 20}`, `${i} `.padEnd(1000, 'x'));
    await put(storage, 'expires', 'x', 3600);
  }
  const before = await everything(directory);
  const { before: bytesBefore, bytes, keys, revision } = await compactDirectory(directory);
  assert.equal(keys, 21);
  assert.ok(bytes < bytesBefore / 10, `${bytesBefore} to ${bytes}`);
  assert.deepEqual(await everything(directory), before);
  assert.equal((await snapshotOfDirectory(directory)).deadlines.size, 1);
  assert.equal((await verifyDirectory(directory)).revision, revision);
  assert.equal((await compactDirectory(directory)).keys, 21);
});

test('verifyDirectory() says what is damaged, where, and changes nothing', async () => {
  const { directory } = await stored();
  const { keys } = await verifyDirectory(directory);
  assert.equal(keys, 2000);
  const log = join(
    directory,
    (await readdir(directory)).find((name) => name.startsWith('log-'))!,
  );
  const bytes = await readFile(log);
  bytes[5000] = bytes[5000]! ^ 1;
  await writeFile(log, bytes);
  await assert.rejects(verifyDirectory(directory), /log-\d+ is damaged at byte \d+/);
  assert.deepEqual(await readFile(log), bytes);
  await assert.rejects(verifyDirectory(join(root, 'nowhere')), /nowhere is not a data directory of Wheelhouse/);
  await assert.rejects(stat(join(root, 'nowhere')), { code: 'ENOENT' });
});

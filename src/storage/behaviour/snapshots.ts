import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SnapshotStorage } from '../mvcc/snapshot.ts';
import type { StorageUnderTest } from './subject.ts';
import { brief, Subject, text } from './subject.ts';

export interface SnapshotsUnderTest extends StorageUnderTest {
  readonly storage: SnapshotStorage;
}

type SnapshotCase = (subject: Subject, storage: SnapshotStorage) => Promise<void>;

const cases: Readonly<Record<string, SnapshotCase>> = {
  'restore() undoes creations, updates and deletions, in one revision that watches see': async (subject, storage) => {
    await subject.put('changed', 'before');
    await subject.put('deleted', 'before');
    const unchanged = await subject.put('unchanged', 'before');
    const snapshot = storage.snapshot();
    await subject.put('changed', 'after');
    await subject.delete('deleted');
    const last = await subject.put('created', 'after');
    const revision = await storage.restore(snapshot);
    assert.equal(revision, last + 1);
    assert.deepEqual(await contents(storage), ['changed=before', 'deleted=before', 'unchanged=before']);
    assert.equal((await subject.get('unchanged'))?.modRevision, unchanged);
    assert.equal((await subject.get('changed'))?.modRevision, revision);
    const seen = await subject.changes('', 3, { revision: last });
    assert.deepEqual(seen.map(brief).sort(), ['delete created', 'put changed=before', 'put deleted=before']);
  },

  'restore() goes back to the same snapshot as often as wanted, and writes nothing where nothing changed': async (subject, storage) => {
    await subject.put('a', '1');
    const snapshot = storage.snapshot();
    for (let round = 0; round < 3; round++) {
      await subject.put('a', `round ${round}`);
      const last = await subject.put('b', 'new');
      assert.equal(await storage.restore(snapshot), last + 1);
      assert.equal(await storage.restore(snapshot), last + 1);
      assert.deepEqual(await contents(storage), ['a=1']);
    }
  },

  'restore() among writes comes after those before it and before those after it': async (subject, storage) => {
    await subject.put('kept', 'before');
    const snapshot = storage.snapshot();
    const earlier = Array.from({ length: 50 }, (_, i) => subject.put(`earlier-${i}`, 'x'));
    const overwritten = subject.put('kept', 'after');
    const restored = storage.restore(snapshot);
    const later = subject.put('later', 'x');
    await Promise.all([...earlier, overwritten, restored, later]);
    assert.deepEqual(await contents(storage), ['kept=before', 'later=x']);
  },

  'two restores at once leave what the second one asked for': async (subject, storage) => {
    const empty = storage.snapshot();
    await subject.put('a', '1');
    await subject.put('b', '1');
    const full = storage.snapshot();
    await subject.put('a', '2');
    await Promise.all([storage.restore(empty), storage.restore(full)]);
    assert.deepEqual(await contents(storage), ['a=1', 'b=1']);
    await Promise.all([storage.restore(full), storage.restore(empty)]);
    assert.deepEqual(await contents(storage), []);
  },

  'restore() keeps the end of a time to live, and does not bring back what has expired': async (subject, storage) => {
    await subject.put('short', 'x', { ttlSeconds: 1 });
    await subject.put('long', 'x', { ttlSeconds: 3 });
    const snapshot = storage.snapshot();
    await subject.delete('long');
    await subject.delete('short');
    await subject.advance(1100);
    await storage.restore(snapshot);
    assert.deepEqual(await contents(storage), ['long=x']);
    await subject.advance(2500);
    await subject.eventually('the key to expire', async () => (await subject.get('long')) === undefined);
  },

  'restore() leaves alone what it is told to keep': async (subject, storage) => {
    await subject.put('/lease/a', '1');
    await subject.put('/other/a', '1');
    const snapshot = storage.snapshot();
    await subject.put('/lease/a', '2');
    await subject.put('/other/a', '2');
    await storage.restore(snapshot, { keeps: (key) => key.startsWith('/lease/') });
    assert.deepEqual([text(await subject.get('/lease/a')), text(await subject.get('/other/a'))], ['2', '1']);
  },

  'restore() finds what changed among many keys, whatever has moved between nodes of the tree': async (subject, storage) => {
    const many = Array.from({ length: 3000 }, (_, i) => `k${String(i).padStart(5, '0')}`);
    await subject.fill(many, 'before');
    const snapshot = storage.snapshot();
    const before = await contents(storage);
    for (let i = 0; i < 3000; i += 7) {
      if (i % 2 === 0) await subject.delete(many[i]!);
      else await subject.put(many[i]!, 'after');
    }
    await subject.fill(
      Array.from({ length: 500 }, (_, i) => `k${String(i * 5).padStart(5, '0')}x`),
      'new',
    );
    await storage.restore(snapshot);
    assert.deepEqual(await contents(storage), before);
  },
  'restore() of many keys is seen by each watch as the changes of its prefix, in order, and by those that sleep too': async (
    subject,
    storage,
  ) => {
    // In the order of UTF-8, which is not that of UTF-16.
    const prefixes = ['a/', 'b/', '\uff5e/', '\u{1f600}/'];
    const many = prefixes.flatMap((prefix) => Array.from({ length: 2000 }, (_, i) => prefix + String(i).padStart(4, '0')));
    await subject.fill(many, 'before');
    const snapshot = storage.snapshot();
    await storage.transact(many.map((key) => ({ type: 'put', key, value: Buffer.from('after') })));
    const last = await subject.put('c/other', 'after');
    const live = prefixes.map((prefix) => subject.changes(prefix, 2000, { revision: last }));
    await new Promise((resolve) => setImmediate(resolve));
    const revision = await storage.restore(snapshot);
    await subject.put('b/0000', 'later');
    const past = prefixes.map((prefix) => subject.changes(prefix, 2000, { revision: last }));
    for (const [i, prefix] of prefixes.entries()) {
      const expected = many.filter((key) => key.startsWith(prefix)).map((key) => `put ${key}=before`);
      for (const found of [await live[i]!, await past[i]!]) assert.deepEqual(found.slice(0, 2000).map(brief), expected);
    }
    assert.deepEqual((await subject.changes('c/', 1, { revision: last })).map(brief), ['delete c/other']);
    assert.deepEqual((await subject.changes('b/', 1, { revision })).map(brief), ['put b/0000=later']);
  },
  'restore() of many keys is one write: readers see all of it or nothing, and writes come before it or after it': async (
    subject,
    storage,
  ) => {
    const many = Array.from({ length: 30_000 }, (_, i) => `k${String(i).padStart(5, '0')}`);
    await subject.fill(many, 'before');
    const snapshot = storage.snapshot();
    await storage.transact(many.map((key) => ({ type: 'put', key, value: Buffer.from('after') })));
    await subject.put('new', 'after');
    let restored: number | undefined;
    const restoring = storage.restore(snapshot).then((revision) => (restored = revision));
    const other = storage.restore(snapshot);
    const writes: Promise<number>[] = [];
    const seen: string[] = [];
    while (restored === undefined) {
      if (writes.length < 20) writes.push(subject.put(`written-${writes.length + 10}`, 'between'));
      const { items } = await storage.list('');
      const restorable = items.filter(({ key }) => !key.startsWith('written'));
      seen.push([...new Set(restorable.map((kv) => text(kv)))].join());
      assert.equal(restorable.length, many.length + (seen.at(-1) === 'after' ? 1 : 0));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(
      seen.every((values) => values === 'after' || values === 'before'),
      `${[...new Set(seen)]}`,
    );
    const revision = await restoring;
    const second = await other;
    const written = await Promise.all(writes);
    assert.deepEqual(await contents(storage), [
      ...many.map((key) => `${key}=before`),
      ...writes.flatMap((_, i) => (written[i]! > Math.max(revision, second) ? [`written-${i + 10}=between`] : [])),
    ]);
  },
};

/** What a store that can be put back must do, besides what all do. */
export function runSnapshotBehaviour(name: string, open: () => Promise<SnapshotsUnderTest>): void {
  describe(`${name} storage: snapshots`, () => {
    for (const [what, run] of Object.entries(cases)) {
      test(what, async () => {
        const world = await open();
        await using storage = world.storage;
        await run(new Subject(world), storage);
      });
    }
  });
}

async function contents(storage: SnapshotStorage): Promise<string[]> {
  return (await storage.list('')).items.map((kv) => `${kv.key}=${text(kv)}`);
}

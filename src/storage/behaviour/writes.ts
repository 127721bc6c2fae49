import assert from 'node:assert/strict';
import type { Case } from './subject.ts';
import { text } from './subject.ts';

export const writeCases: readonly Case[] = [
  {
    name: 'creates a key that does not exist, and only then',
    async run(s) {
      const before = await s.storage.currentRevision();
      const revision = await s.put('/registry/a', 'one', { expect: 0 });
      assert.equal(revision, before + 1);
      const kv = await s.get('/registry/a');
      assert.deepEqual(kv, { key: '/registry/a', value: Buffer.from('one'), modRevision: revision, createRevision: revision, version: 1 });

      const again = await s.tryPut('/registry/a', 'two', 0);
      assert.equal(again.succeeded, false);
      assert.equal(text(again.values[0]), 'one', 'the answer shows the value that is in the way');
      assert.equal(again.values[0]?.modRevision, revision);
      assert.equal(again.revision, revision, 'a failed transaction makes no revision');
      assert.equal(text(await s.get('/registry/a')), 'one');
    },
  },
  {
    name: 'updates a key at the expected revision, and only then',
    async run(s) {
      const created = await s.put('/registry/a', 'one');
      const updated = await s.put('/registry/a', 'two', { expect: created });
      assert.equal(updated, created + 1);
      assert.deepEqual(await s.get('/registry/a'), {
        key: '/registry/a',
        value: Buffer.from('two'),
        modRevision: updated,
        createRevision: created,
        version: 2,
      });
      const stale = await s.tryPut('/registry/a', 'three', created);
      assert.equal(stale.succeeded, false);
      assert.equal(text(stale.values[0]), 'two');
      const absent = await s.tryPut('/registry/b', 'x', created);
      assert.equal(absent.succeeded, false);
      assert.equal(absent.values[0], undefined);
    },
  },
  {
    name: 'writes without an expectation whatever is there',
    async run(s) {
      await s.put('/registry/a', 'one');
      await s.put('/registry/a', 'two');
      assert.equal(text(await s.get('/registry/a')), 'two');
    },
  },
  {
    name: 'deletes a key at the expected revision, and only then',
    async run(s) {
      const created = await s.put('/registry/a', 'one');
      const stale = await s.tryDelete('/registry/a', created - 1);
      assert.equal(stale.succeeded, false);
      assert.equal(text(stale.values[0]), 'one');
      const deleted = await s.tryDelete('/registry/a', created);
      assert.equal(deleted.succeeded, true);
      assert.equal(deleted.revision, created + 1);
      assert.equal(await s.get('/registry/a'), undefined);
      await s.put('/registry/a', 'two');
      const unconditional = await s.tryDelete('/registry/a');
      assert.equal(text(unconditional.values[0]), 'two', 'a delete tells what it removed');
    },
  },
  {
    name: 'makes no revision when there is nothing to delete',
    async run(s) {
      const before = await s.storage.currentRevision();
      const result = await s.tryDelete('/registry/nothing');
      assert.deepEqual(result, { succeeded: true, revision: before, values: [undefined] });
      assert.equal(await s.storage.currentRevision(), before);
    },
  },
  {
    name: 'starts a key over after a delete',
    async run(s) {
      await s.put('/registry/a', 'one');
      await s.put('/registry/a', 'two');
      await s.delete('/registry/a');
      const revision = await s.put('/registry/a', 'three', { expect: 0 });
      const kv = await s.get('/registry/a');
      assert.equal(kv?.createRevision, revision);
      assert.equal(kv?.version, 1);
    },
  },
  {
    name: 'applies all operations of a transaction at one revision',
    async run(s) {
      const a = await s.put('/registry/a', 'a1');
      const b = await s.put('/registry/b', 'b1');
      const result = await s.storage.transact([
        { type: 'put', key: '/registry/a', value: Buffer.from('a2'), expect: a },
        { type: 'delete', key: '/registry/b', expect: b },
        { type: 'put', key: '/registry/c', value: Buffer.from('c1'), expect: 0 },
      ]);
      assert.equal(result.succeeded, true);
      assert.equal(result.revision, b + 1);
      const { items } = await s.storage.list('/registry/');
      assert.deepEqual(
        items.map((kv) => [kv.key, text(kv), kv.modRevision]),
        [
          ['/registry/a', 'a2', b + 1],
          ['/registry/c', 'c1', b + 1],
        ],
      );
    },
  },
  {
    name: 'applies no operation of a transaction when one expectation fails',
    async run(s) {
      const a = await s.put('/registry/a', 'a1');
      const result = await s.storage.transact([
        { type: 'put', key: '/registry/a', value: Buffer.from('a2'), expect: a },
        { type: 'put', key: '/registry/b', value: Buffer.from('b1'), expect: 0 },
        { type: 'delete', key: '/registry/c', expect: a },
      ]);
      assert.equal(result.succeeded, false);
      assert.equal(result.revision, a);
      assert.deepEqual(result.values.map(text), ['a1', undefined, undefined]);
      assert.equal(text(await s.get('/registry/a')), 'a1');
      assert.equal(await s.get('/registry/b'), undefined);
    },
  },
  {
    name: 'refuses a transaction that names a key twice',
    async run(s) {
      const put = { type: 'put', key: '/registry/a', value: Buffer.from('a') } as const;
      await assert.rejects(s.storage.transact([put, put]), /duplicate key/);
      assert.equal(await s.get('/registry/a'), undefined);
    },
  },
  {
    name: 'lets exactly one of many concurrent creators win',
    async run(s) {
      const results = await Promise.all(Array.from({ length: 20 }, (_, i) => s.tryPut('/registry/a', `writer ${i}`, 0)));
      const winners = results.flatMap(({ succeeded }, i) => (succeeded ? [i] : []));
      assert.equal(winners.length, 1);
      assert.equal(text(await s.get('/registry/a')), `writer ${winners[0]}`);
      const shown = results.filter(({ succeeded }) => !succeeded).map(({ values }) => text(values[0]));
      assert.deepEqual(new Set(shown), new Set([`writer ${winners[0]}`]));
    },
  },
  {
    name: 'loses no update of writers that retry on conflict',
    async run(s) {
      await s.put('/registry/counter', '0');
      const increment = async (): Promise<void> => {
        for (let left = 10; left > 0;) {
          const kv = await s.get('/registry/counter');
          const result = await s.tryPut('/registry/counter', String(Number(text(kv)) + 1), kv!.modRevision);
          if (result.succeeded) left--;
        }
      };
      await Promise.all(Array.from({ length: 8 }, increment));
      const kv = await s.get('/registry/counter');
      assert.equal(text(kv), '80');
      assert.equal(kv?.version, 81);
    },
  },
  {
    name: 'removes a key when its time to live is over, and says so to watchers',
    async run(s) {
      const revision = await s.put('/registry/events/e', 'soon gone', { ttlSeconds: 2 });
      await s.put('/registry/events/kept', 'stays');
      assert.equal(text(await s.get('/registry/events/e')), 'soon gone');
      await s.advance(2100);
      await s.eventually('the key to expire', async () => (await s.get('/registry/events/e')) === undefined);
      const change = (await s.changes('/registry/events/e', 1, { revision }))[0];
      assert.equal(change?.type, 'delete');
      assert.equal(text(change?.previous), 'soon gone');
      assert.equal(text(await s.get('/registry/events/kept')), 'stays');
    },
  },
  {
    name: 'forgets the time to live when the key is written again without one',
    async run(s) {
      await s.put('/registry/events/e', 'one', { ttlSeconds: 2 });
      await s.put('/registry/events/e', 'two');
      await s.put('/registry/events/other', 'marks the time', { ttlSeconds: 3 });
      await s.advance(3100);
      await s.eventually('the other key to expire', async () => (await s.get('/registry/events/other')) === undefined);
      assert.equal(text(await s.get('/registry/events/e')), 'two');
    },
  },
];

import assert from 'node:assert/strict';
import type { KeyValue } from '../storage.ts';
import { FutureRevisionError } from '../storage.ts';
import type { Case } from './subject.ts';
import { keys, text } from './subject.ts';

export const readCases: readonly Case[] = [
  {
    name: 'answers undefined, zero and nothing when there is nothing',
    async run(s) {
      const revision = await s.storage.currentRevision();
      assert.ok(revision >= 1, 'revision 0 means "any" to clients, so no store is at it');
      assert.deepEqual(await s.storage.get('/registry/a'), { kv: undefined, revision });
      assert.deepEqual(await s.storage.list('/registry/'), { items: [], revision, total: 0 });
      assert.equal(await s.storage.count('/registry/'), 0);
    },
  },
  {
    name: 'lists the keys of a prefix in byte order',
    async run(s) {
      const wanted = ['/registry/pods/a/x', '/registry/pods/a-b/x', '/registry/pods/a0', '/registry/pods/b'];
      for (const key of [...wanted].reverse()) await s.put(key, key);
      await s.put('/registry/podsecurity/x', '');
      await s.put('/registry/pod', '');
      const list = await s.storage.list('/registry/pods/');
      assert.deepEqual(keys(list.items), ['/registry/pods/a-b/x', '/registry/pods/a/x', '/registry/pods/a0', '/registry/pods/b']);
      assert.equal(list.total, 4);
      assert.equal(list.revision, await s.storage.currentRevision());
      assert.equal(await s.storage.count('/registry/pods/'), 4);
      assert.equal(await s.storage.count('/registry/pods/a'), 3);
    },
  },
  {
    name: 'cuts a list at the limit and goes on from a key',
    async run(s) {
      const all = Array.from({ length: 25 }, (_, i) => `/registry/x/${String(i).padStart(2, '0')}`);
      await s.fill(all);
      const first = await s.storage.list('/registry/x/', { limit: 10 });
      assert.deepEqual(keys(first.items), all.slice(0, 10));
      assert.equal(first.total, 25);
      const second = await s.storage.list('/registry/x/', { limit: 10, from: `${all[9]}\0` });
      assert.deepEqual(keys(second.items), all.slice(10, 20));
      assert.equal(second.total, 15);
      const third = await s.storage.list('/registry/x/', { limit: 10, from: all[20]! });
      assert.deepEqual(keys(third.items), all.slice(20), 'the key itself is included');
      assert.equal(third.total, 5);
    },
  },
  {
    name: 'lists the state at an exact revision',
    async run(s) {
      const states: { revision: number; items: KeyValue[] }[] = [];
      const remember = async (revision: number): Promise<void> => {
        states.push({ revision, items: [...(await s.storage.list('/registry/')).items] });
      };
      await remember(await s.put('/registry/a', 'a1'));
      await remember(await s.put('/registry/b', 'b1'));
      await remember(await s.put('/registry/a', 'a2'));
      await remember(await s.delete('/registry/b'));
      await remember(await s.put('/registry/b', 'b2'));
      await remember(await s.delete('/registry/a'));
      for (const { revision, items } of states) {
        const list = await s.storage.list('/registry/', { revision });
        assert.deepEqual(list, { items, total: items.length, revision });
      }
    },
  },
  {
    name: 'pages through one revision while others write',
    async run(s) {
      const all = Array.from({ length: 30 }, (_, i) => `/registry/x/${String(i).padStart(2, '0')}`);
      await s.fill(all, 'old');
      const { revision } = await s.storage.list('/registry/x/', { limit: 1 });
      const seen: string[] = [];
      for (let from: string | undefined = '/registry/x/'; from !== undefined;) {
        const page = await s.storage.list('/registry/x/', { revision, limit: 7, from });
        seen.push(...page.items.map((kv) => `${kv.key}=${text(kv)}`));
        from = page.items.length < page.total ? `${page.items.at(-1)!.key}\0` : undefined;
        await s.delete(all[seen.length - 1]!);
        await s.put(`${all[seen.length - 1]}+`, 'new');
        await s.put(all[29]!, 'new');
      }
      assert.deepEqual(
        seen,
        all.map((key) => `${key}=old`),
      );
    },
  },
  {
    name: 'refuses to list at a revision that is yet to come',
    async run(s) {
      const revision = await s.put('/registry/a', 'a');
      await assert.rejects(s.storage.list('/registry/', { revision: revision + 5 }), (error: Error) => {
        assert.ok(error instanceof FutureRevisionError);
        assert.equal(error.currentRevision, revision);
        return true;
      });
    },
  },
  {
    name: 'reads its own writes, and everybody else’s that are acknowledged',
    async run(s) {
      for (let i = 0; i < 20; i++) {
        const revision = await s.put('/registry/a', String(i));
        const [got, listed, current] = await Promise.all([
          s.storage.get('/registry/a'),
          s.storage.list('/registry/'),
          s.storage.currentRevision(),
        ]);
        assert.equal(text(got.kv), String(i));
        assert.equal(text(listed.items[0]), String(i));
        assert.equal(got.revision, revision);
        assert.equal(current, revision);
      }
    },
  },
  {
    name: 'keeps unicode keys apart and in the order of their UTF-8 bytes',
    async run(s) {
      const inOrder = ['a', 'z', 'ß', 'é', '中', '\uffee', '\u{1f600}', '\u{1f600}x'].map((name) => `/registry/x/${name}`);
      for (const key of [...inOrder].reverse()) await s.put(key, key);
      const { items } = await s.storage.list('/registry/x/');
      assert.deepEqual(keys(items), inOrder);
      for (const key of inOrder) assert.equal(text(await s.get(key)), key);
      assert.equal(await s.storage.count('/registry/x/\u{1f600}'), 2);
      const rest = await s.storage.list('/registry/x/', { from: inOrder[5]!, limit: 2 });
      assert.deepEqual(keys(rest.items), inOrder.slice(5, 7));
      assert.equal(rest.total, 3);
    },
  },
  {
    name: 'returns bytes as they were given, empty ones too',
    async run(s) {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      await s.put('/registry/bytes', bytes);
      await s.put('/registry/empty', '');
      assert.deepEqual((await s.get('/registry/bytes'))?.value, bytes);
      assert.equal((await s.get('/registry/empty'))?.value.length, 0);
    },
  },
];

import assert from 'node:assert/strict';
import { CompactedError, FutureRevisionError } from '../storage.ts';
import type { Case } from './subject.ts';
import { brief, keys, text } from './subject.ts';

function isCompacted(compactRevision: number): (error: Error) => boolean {
  return (error) => {
    assert.ok(error instanceof CompactedError, String(error));
    assert.equal(error.compactRevision, compactRevision);
    return true;
  };
}

export const compactionCases: readonly Case[] = [
  {
    name: 'keeps what is current, and the state at the compacted revision',
    async run(s) {
      await s.put('/registry/untouched', 'u');
      await s.put('/registry/a', 'a1');
      await s.put('/registry/b', 'b1');
      const middle = await s.put('/registry/a', 'a2');
      await s.delete('/registry/b');
      await s.put('/registry/a', 'a3');
      await s.storage.compact(middle);
      const list = await s.storage.list('/registry/', { revision: middle });
      assert.deepEqual(list.items.map(text), ['a2', 'b1', 'u']);
      const now = await s.storage.list('/registry/');
      assert.deepEqual(now.items.map(text), ['a3', 'u']);
    },
  },
  {
    name: 'refuses to list before the compacted revision',
    async run(s) {
      const first = await s.put('/registry/a', 'a1');
      const second = await s.put('/registry/a', 'a2');
      await s.put('/registry/a', 'a3');
      await s.storage.compact(second);
      await assert.rejects(s.storage.list('/registry/', { revision: first }), isCompacted(second));
    },
  },
  {
    name: 'refuses to watch from before the compacted revision, and watches from it',
    async run(s) {
      const first = await s.put('/registry/a', 'a1');
      const second = await s.put('/registry/a', 'a2');
      await s.put('/registry/a', 'a3');
      await s.storage.compact(second);
      await assert.rejects(s.changes('/registry/', 1, { revision: first }), isCompacted(second));
      const [change] = await s.changes('/registry/', 1, { revision: second });
      assert.equal(brief(change!), 'put /registry/a=a3');
      assert.equal(text(change?.previous), 'a2', 'the value before is still known');
    },
  },
  {
    name: 'cuts off a watch that has fallen behind the compacted revision',
    async run(s) {
      const revision = await s.put('/registry/a', '0');
      const abort = new AbortController();
      const iterator = s.storage.watch('/registry/', { revision, signal: abort.signal })[Symbol.asyncIterator]();
      await s.put('/registry/a', '1');
      assert.equal((await iterator.next()).done, false);
      // More than any driver buffers for a reader that does not read: about 200 MB of changes.
      const value = Buffer.alloc(1_000_000, 'x');
      let last = revision;
      for (let i = 0; i < 200; i++) last = await s.put('/registry/a', value);
      await s.storage.compact(last);
      const drain = async (): Promise<number> => {
        let seen = revision + 1;
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
          for (const item of next.value) {
            if (item.type !== 'put') continue;
            assert.equal(item.kv.modRevision, seen + 1, 'what still comes has no gap');
            seen = item.kv.modRevision;
          }
          if (seen === last) return seen;
        }
        return seen;
      };
      // A driver may also deliver everything, if it can; what it may not do is leave something out.
      await drain().then((seen) => assert.equal(seen, last), isCompacted(last));
      abort.abort();
    },
  },
  {
    name: 'does not disturb a watch that has seen everything',
    async run(s) {
      const revision = await s.put('/registry/a', '1');
      const caughtUp = Promise.withResolvers<void>();
      const watched: string[] = [];
      const reading = (async () => {
        const { signal } = new AbortController();
        for await (const batch of s.storage.watch('/registry/a', { revision, signal })) {
          for (const item of batch) if (item.type !== 'progress') watched.push(brief(item));
          caughtUp.resolve();
          if (watched.length >= 2) return;
        }
      })();
      await s.put('/registry/a', '2');
      let last = revision;
      for (let i = 0; i < 20; i++) last = await s.put('/other/b', String(i));
      await caughtUp.promise;
      await s.storage.compact(last);
      await s.put('/registry/a', '3');
      await reading;
      assert.deepEqual(watched, ['put /registry/a=2', 'put /registry/a=3']);
    },
  },
  {
    name: 'stops a list halfway through its pages, which can then go on from the present',
    async run(s) {
      const all = Array.from({ length: 20 }, (_, i) => `/registry/x/${String(i).padStart(2, '0')}`);
      await s.fill(all);
      const first = await s.storage.list('/registry/x/', { limit: 10 });
      await s.delete(all[15]!);
      await s.storage.compact(await s.put('/registry/x/99', 'new'));
      const from = `${first.items.at(-1)!.key}\0`;
      await assert.rejects(s.storage.list('/registry/x/', { revision: first.revision, from, limit: 10 }), CompactedError);
      const rest = await s.storage.list('/registry/x/', { from, limit: 20 });
      assert.deepEqual(keys(rest.items), [...all.slice(10, 15), ...all.slice(16), '/registry/x/99']);
    },
  },
  {
    name: 'takes a compaction that has been done already, and refuses one ahead of time',
    async run(s) {
      const first = await s.put('/registry/a', '1');
      const second = await s.put('/registry/a', '2');
      await s.storage.compact(second);
      await s.storage.compact(second);
      await s.storage.compact(first);
      assert.deepEqual((await s.storage.list('/registry/', { revision: second })).items.map(text), ['2']);
      await assert.rejects(s.storage.compact(second + 10), FutureRevisionError);
    },
  },
];

import assert from 'node:assert/strict';
import type { Operation, Storage, WatchItem } from '../storage.ts';
import type { Case, Change } from './subject.ts';
import { brief, changeRevision, text } from './subject.ts';

export const watchCases: readonly Case[] = [
  {
    name: 'yields changes after a revision, with the value before',
    async run(s) {
      const start = await s.put('/registry/a', 'a1');
      const second = await s.put('/registry/a', 'a2');
      await s.put('/other/a', 'not for this watch');
      const deleted = await s.delete('/registry/a');
      const changes = await s.changes('/registry/', 2, { revision: start });
      assert.deepEqual(changes.map(brief), ['put /registry/a=a2', 'delete /registry/a']);
      assert.deepEqual(changes.map(changeRevision), [second, deleted]);
      const [put, gone] = changes;
      assert.deepEqual([text(put?.previous), put?.previous?.modRevision], ['a1', start]);
      assert.deepEqual([text(gone?.previous), gone?.previous?.modRevision], ['a2', second]);
      if (put?.type === 'put') assert.deepEqual([put.kv.createRevision, put.kv.version], [start, 2]);
    },
  },
  {
    name: 'goes on with changes that happen while watching',
    async run(s) {
      const revision = await s.put('/registry/a', '0');
      const watched = s.changes('/registry/', 5, { revision });
      for (let i = 1; i <= 5; i++) await s.put('/registry/a', String(i));
      assert.deepEqual(
        (await watched).map(brief),
        [1, 2, 3, 4, 5].map((i) => `put /registry/a=${i}`),
      );
    },
  },
  {
    name: 'starts from now when no revision is given',
    async run(s) {
      await s.put('/registry/a', 'before');
      const watched = s.changes('/registry/', 1);
      let done = false;
      const write = async (): Promise<void> => {
        for (let i = 0; !done; i++) await s.put('/registry/a', `after ${i}`);
      };
      const writing = write();
      const [change] = await watched;
      done = true;
      await writing;
      assert.match(brief(change!), /after/);
    },
  },
  {
    name: 'waits for a revision that is yet to come',
    async run(s) {
      const now = await s.put('/registry/a', '0');
      const watched = s.changes('/registry/', 1, { revision: now + 2 });
      for (let i = 1; i <= 3; i++) await s.put('/registry/a', String(i));
      assert.deepEqual((await watched).map(brief), ['put /registry/a=3']);
    },
  },
  {
    name: 'watches one key when the prefix is the whole key',
    async run(s) {
      const revision = await s.put('/registry/a', 'a');
      await s.put('/registry/b', 'b');
      await s.put('/registry/a', 'a2');
      assert.deepEqual((await s.changes('/registry/a', 1, { revision })).map(brief), ['put /registry/a=a2']);
    },
  },
  {
    name: 'yields the changes of one transaction together',
    async run(s) {
      const revision = await s.storage.currentRevision();
      const names = Array.from({ length: 50 }, (_, i) => `/registry/x/${String(i).padStart(2, '0')}`);
      await s.storage.transact(names.map((key): Operation => ({ type: 'put', key, value: Buffer.from('v') })));
      const abort = new AbortController();
      for await (const batch of s.storage.watch('/registry/', { revision, signal: abort.signal })) {
        const changes = batch.filter((item): item is Change => item.type !== 'progress');
        if (changes.length === 0) continue;
        assert.deepEqual(
          changes.map(brief),
          names.map((key) => `put ${key}=v`),
        );
        assert.deepEqual(new Set(changes.map(changeRevision)), new Set([revision + 1]));
        break;
      }
      abort.abort();
    },
  },
  {
    name: 'reports progress on request, after the changes before it',
    async run(s) {
      const start = await s.put('/registry/a', 'a');
      const abort = new AbortController();
      const seen: WatchItem[] = [];
      const watching = (async () => {
        for await (const batch of s.storage.watch('/registry/', { revision: start, progress: true, signal: abort.signal }))
          seen.push(...batch);
      })();
      await s.put('/registry/a', 'a2');
      const goal = await s.put('/other/b', 'not for this watch');
      await s.eventually('progress to reach a write elsewhere', () => {
        s.storage.requestProgress?.('/registry/');
        return seen.some((item) => item.type === 'progress' && item.revision >= goal);
      });
      const change = seen.findIndex(({ type }) => type === 'put');
      const progress = seen.findIndex((item) => item.type === 'progress' && item.revision >= goal);
      assert.ok(change >= 0 && change < progress, 'the change comes before the progress that covers it');
      abort.abort();
      await watching;
    },
  },
  {
    name: 'keeps revision order without gap or duplicate under concurrent writers',
    async run(s) {
      const revision = await s.storage.currentRevision();
      const acknowledged = new Map<number, string>();
      const writer = async (w: number): Promise<void> => {
        for (let i = 0; i < 60; i++) {
          const key = `/registry/x/${(w * 7 + i) % 23}`;
          const current = await s.get(key);
          const remove = current !== undefined && i % 5 === 0;
          const result = remove ? await s.tryDelete(key, current.modRevision) : await s.tryPut(key, `${w}.${i}`, current?.modRevision ?? 0);
          if (result.succeeded) acknowledged.set(result.revision, remove ? `delete ${key}` : `put ${key}=${w}.${i}`);
        }
        await s.put(`/registry/x/end-${w}`, 'end').then((at) => acknowledged.set(at, `put /registry/x/end-${w}=end`));
      };
      const watched = Promise.all([collect(s.storage, revision, 12), collect(s.storage, revision, 12)]);
      await Promise.all(Array.from({ length: 12 }, (_, w) => writer(w)));
      const [one, other] = await watched;
      const late = await collect(s.storage, revision, 12);
      const middle = [...acknowledged.keys()].sort((a, b) => a - b)[Math.floor(acknowledged.size / 2)]!;
      const resumed = await collect(s.storage, middle, 12);
      const expected = [...acknowledged].sort(([a], [b]) => a - b);
      const shown = (changes: Change[]): [number, string][] => changes.map((change) => [changeRevision(change), brief(change)]);
      assert.deepEqual(shown(one!), expected);
      assert.deepEqual(shown(other!), expected);
      assert.deepEqual(shown(late), expected);
      assert.deepEqual(
        shown(resumed),
        expected.filter(([at]) => at > middle),
      );
      const last = new Map<string, number | undefined>();
      for (const change of one!) {
        const key = change.type === 'put' ? change.kv.key : change.key;
        assert.equal(change.previous?.modRevision, last.get(key), `${brief(change)} follows the change before it`);
        last.set(key, change.type === 'put' ? change.kv.modRevision : undefined);
      }
    },
  },
  {
    name: 'shows a change to watchers no later than reads show it',
    async run(s) {
      let revision = await s.storage.currentRevision();
      for (let i = 0; i < 10; i++) {
        const watched = s.changes('/registry/', 1, { revision });
        revision = await s.put('/registry/a', String(i));
        const [change] = await watched;
        assert.equal(changeRevision(change!), revision);
        assert.equal((await s.storage.get('/registry/a')).revision, revision);
      }
    },
  },
];

async function collect(storage: Storage, revision: number, ends: number): Promise<Change[]> {
  const abort = new AbortController();
  const changes: Change[] = [];
  let ended = 0;
  for await (const batch of storage.watch('/registry/', { revision, signal: abort.signal })) {
    for (const item of batch) {
      if (item.type === 'progress') continue;
      changes.push(item);
      if (item.type === 'put' && text(item.kv) === 'end') ended++;
    }
    if (ended === ends) break;
  }
  abort.abort();
  return changes;
}

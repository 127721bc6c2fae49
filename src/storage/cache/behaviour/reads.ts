import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompactedError, FutureRevisionError } from '../../storage.ts';
import { CacheClosedError, CacheNotReadyError } from '../types.ts';
import type { StorageFactory } from './fixture.ts';
import { Fixture, turns, until } from './fixture.ts';

export function readBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: reads`, () => {
    test('nothing is read from the storage before the first use', async () => {
      await using fixture = await Fixture.create(createStorage);
      await turns();
      assert.deepEqual(fixture.storage.calls, []);
      assert.equal(fixture.clock.timers, 0);
    });

    test('a read before the state is complete says so, and starts loading it', async () => {
      await using fixture = await Fixture.create(createStorage);
      assert.throws(() => fixture.cache.get(fixture.key('a/x')), CacheNotReadyError);
      assert.throws(() => fixture.names(), CacheNotReadyError);
      await until(() => fixture.cache.isReady, 'readiness');
      assert.deepEqual(fixture.names(), []);
    });

    test('what was there before and what is written later is both found', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/old', { text: 'one' });
      await fixture.cache.ready();
      assert.equal(fixture.cache.get(fixture.key('a/old'))?.text, 'one');
      const revision = await fixture.put('a/new', { text: 'two' });
      await fixture.cache.waitFor(revision);
      assert.equal(fixture.cache.get(fixture.key('a/new'))?.text, 'two');
      assert.equal(fixture.cache.get(fixture.key('a/new'))?.revision, revision);
      assert.deepEqual(fixture.names(), ['a/new', 'a/old']);
    });

    test('fresh() lets a client read its own writes, every time', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let i = 0; i < 50; i++) {
        await fixture.put('a/x', { text: String(i) });
        await fixture.fresh();
        assert.equal(fixture.cache.get(fixture.key('a/x'))?.text, String(i));
      }
    });

    test('fresh() reaches revisions of writes to other resources', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const revision = await fixture.putElsewhere();
      await fixture.fresh();
      assert.ok(fixture.cache.revision >= revision);
    });

    test('concurrent fresh() calls share a question that was asked after all of them came', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      fixture.storage.calls.length = 0;
      await Promise.all(Array.from({ length: 100 }, () => fixture.cache.fresh()));
      assert.deepEqual(
        fixture.storage.calls.filter((call) => call === 'currentRevision'),
        ['currentRevision', 'currentRevision'],
      );
    });

    test('waiting for a revision that does not come fails after three seconds', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const waiting = fixture.cache.waitFor(fixture.cache.revision + 1_000_000);
      const outcome = assert.rejects(waiting, FutureRevisionError);
      for (let i = 0; i < 31; i++) {
        await turns(2);
        fixture.clock.advance(100);
      }
      await outcome;
      fixture.clock.advance(100);
      assert.equal(fixture.clock.timers, 0);
    });

    test('waiting can be called off', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const controller = new AbortController();
      const waiting = fixture.cache.waitFor(fixture.cache.revision + 1_000_000, controller.signal);
      controller.abort(new Error('enough'));
      await assert.rejects(waiting, /enough/);
    });

    test('a list is by prefix, from a key, up to a limit, and counts without them', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (const path of ['a/1', 'a/2', 'a/3', 'aa/1', 'b/1']) await fixture.put(path);
      await fixture.fresh();
      const { cache, prefix } = fixture;
      assert.deepEqual(fixture.names({ prefix: `${prefix}a/` }), ['a/1', 'a/2', 'a/3']);
      assert.deepEqual(fixture.names({ prefix: `${prefix}a/`, from: `${prefix}a/2` }), ['a/2', 'a/3']);
      assert.deepEqual(fixture.names({ limit: 4 }), ['a/1', 'a/2', 'a/3', 'aa/1']);
      assert.equal(cache.list({ prefix, limit: 2, from: `${prefix}a/3` }).total, 3);
    });

    test('a list does not change while it is read', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let i = 0; i < 600; i++) await fixture.put(`a/${1000 + i}`);
      await fixture.fresh();
      const { items, revision } = fixture.cache.list({ prefix: fixture.prefix });
      const seen: string[] = [];
      for (const item of items) {
        if (seen.length === 10) {
          await fixture.delete('a/1500');
          await fixture.put('a/1501', { text: 'changed' });
          await fixture.fresh();
        }
        assert.ok(item.revision <= revision);
        seen.push(item.key);
      }
      assert.equal(seen.length, 600);
    });

    test('lists at past revisions are exact', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const states: { revision: number; names: string[] }[] = [];
      for (let i = 0; i < 90; i++) {
        const path = `a/${i % 13}`;
        const revision = i % 5 === 4 ? await fixture.delete(path) : await fixture.put(path, { text: String(i) });
        await fixture.fresh();
        states.push({ revision, names: fixture.names() });
      }
      for (const { revision, names } of states.toReversed()) assert.deepEqual(fixture.names({ revision }), names, `at ${revision}`);
    });

    test('a list at a revision beyond the window, or ahead of it, is refused', async () => {
      await using fixture = await Fixture.create(createStorage, { historySize: 20 });
      const before = await fixture.put('a/x');
      await fixture.cache.ready();
      for (let i = 0; i < 25; i++) {
        await fixture.put('a/x', { text: String(i) });
        await fixture.fresh();
        // Events this far apart do not make the window grow.
        fixture.clock.advance(80_000);
      }
      assert.throws(() => fixture.names({ revision: before }), CompactedError);
      assert.throws(() => fixture.names({ revision: fixture.cache.revision + 10 }), FutureRevisionError);
      assert.ok(fixture.cache.oldestRevision > before);
    });

    test('pages of one list fit together whatever is written between them', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let i = 0; i < 50; i++) await fixture.put(`a/${100 + i}`);
      await fixture.fresh();
      const { revision } = fixture.cache;
      const expected = fixture.names();
      const paged: string[] = [];
      let from: string | undefined;
      do {
        const page = fixture.cache.list({ prefix: fixture.prefix, limit: 7, revision, ...(from === undefined ? {} : { from }) });
        const items = [...page.items];
        paged.push(...items.map((item) => item.key.slice(fixture.prefix.length)));
        from = page.total > items.length ? `${items.at(-1)!.key}\0` : undefined;
        await fixture.put(`a/${100 + paged.length}`, { text: 'changed' });
        await fixture.delete(`a/${149 - paged.length}`);
        await fixture.put(`a/9${paged.length}`);
        await fixture.fresh();
      } while (from !== undefined);
      assert.deepEqual(paged, expected);
    });

    test('an index finds entries by field, in a namespace or in all, and follows changes', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let i = 0; i < 60; i++) await fixture.put(`${i % 2 ? 'a' : 'b'}/${100 + i}`, { node: `n${i % 20}` });
      await fixture.fresh();
      const on = (node: string, prefix = fixture.prefix): string[] => fixture.names({ prefix, fieldEquals: { 'spec.nodeName': node } });
      assert.deepEqual(on('n3'), ['a/103', 'a/123', 'a/143']);
      assert.deepEqual(on('n3', fixture.key('b/')), []);
      await fixture.put('a/103', { node: 'n4' });
      await fixture.delete('a/123');
      await fixture.fresh();
      assert.deepEqual(on('n3'), ['a/143']);
      assert.deepEqual(on('n4'), ['a/103', 'b/104', 'b/124', 'b/144']);
      assert.deepEqual(on('n4', fixture.key('a/')), ['a/103']);
      assert.deepEqual(on('nowhere'), []);
    });

    test('a value that cannot be read is that key only, and heals', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/1');
      await fixture.putRaw('a/2', 'not json');
      await fixture.fresh();
      assert.deepEqual(fixture.names(), ['a/1']);
      assert.equal(fixture.cache.get(fixture.key('a/2')), undefined);
      assert.ok(fixture.cache.corrupt(fixture.key('a/2'))?.error instanceof SyntaxError);
      const revision = await fixture.putRaw('a/1', '{');
      await fixture.fresh();
      assert.deepEqual(
        fixture.cache.corruptIn(fixture.key('a/')).map((corrupt) => corrupt.key.slice(fixture.prefix.length)),
        ['a/1', 'a/2'],
      );
      assert.equal(fixture.cache.corrupt(fixture.key('a/1'))?.revision, revision);
      await fixture.put('a/1', { text: 'well' });
      await fixture.delete('a/2');
      await fixture.fresh();
      assert.deepEqual(fixture.cache.corruptIn(fixture.prefix), []);
      assert.deepEqual(fixture.names(), ['a/1']);
    });

    test('a closed cache says so to whoever waits', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const waiting = assert.rejects(fixture.cache.waitFor(fixture.cache.revision + 1_000_000), CacheClosedError);
      await fixture.cache[Symbol.asyncDispose]();
      await waiting;
      assert.equal(fixture.storage.openWatches, 0);
      assert.equal(fixture.clock.timers, 0);
    });
  });
}

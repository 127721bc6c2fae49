import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompactedError } from '../../storage.ts';
import { CacheClosedError } from '../types.ts';
import type { StorageFactory } from './fixture.ts';
import { Fixture, turns, until } from './fixture.ts';

/** Long enough for any pause between attempts to be over. */
const longPause = 10_000;

export function faultBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: faults`, () => {
    test('a broken connection is resumed where it broke: no watcher notices', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sink = fixture.watch();
      const revisions: number[] = [];
      for (let round = 0; round < 5; round++) {
        revisions.push(await fixture.put(`a/${round}`));
        fixture.storage.disconnect();
        revisions.push(await fixture.put(`b/${round}`));
        await turns();
        fixture.storage.connect();
        fixture.clock.advance(longPause);
        await until(() => sink.events.length === revisions.length, 'the events');
      }
      assert.deepEqual(
        sink.events.map(({ event }) => event.revision),
        revisions,
      );
      assert.equal(fixture.storage.calls.filter((call) => call === 'list').length, 1);
      assert.ok(fixture.logged.includes('watching the storage failed'));
      assert.ok(fixture.logged.includes('watching the storage again'));
    });

    test('the first load is tried until it succeeds', async () => {
      await using fixture = await Fixture.create(createStorage);
      fixture.storage.disconnect();
      const ready = fixture.cache.ready();
      for (let i = 0; i < 3; i++) {
        await turns();
        fixture.clock.advance(longPause);
      }
      fixture.storage.connect();
      await turns();
      fixture.clock.advance(longPause);
      await ready;
      assert.ok(fixture.logged.includes('listing the storage failed'));
    });

    test('waiting for the first load can be called off', async () => {
      await using fixture = await Fixture.create(createStorage);
      fixture.storage.disconnect();
      await assert.rejects(fixture.cache.ready(AbortSignal.abort(new Error('enough'))), /enough/);
    });

    test('when history was compacted meanwhile, watches end with 410: what came and went is not known', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      for (const path of ['a/changed', 'a/gone']) await fixture.put(path, { text: 'old' });
      await fixture.fresh();
      const before = fixture.cache.revision;
      const sink = fixture.watch();
      const waiting = fixture.watch({ from: before + 1 });
      await turns();
      fixture.storage.disconnect();
      await turns();
      await fixture.put('a/changed', { text: 'new' });
      await fixture.delete('a/gone');
      await fixture.put('a/brief');
      const between = await fixture.delete('a/brief');
      const last = await fixture.put('a/added');
      await fixture.storage.inner.compact(last);
      fixture.storage.connect();
      fixture.clock.advance(longPause);
      await until(() => sink.ended !== undefined && waiting.ended !== undefined, 'the end');
      for (const { ended, log } of [sink, waiting]) assert.deepEqual([ended instanceof CompactedError, log], [true, []]);
      assert.ok(fixture.logged.includes('must list again'));

      await fixture.fresh();
      assert.deepEqual(fixture.names(), ['a/added', 'a/changed']);
      assert.throws(() => fixture.names({ revision: between }), CompactedError);
      const late = fixture.watch({ from: before });
      const present = fixture.watch({ from: last });
      await fixture.patiently(until(() => late.ended !== undefined, 'the end of the late one'));
      assert.ok(late.ended instanceof CompactedError);
      await fixture.put('a/next');
      await until(() => present.log.length === 1, 'the next event');
      assert.deepEqual(present.log, ['ADDED a/next']);
    });

    test('a watch from a revision that storage and cache have both forgotten ends with 410', async () => {
      await using fixture = await Fixture.create(createStorage);
      const old = await fixture.put('a/1');
      const newer = await fixture.put('a/2');
      await fixture.put('a/3');
      await fixture.storage.inner.compact(newer);
      await fixture.cache.ready();
      const sink = fixture.watch({ from: old });
      await fixture.patiently(until(() => sink.ended !== undefined, 'the end'));
      assert.ok(sink.ended instanceof CompactedError);
      assert.equal(fixture.cache.stats.watchers, 0);
    });

    test('disposal ends watches, also those that wait, and leaves nothing open', async () => {
      const fixture = await Fixture.create(createStorage);
      const waiting = fixture.watch({ from: 'any' });
      await fixture.cache.ready();
      const live = fixture.watch({ bookmarks: true });
      await turns();
      await fixture[Symbol.asyncDispose]();
      for (const sink of [waiting, live]) assert.ok(sink.ended instanceof CacheClosedError);
      assert.equal(fixture.storage.openWatches, 0);
      assert.equal(fixture.clock.timers, 0);
      await assert.rejects(fixture.cache.fresh());
      const late = fixture.watch();
      await until(() => late.ended !== undefined, 'the end');
      assert.ok(late.ended instanceof CacheClosedError);
      assert.equal(fixture.cache.stats.watchers, 0);
    });

    test('disposal before the first load succeeds rejects those who wait for it', async () => {
      const fixture = await Fixture.create(createStorage);
      fixture.storage.disconnect();
      const ready = assert.rejects(fixture.cache.ready(), CacheClosedError);
      await turns();
      await fixture[Symbol.asyncDispose]();
      await ready;
      assert.equal(fixture.clock.timers, 0);
    });
  });
}

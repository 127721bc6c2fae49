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

    test('when history was compacted meanwhile, watchers get the difference', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const early = fixture.watch();
      for (const path of ['a/changed', 'a/gone', 'a/remade', 'a/same']) await fixture.put(path, { text: 'old' });
      await fixture.fresh();
      const before = fixture.cache.revision;
      const sink = fixture.watch();
      await turns();
      fixture.storage.disconnect();
      await turns();
      await fixture.put('a/changed', { text: 'new' });
      await fixture.delete('a/gone');
      const between = await fixture.delete('a/remade');
      await fixture.put('a/remade', { text: 'new' });
      await fixture.put('a/brief');
      await fixture.delete('a/brief');
      const last = await fixture.put('a/added');
      await fixture.storage.inner.compact(last);
      fixture.storage.connect();
      fixture.clock.advance(longPause);
      await until(() => sink.log.length === 5, 'the difference');
      assert.deepEqual(sink.log.toSorted(), [
        'ADDED a/added',
        'ADDED a/remade',
        'DELETED a/gone',
        'DELETED a/remade',
        'MODIFIED a/changed',
      ]);
      const revisions = sink.events.map(({ event }) => event.revision);
      assert.deepEqual(
        revisions,
        revisions.toSorted((a, b) => a - b),
      );
      assert.equal(sink.log.indexOf('DELETED a/remade') < sink.log.indexOf('ADDED a/remade'), true);
      assert.deepEqual(early.log.slice(4), sink.log, 'nothing that stayed the same');
      assert.ok(fixture.logged.includes('must list again'));

      // Who left before the gap can come back; who stands inside it cannot, for lack of history.
      const late = fixture.watch({ from: before });
      const inside = fixture.watch({ from: between });
      await until(() => late.log.length === 5 && inside.ended !== undefined, 'the late ones');
      assert.deepEqual(late.log, sink.log);
      assert.ok(inside.ended instanceof CompactedError);
      assert.throws(() => fixture.names({ revision: between }), CompactedError);
      assert.deepEqual(fixture.names(), ['a/added', 'a/changed', 'a/remade', 'a/same']);
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

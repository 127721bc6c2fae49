import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageFactory } from './fixture.ts';
import { Fixture, turns, until } from './fixture.ts';

export function bookmarkBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: bookmarks`, () => {
    test('come about once a minute to those who asked, and tell how far the storage is even when nothing happens here', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/1');
      await fixture.cache.ready();
      const wants = fixture.watch({ bookmarks: true });
      const not = fixture.watch();
      await turns();
      const revision = await fixture.putElsewhere();
      fixture.clock.advance(59_000);
      await turns();
      assert.deepEqual(wants.bookmarks, []);
      fixture.clock.advance(2_000);
      await fixture.patiently(until(() => wants.bookmarks.length === 1, 'the first bookmark'));
      assert.ok(wants.bookmarks[0]! >= revision);
      fixture.clock.advance(61_000);
      await fixture.patiently(until(() => wants.bookmarks.length === 2, 'the second bookmark'));
      assert.deepEqual(not.log, []);
    });

    test('do not come before anything has happened since the watch began', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.fresh();
      const sink = fixture.watch({ bookmarks: true });
      await turns();
      if ((await fixture.storage.inner.currentRevision()) > fixture.cache.revision) return;
      fixture.clock.advance(61_000);
      await turns();
      assert.deepEqual(sink.bookmarks, []);
    });

    test('a last one comes shortly before the deadline', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sink = fixture.watch({ bookmarks: true, deadline: fixture.clock.elapsed() + 10_000 });
      await turns();
      const revision = await fixture.put('a/1');
      fixture.clock.advance(7_000);
      await turns();
      assert.deepEqual(sink.bookmarks, []);
      fixture.clock.advance(2_000);
      await fixture.patiently(until(() => sink.bookmarks.length === 1, 'the bookmark'));
      assert.ok(sink.bookmarks[0]! >= revision);
      fixture.clock.advance(1_000_000);
      await turns();
      assert.equal(sink.bookmarks.length, 1);
      assert.equal(fixture.clock.timers, 0);
    });

    test('come even when the storage cannot be asked', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sink = fixture.watch({ bookmarks: true });
      const revision = await fixture.put('a/1');
      await fixture.patiently(until(() => sink.log.length === 1, 'the event'));
      fixture.storage.disconnect();
      fixture.clock.advance(61_000);
      await fixture.patiently(until(() => sink.bookmarks.length === 1, 'the bookmark'));
      assert.ok(sink.bookmarks[0]! >= revision);
    });
  });
}

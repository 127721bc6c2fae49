import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FutureRevisionError } from '../../storage.ts';
import type { CacheEvent, CacheEventType } from '../types.ts';
import type { Item, StorageFactory } from './fixture.ts';
import { Fixture, RecordingSink, turns, until } from './fixture.ts';

const red = (item: Item): boolean => item.labels?.['color'] === 'red';

export function watchBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: watches`, () => {
    test('a watch from now gets what happens from now on', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/1');
      await fixture.fresh();
      const sink = fixture.watch();
      await fixture.put('a/2');
      await fixture.put('a/1', { text: 'new' });
      const deleted = await fixture.delete('a/1');
      await until(() => sink.log.length === 3, 'three events');
      assert.deepEqual(sink.log, ['ADDED a/2', 'MODIFIED a/1', 'DELETED a/1']);
      assert.equal(sink.events[2]!.event.object.text, 'new');
      assert.equal(sink.events[2]!.event.object.revision, deleted);
    });

    test('a watch that is opened before the state is complete waits for it', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/1');
      const sink = fixture.watch({ from: 'any' });
      await until(() => sink.log.length === 1, 'the initial event');
      assert.deepEqual(sink.log, ['ADDED a/1']);
    });

    test('a watch from any revision starts with the state, in key order', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (const path of ['b/1', 'a/2', 'a/1']) await fixture.put(path, { labels: { color: 'red' } });
      await fixture.put('a/0', { labels: { color: 'blue' } });
      await fixture.fresh();
      const sink = fixture.watch({ from: 'any', matches: red });
      await fixture.put('a/3', { labels: { color: 'red' } });
      await until(() => sink.log.length >= 4, 'four events');
      assert.deepEqual(sink.log, ['ADDED a/1', 'ADDED a/2', 'ADDED b/1', 'ADDED a/3']);
    });

    test('a watch from a revision gets exactly what came after it', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const revisions: number[] = [];
      for (let i = 0; i < 20; i++) revisions.push(await fixture.put(`a/${100 + i}`));
      await fixture.fresh();
      const sinks = revisions.map((revision) => fixture.watch({ from: revision }));
      const last = await fixture.put('a/200');
      await until(() => sinks.every((sink) => sink.events.at(-1)?.event.revision === last), 'the last event');
      for (const [i, sink] of sinks.entries()) {
        assert.deepEqual(
          sink.events.map(({ event }) => event.revision),
          [...revisions.slice(i + 1), last],
        );
      }
    });

    test('a watch from a revision that is yet to come gets what comes after it', async () => {
      await using fixture = await Fixture.create(createStorage);
      const now = await fixture.put('a/0');
      await fixture.fresh();
      const sink = fixture.watch({ from: now + 2 });
      for (const path of ['a/1', 'a/2', 'a/3', 'a/4']) await fixture.put(path);
      await until(() => sink.events.at(-1)?.event.object.key.endsWith('/4') === true, 'the last event');
      assert.ok(sink.events.every(({ event }) => event.revision > now + 2));
    });

    test('a watch from before the window is answered from the history of the storage', async () => {
      await using fixture = await Fixture.create(createStorage);
      const revisions: number[] = [];
      for (let i = 0; i < 30; i++) revisions.push(await fixture.put(`a/${i % 7}`, { text: String(i) }));
      revisions.push(await fixture.delete('a/3'));
      // The cache only begins here, as after a restart.
      await fixture.cache.ready();
      const sinks = [4, 10, 29].map((i) => fixture.watch({ from: revisions[i]! }));
      await fixture.patiently(until(() => sinks.every((sink) => sink.log.at(-1) === 'DELETED a/3'), 'the past'));
      revisions.push(await fixture.put('a/3'));
      await until(() => sinks.every((sink) => sink.log.at(-1) === 'ADDED a/3'), 'the present');
      for (const [at, i] of [4, 10, 29].entries()) {
        assert.deepEqual(
          sinks[at]!.events.map(({ event }) => event.revision),
          revisions.slice(i + 1),
        );
        assert.equal(sinks[at]!.ended, undefined);
      }
    });

    test('a long past comes in portions, without a gap between them', async () => {
      await using fixture = await Fixture.create(createStorage);
      const revisions: number[] = [];
      for (let i = 0; i < 2_500; i++) revisions.push(await fixture.put(`a/${i % 10}`));
      await fixture.cache.ready();
      const sink = fixture.watch({ from: revisions[0]! });
      const meanwhile = await fixture.put('b/1');
      await fixture.patiently(until(() => sink.events.at(-1)?.event.revision === meanwhile, 'the last event'));
      assert.deepEqual(
        sink.events.map(({ event }) => event.revision),
        [...revisions.slice(1), meanwhile],
      );
    });

    test('watches are by prefix, by name and by indexed field', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const field = (fieldName: string, value: string) => ({
        fieldEquals: { [fieldName]: value },
        matches: (item: Item) => (item.fields[fieldName] ?? '') === value,
      });
      const sinks = {
        all: fixture.watch(),
        namespace: fixture.watch({ prefix: fixture.key('a/') }),
        one: fixture.watch({ prefix: fixture.key('a/'), ...field('metadata.name', 'x') }),
        named: fixture.watch(field('metadata.name', 'x')),
        node: fixture.watch(field('spec.nodeName', 'n1')),
        nowhere: fixture.watch(field('spec.nodeName', '')),
        key: fixture.watch({ prefix: fixture.key('a/y') }),
      };
      await fixture.put('a/x', { node: 'n1' });
      await fixture.put('b/x', { node: 'n2' });
      await fixture.put('a/y');
      await fixture.put('a/x', { node: 'n2' });
      await fixture.put('a/y', { node: 'n1' });
      await fixture.delete('a/y');
      await until(() => sinks.all.log.length === 6, 'six events');
      const logs = Object.fromEntries(Object.entries(sinks).map(([sink, { log }]) => [sink, log.join(', ')]));
      assert.deepEqual(logs, {
        all: 'ADDED a/x, ADDED b/x, ADDED a/y, MODIFIED a/x, MODIFIED a/y, DELETED a/y',
        namespace: 'ADDED a/x, ADDED a/y, MODIFIED a/x, MODIFIED a/y, DELETED a/y',
        one: 'ADDED a/x, MODIFIED a/x',
        named: 'ADDED a/x, ADDED b/x, MODIFIED a/x',
        node: 'ADDED a/x, DELETED a/x, ADDED a/y, DELETED a/y',
        nowhere: 'ADDED a/y, DELETED a/y',
        key: 'ADDED a/y, MODIFIED a/y, DELETED a/y',
      });
    });

    test('an object that leaves a selection is shown as it was, at the revision at which it left', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sink = fixture.watch({ matches: red });
      const other = fixture.watch({ matches: red });
      await fixture.put('a/x', { labels: { color: 'red' }, text: 'before' });
      const left = await fixture.put('a/x', { labels: { color: 'blue' }, text: 'after' });
      await fixture.put('a/x', { labels: { color: 'blue' }, text: 'later' });
      await fixture.put('a/x', { labels: { color: 'red' } });
      await fixture.delete('a/x');
      await until(() => sink.log.length === 4 && other.log.length === 4, 'four events');
      assert.deepEqual(sink.log, ['ADDED a/x', 'DELETED a/x', 'ADDED a/x', 'DELETED a/x']);
      const { event } = sink.events[1]!;
      assert.deepEqual([event.object.text, event.object.revision, event.revision], ['before', left, left]);
      assert.equal(event, other.events[1]!.event, 'one event for all watchers');
    });

    test('all watchers get the same event object, so that it is encoded once', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sinks = Array.from({ length: 5 }, () => fixture.watch());
      await fixture.put('a/x');
      await until(() => sinks.every((sink) => sink.events.length === 1), 'the event');
      assert.equal(new Set(sinks.map((sink) => sink.events[0]!.event)).size, 1);
      assert.equal(new Set(sinks.map((sink) => sink.events[0]!.event.encodings)).size, 1);
    });

    test('a sink that throws is ended, and no other', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      class Throwing extends RecordingSink {
        override event(type: CacheEventType, event: CacheEvent<Item>): void {
          super.event(type, event);
          throw new Error('full');
        }
      }
      const first = fixture.watch();
      const throwing = fixture.watch({}, new Throwing(fixture.prefix));
      const last = fixture.watch();
      await fixture.put('a/1');
      await fixture.put('a/2');
      await until(() => first.log.length === 2 && last.log.length === 2, 'two events');
      assert.deepEqual(throwing.log, ['ADDED a/1']);
      assert.match(String(throwing.ended), /full/);
      assert.equal(fixture.cache.stats.watchers, 2);
    });

    test('a sink may close its own watch and others, and open new ones, in the middle of an event', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const opened: RecordingSink[] = [];
      class Meddling extends RecordingSink {
        override event(type: CacheEventType, event: CacheEvent<Item>): void {
          super.event(type, event);
          this.handle?.close();
          victim.handle?.close();
          opened.push(fixture.watch());
        }
      }
      const meddling = fixture.watch({}, new Meddling(fixture.prefix));
      const victim = fixture.watch();
      await turns();
      await fixture.put('a/1');
      await until(() => opened.length === 1, 'the new watch');
      await turns();
      await fixture.put('a/2');
      await until(() => opened[0]!.log.length > 0, 'its event');
      assert.deepEqual([meddling.log, victim.log, opened[0]!.log], [['ADDED a/1'], [], ['ADDED a/2']]);
    });

    test('a sink that asks for time gets the past at its pace, and misses nothing', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let i = 0; i < 1_200; i++) await fixture.put(`a/${10_000 + i}`);
      await fixture.fresh();
      const gates: (() => void)[] = [];
      class Slow extends RecordingSink {
        drained(): Promise<void> {
          return new Promise((resolve) => gates.push(resolve));
        }
      }
      const sink = fixture.watch({ from: 'any' }, new Slow(fixture.prefix));
      await until(() => gates.length === 1, 'the first pause');
      assert.ok(sink.log.length < 1_200);
      await fixture.put('a/10001', { text: 'meanwhile' });
      await fixture.fresh();
      for (let opened = 0; opened < 2; opened++) {
        await until(() => gates.length > opened, 'a pause');
        gates[opened]!();
      }
      await until(() => sink.log.length >= 1_201, 'everything');
      assert.equal(new Set(sink.log.slice(0, 1_200)).size, 1_200);
      assert.deepEqual(sink.log.slice(1_200), ['MODIFIED a/10001']);
    });

    test('initial events end with a bookmark at a revision that is fresh enough', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/1');
      await fixture.put('a/2');
      await fixture.cache.ready();
      const revision = await fixture.putElsewhere();
      const sink = fixture.watch({ initialEventsAtLeast: revision, bookmarks: true });
      await fixture.patiently(until(() => sink.bookmarks.length === 1, 'the bookmark'));
      assert.ok(sink.bookmarks[0]! >= revision);
      await fixture.put('a/3');
      await until(() => sink.log.length === 4, 'the live event');
      assert.deepEqual(sink.log, ['ADDED a/1', 'ADDED a/2', 'INITIAL-END', 'ADDED a/3']);
    });

    test('initial events of an empty resource are a bookmark, and none for who does not want bookmarks', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.fresh();
      const wants = fixture.watch({ initialEventsAtLeast: 0, bookmarks: true });
      const not = fixture.watch({ initialEventsAtLeast: 0, bookmarks: false });
      await fixture.put('a/1');
      await until(() => wants.log.length === 2 && not.log.length === 1, 'the event');
      assert.deepEqual([wants.log, not.log], [['INITIAL-END', 'ADDED a/1'], ['ADDED a/1']]);
    });

    test('initial events at a revision that does not come end the watch', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sink = fixture.watch({ initialEventsAtLeast: fixture.cache.revision + 1_000_000, bookmarks: true });
      for (let i = 0; i < 31; i++) {
        await turns(2);
        fixture.clock.advance(100);
      }
      await until(() => sink.ended !== undefined, 'the end');
      assert.ok(sink.ended instanceof FutureRevisionError);
      assert.deepEqual(sink.log, []);
    });

    test('watchers keep seeing an object that became unreadable as it was', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.put('a/x', { text: 'good' });
      await fixture.cache.ready();
      const sink = fixture.watch();
      await fixture.putRaw('a/x', '{');
      await fixture.put('a/x', { text: 'healed' });
      await fixture.putRaw('a/x', '{');
      await fixture.delete('a/x');
      await until(() => sink.log.length === 2, 'two events');
      assert.deepEqual(sink.log, ['MODIFIED a/x', 'DELETED a/x']);
      assert.equal(sink.events[0]!.event.previous?.text, 'good');
      assert.equal(sink.events[1]!.event.object.text, 'healed');
    });

    test('a closed watch gets nothing more and leaves nothing behind', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      const sinks = Array.from({ length: 50 }, (_, i) =>
        fixture.watch({ from: i % 2 ? 'any' : 'now', bookmarks: true, prefix: fixture.key(i % 3 ? '' : `ns${i}/`) }),
      );
      for (const sink of sinks.slice(0, 25)) sink.handle?.close();
      await turns();
      for (const sink of sinks) sink.handle?.close();
      await fixture.put('ns0/1');
      await fixture.fresh();
      assert.ok(sinks.every((sink) => sink.log.length === 0 && sink.ended === undefined));
      assert.equal(fixture.cache.stats.watchers, 0);
      fixture.clock.advance(100);
      assert.equal(fixture.clock.timers, 0);
    });
  });
}

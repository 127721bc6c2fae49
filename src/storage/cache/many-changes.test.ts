import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import type { KeyValue } from '../storage.ts';
import type { Item, RecordingSink } from './behaviour/fixture.ts';
import { decodeItem, Fixture, until } from './behaviour/fixture.ts';

const count = 3000;
const names = Array.from({ length: count }, (_, i) => `a/${String(i).padStart(5, '0')}`);

/** So slow that 3000 values take many slices. */
function decodeSlowly(kv: KeyValue): Item {
  const end = performance.now() + 0.05;
  while (performance.now() < end);
  return decodeItem(kv);
}

async function filled(text: string): Promise<{ fixture: Fixture; storage: ReturnType<typeof createMemoryStorage> }> {
  const storage = createMemoryStorage();
  const fixture = await Fixture.create(() => storage, { decode: decodeSlowly });
  await put(fixture, text);
  return { fixture, storage };
}

async function put(fixture: Fixture, text: string): Promise<void> {
  const value = Buffer.from(JSON.stringify({ text, node: text }));
  for (let i = 0; i < count; i += 500)
    await fixture.storage.inner.transact(names.slice(i, i + 500).map((name) => ({ type: 'put', key: fixture.key(name), value })));
}

const texts = (fixture: Fixture): Set<string> => new Set([...fixture.cache.list({ prefix: fixture.prefix }).items].map(({ text }) => text));

test('a load of many values lets others through', async () => {
  const { fixture } = await filled('before');
  await using _ = fixture;
  let turns = 0;
  const ready = fixture.cache.ready().then(() => true);
  while (!fixture.cache.isReady) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  assert.ok(await ready);
  assert.ok(turns > 5, `${turns} turns`);
  assert.equal(fixture.cache.stats.entries, count);
});

test('many changes of one transaction let others through: readers see all or nothing, watchers everything, in order', async () => {
  const { fixture, storage } = await filled('before');
  await using _ = fixture;
  await fixture.cache.ready();
  const snapshot = storage.snapshot();
  await put(fixture, 'after');
  await fixture.put('a/new', { text: 'after' });
  await fixture.cache.fresh();
  const sink = fixture.watch({ bookmarks: true });
  await until(() => fixture.cache.stats.watchers === 1);
  const revision = await storage.restore(snapshot);
  const seen: string[] = [];
  const reached = fixture.cache.waitFor(revision).then(() => sink.events.length);
  const later = fixture.put('b/later', { text: 'before' });
  let turns = 0;
  for (; sink.events.length < count + 2; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push([...texts(fixture)].join());
    const indexed = fixture.cache.list({ prefix: fixture.prefix, fieldEquals: { 'spec.nodeName': 'after' } });
    assert.equal([...indexed.items].length > 0, texts(fixture).has('after'));
    // A bookmark that is due meanwhile says nothing about events that are still to come.
    fixture.clock.advance(61_000);
    assert.ok(sink.bookmarks.every((at) => at < revision || sink.events.length > count));
  }
  assert.ok(turns > 5, `${turns} turns`);
  assert.deepEqual([...new Set(seen)], ['after', 'before']);
  assert.equal(await reached, count + 1, 'who has waited for it finds that watchers have it');
  const expected = [...names.map((name) => `MODIFIED ${name}`), 'DELETED a/new', 'ADDED b/later'];
  assert.deepEqual(
    sink.log.filter((line) => line !== 'BOOKMARK'),
    expected,
  );
  assert.ok((await later) > revision);
});

test('those who read many changes do not wait for clients that watch, who get each of them once, and before later ones', async () => {
  const { fixture, storage } = await filled('before');
  await using _ = fixture;
  await fixture.cache.ready();
  const snapshot = storage.snapshot();
  await put(fixture, 'after');
  await fixture.delete(names[7]!);
  await fixture.put('a/new', { text: 'after' });
  await fixture.cache.fresh();
  const part = fixture.watch();
  const client = fixture.watch({ forClient: true });
  await until(() => fixture.cache.stats.watchers === 2);
  const revision = await storage.restore(snapshot);
  await fixture.cache.waitFor(revision);
  assert.deepEqual([...texts(fixture)], ['before']);
  assert.deepEqual([part.events.length, client.events.length], [count + 1, 0]);
  const second = fixture.watch({ forClient: true, from: fixture.cache.list({ prefix: fixture.prefix }).revision });
  const behind = fixture.watch({ forClient: true, from: revision - 1 });
  await fixture.put('b/later', { text: 'before' });
  const those = [part, client, second, behind];
  await until(() => those.every(({ log }) => log.at(-1) === 'ADDED b/later'), 'the last event');
  const expected = [...names.map((name, i) => `${i === 7 ? 'ADDED' : 'MODIFIED'} ${name}`), 'DELETED a/new', 'ADDED b/later'];
  for (const { log } of [part, client, behind]) assert.deepEqual(log, expected);
  assert.deepEqual(second.log, ['ADDED b/later']);
});

test('a watch that begins while many changes are applied misses none and sees none twice', async () => {
  const { fixture, storage } = await filled('before');
  await using _ = fixture;
  await fixture.cache.ready();
  const snapshot = storage.snapshot();
  await put(fixture, 'after');
  await fixture.cache.fresh();
  const start = fixture.cache.revision;
  const first = fixture.watch();
  await until(() => fixture.cache.stats.watchers === 1);
  await storage.restore(snapshot);
  const others: RecordingSink[] = [];
  while (first.events.length < count) {
    if (others.length < 30) others.push(fixture.watch({ from: start }), fixture.watch({ from: 'any' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await fixture.put('b/later', {});
  await until(() => others.every(({ log }) => log.at(-1) === 'ADDED b/later'), 'the last event');
  for (const [index, { log, events }] of others.entries()) {
    const last = new Map(events.map(({ event }) => [event.object.key, event.object.text]));
    assert.equal(last.size, count + 1);
    assert.ok(names.every((name) => last.get(fixture.key(name)) === 'before'));
    if (index % 2 === 0) assert.equal(log.length, count + 1);
  }
});

test('a cache that is closed while many changes are applied ends at once', async () => {
  const { fixture, storage } = await filled('before');
  await fixture.cache.ready();
  const snapshot = storage.snapshot();
  await put(fixture, 'after');
  await fixture.cache.fresh();
  const revision = await storage.restore(snapshot);
  const waiting = assert.rejects(fixture.cache.waitFor(revision));
  await new Promise((resolve) => setImmediate(resolve));
  await fixture[Symbol.asyncDispose]();
  await waiting;
  assert.deepEqual([...texts(fixture)], ['after']);
});

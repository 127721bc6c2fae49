import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../../base/metrics.ts';
import { cacheFamilies } from './cache-metrics.ts';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import { CompactedError } from '../storage.ts';
import { Fixture, turns, until } from './behaviour/fixture.ts';
import { runCacheBehaviour } from './behaviour/suite.ts';

runCacheBehaviour('memory', () => createMemoryStorage());

for (const [name, written] of [
  ['an older state', 0],
  ['an older state that has already caught up', 5],
] as const) {
  test(`watches end when the store goes back to ${name}, and the cache follows it`, async () => {
    const storage = createMemoryStorage();
    await using fixture = await Fixture.create(() => storage);
    await fixture.put('a/1', { text: 'before' });
    const snapshot = storage.snapshot();
    for (let i = 0; i < 4; i++) await fixture.put('a/1', { text: `lost ${i}` });
    await fixture.cache.fresh();
    const sink = fixture.watch();
    await turns();
    storage.rewind(snapshot);
    for (let i = 0; i < written; i++) void fixture.put('a/1', { text: `new ${i}` });
    await until(() => sink.ended !== undefined, 'the end');
    assert.ok(sink.ended instanceof CompactedError);
    await fixture.cache.fresh();
    assert.equal(fixture.cache.get(fixture.key('a/1'))?.text, written === 0 ? 'before' : 'new 4');
  });
}

test('metrics say how many bytes the clients of watches have not read, and how long the history is', async () => {
  const metrics = new MetricsRegistry();
  await using fixture = await Fixture.create(() => createMemoryStorage(), { metrics, resource: { group: 'g', resource: 'r' } });
  const sinks = [fixture.watch({ from: 'any' }), fixture.watch({ from: 'any' })];
  await fixture.put('a/1', { text: 'x' });
  await until(() => sinks.every(({ events }) => events.length === 1), 'the event');
  for (const sink of sinks) Object.assign(sink, { pending: 21 });
  metrics.collect();
  const { unread, history } = cacheFamilies(metrics);
  assert.equal(unread.with('g', 'r').value, 42);
  assert.equal(history.with('g', 'r').value, 1);
});

test('changes of long ago are forgotten when nothing happens, down to the smallest window', async () => {
  await using fixture = await Fixture.create(() => createMemoryStorage(), { historySize: 5 });
  await fixture.cache.ready();
  for (let i = 0; i < 18; i++) await fixture.put('a/1', { text: `${i}` });
  await fixture.cache.fresh();
  fixture.clock.advance(500_000);
  await fixture.put('a/1', { text: 'later' });
  await fixture.cache.fresh();
  assert.equal(fixture.cache.stats.history, 19);
  fixture.clock.advance(400_000);
  assert.equal(fixture.cache.stats.history, 5);
  assert.equal(fixture.cache.get(fixture.key('a/1'))?.text, 'later');
  assert.equal(fixture.clock.timers, 0, 'nothing is left to forget');
});

test('initial events are counted apart from changes, and changes for each watch that gets them', async () => {
  const metrics = new MetricsRegistry();
  await using fixture = await Fixture.create(() => createMemoryStorage(), { metrics, resource: { group: 'g', resource: 'r' } });
  await fixture.put('a/1', { text: 'x' });
  await fixture.put('b/1', { text: 'x' });
  const whole = fixture.watch({ from: 'any' });
  const part = fixture.watch({ from: 'any', prefix: fixture.key('a/') });
  await until(() => whole.events.length === 2 && part.events.length === 1, 'the initial events');
  await fixture.put('a/1', { text: 'y' });
  await fixture.put('b/1', { text: 'y' });
  await until(() => whole.events.length === 4 && part.events.length === 2, 'the changes');
  const { initEvents, dispatchSeconds } = cacheFamilies(metrics);
  assert.equal(initEvents.with('g', 'r').value, 3);
  assert.equal(dispatchSeconds.with('g', 'r', 'total').total, 3);
});

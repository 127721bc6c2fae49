import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock, systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { Pace } from '../../storage/cache/pace.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { createCodecs } from '../object/create-codecs.ts';
import { builtInResources, resourceFacts } from './built-in.ts';
import { ObjectReader } from './object-reader.ts';
import { Derived } from './derived.ts';
import { follow } from './follow.ts';
import type { FollowOptions } from './follow.ts';
import type { Resource } from './resource.ts';
import { testContext } from '../../../test/support/write-context.ts';

const opened: Resource[] = [];
after(async () => {
  for (const { store } of opened) await store.cache[Symbol.asyncDispose]();
});

/** ConfigMaps of a store in memory, and short words for what happens to them. */
function fixture() {
  const clock = new ManualClock();
  const storage = createMemoryStorage();
  const metrics = new MetricsRegistry();
  const factory = {
    codecs: createCodecs(),
    storage,
    clock: systemClock,
    log: silentLogger,
    metrics,
    storagePrefix: '/registry',
    pace: new Pace(),
    garbageCollection: true,
  };
  const core = servedGroupVersions().filter(({ group }) => group === '');
  const resource = builtInResources(resourceFacts(core).values(), [], factory).find(({ kind }) => kind === 'ConfigMap') as Resource;
  opened.push(resource);
  const stopping = new AbortController();
  const told: string[] = [];
  const following = (options: Partial<FollowOptions> = {}): Promise<void> =>
    follow({
      name: 'ConfigMaps',
      resource,
      event: (type, { fields }, isInitial) => void told.push(`${type} ${fields['metadata.name']}${isInitial ? ' initially' : ''}`),
      caughtUp: (keys) => void told.push(`caught up with ${[...keys].join() || 'nothing'}`),
      signal: stopping.signal,
      clock,
      log: silentLogger,
      ...options,
    });
  const create = async (name: string): Promise<void> => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'default' } };
    await resource.store.create(object, testContext({ name }));
    await resource.store.cache.fresh();
    await turn();
  };
  return { clock, storage, resource, stopping, told, following, create };
}

test('follow() tells what is there, that this was all, and what changes then', async () => {
  const { following, create, told } = fixture();
  await create('a');
  await following({ initialEvents: true });
  await create('b');
  assert.deepEqual(told, ['ADDED a initially', 'caught up with /registry/configmaps/default/a', 'ADDED b']);
});

test('follow() without initial events tells only what changes', async () => {
  const { following, create, told } = fixture();
  await create('a');
  await following();
  await create('b');
  assert.deepEqual(told, ['caught up with nothing', 'ADDED b']);
});

test('follow() begins anew at once when the store was restored', async () => {
  const { following, create, told, storage, resource } = fixture();
  await create('a');
  const before = storage.snapshot();
  await following({ initialEvents: true });
  await create('b');
  told.splice(0);
  storage.rewind(before);
  for (let i = 0; i < 20 && told.length < 2; i++) await turn();
  assert.deepEqual(told, ['ADDED a initially', 'caught up with /registry/configmaps/default/a']);
  assert.equal(resource.store.cache.stats.watchers, 1);
});

test('follow() takes its time when a follower cannot cope with what is there', async () => {
  const { following, create, clock, told, stopping } = fixture();
  await create('a');
  let fails = true;
  const ready = following({
    initialEvents: true,
    event: (type) => {
      told.push(type);
      if (fails) throw new Error('no');
    },
  });
  while (clock.timers === 0) await turn();
  assert.deepEqual(told, ['ADDED']);
  fails = false;
  clock.advance(1000);
  await ready;
  assert.deepEqual(told.slice(1), ['ADDED', 'caught up with /registry/configmaps/default/a']);
  stopping.abort();
});

test('follow() is over when it is told so, and when the cache is closed', async () => {
  const { following, create, told, stopping, resource, clock } = fixture();
  await following();
  stopping.abort();
  await create('a');
  assert.equal(resource.store.cache.stats.watchers, 0);
  assert.deepEqual(told, ['caught up with nothing']);
  const other = new AbortController();
  await following({ signal: other.signal });
  await resource.store.cache[Symbol.asyncDispose]();
  await following({ signal: other.signal });
  assert.equal(clock.timers, 0);
});

test('what is derived of a resource is made again after a change and follows once, also when the store was restored', async () => {
  const { resource, create, storage } = fixture();
  const reader = new ObjectReader((group, plural) => (group === '' && plural === 'configmaps' ? resource : undefined));
  const names: Derived<string[]> = new Derived(reader, { group: '', plurals: ['configmaps', 'unserved'] }, () =>
    Array.from(names.objects('configmaps'), ({ metadata }) => metadata.name ?? ''),
  );
  assert.deepEqual(await names.get(), []);
  const before = storage.snapshot();
  await create('a');
  assert.equal(names.current, undefined);
  assert.deepEqual(await names.get(), ['a']);
  storage.rewind(before);
  for (let i = 0; i < 20 && names.current !== undefined; i++) await turn();
  assert.deepEqual([await names.get(), await names.get()], [[], []]);
  assert.equal(resource.store.cache.stats.watchers, 1);
});

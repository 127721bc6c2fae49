import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/log.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import { servedGroupVersions } from '../schema/resources.ts';
import { createCodecs } from '../server/object/create-codecs.ts';
import { builtInResources, resourceFacts } from '../server/registry/built-in.ts';
import { Pace } from '../storage/cache/pace.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { TestServer } from './index.ts';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer();
  client = new RawClient(server);
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

test('all versions of a resource share one store, and what is kept in one place shares one cache: the events of both groups', () => {
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
  const resources = builtInResources(resourceFacts(servedGroupVersions()).values(), [], factory);
  const kinds = Map.groupBy(resources, ({ store }) => store.cache);
  const shared = [...kinds.values()].filter(({ length }) => length > 1).map((some) => some.map(({ group, kind }) => `${group}/${kind}`));
  assert.deepEqual(
    shared.map((names) => names.toSorted()),
    [['/Event', 'events.k8s.io/Event']],
  );
  assert.equal(new Set(resources.map(({ keyPrefix }) => keyPrefix)).size, kinds.size);
  const scalers = resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  assert.deepEqual(
    scalers.map(({ versions }) => [...versions.keys()].toSorted()),
    [['v1', 'v2']],
  );
});

test('an event is selected by the names that its group has for its fields', async () => {
  const event = {
    metadata: { name: 'e', namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
    reason: 'Started',
    source: { component: 'me' },
  };
  assert.equal((await client.call('POST', '/api/v1/namespaces/default/events', { body: event })).status, 201);
  const found = async (path: string): Promise<readonly [number, number | undefined]> => {
    const { status, text } = await client.call('GET', path);
    return [status, (JSON.parse(text) as { items?: unknown[] }).items?.length];
  };
  const core = '/api/v1/namespaces/default/events?fieldSelector=';
  const own = '/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=';
  assert.deepEqual(await found(`${core}involvedObject.name=web`), [200, 1]);
  assert.deepEqual(await found(`${core}involvedObject.name=db`), [200, 0]);
  assert.deepEqual(await found(`${own}regarding.name=web`), [200, 1]);
  assert.deepEqual(await found(`${own}regarding.name=db`), [200, 0]);
  assert.equal((await found(`${core}regarding.name=web`))[0], 400);
  assert.equal((await found(`${own}involvedObject.name=web`))[0], 400);
});

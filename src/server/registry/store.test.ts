import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceFactory } from '../../../test/support/resource-factory.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { CacheClosedError } from '../../storage/cache/types.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { builtInResources, resourceFacts } from './built-in.ts';

test('a cache is made when it is asked for, resources that share what is stored share it, and after the end it is closed', async () => {
  await using storage = createMemoryStorage();
  const factory = resourceFactory(storage);
  const resources = builtInResources(resourceFacts(servedGroupVersions()).values(), [], factory);
  assert.ok(resources.every(({ store }) => !store.hasCache));
  const [events, others] = resources.filter(({ kind }) => kind === 'Event').map(({ store }) => store);
  await events?.cache.ready();
  assert.equal(others?.cache, events?.cache);
  for (const { store } of resources) await store.closeCache();
  assert.equal(storage.watchers, 0);
  const unused = resources.find(({ kind }) => kind === 'Secret');
  await assert.rejects(async () => unused?.store.cache.ready(), CacheClosedError);
  assert.equal(storage.watchers, 0);
});

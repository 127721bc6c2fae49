import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceFactory } from '../../../test/support/resource-factory.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { builtInResources, resourceFacts } from '../../server/registry/built-in.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { patchObject } from './patch.ts';

test('a long patch of a webhook pauses between its operations', async () => {
  const factory = resourceFactory(createMemoryStorage());
  const core = servedGroupVersions().filter(({ group }) => group === '');
  const configMaps = builtInResources(resourceFacts(core).values(), [], factory).find(({ kind }) => kind === 'ConfigMap');
  assert.ok(configMaps !== undefined);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '' } };
  const operations = Array.from({ length: 6400 }, (_, index) => ({ op: 'replace', path: '/data/a', value: String(index) }));
  const steps = patchObject(object, operations, configMaps.storage);
  let pauses = 0;
  let next = steps.next();
  for (; next.done !== true; next = steps.next()) pauses++;
  assert.deepEqual((next.value.object as { data?: object }).data, { a: '6399' });
  assert.ok(next.value.isChanged);
  assert.ok(pauses > 100, `${pauses} pauses in ${operations.length} operations`);
  await configMaps.store.cache[Symbol.asyncDispose]();
});

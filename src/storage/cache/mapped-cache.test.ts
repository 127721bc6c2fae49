import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import { Fixture } from './behaviour/fixture.ts';
import { mappedCache } from './mapped-cache.ts';

test('what reads of a view would make at once is prepared ahead of them, for what they want', async () => {
  await using fixture = await Fixture.create(() => createMemoryStorage());
  for (const name of ['a/1', 'a/2', 'a/3', 'a/4']) await fixture.put(name, { text: name });
  await fixture.cache.fresh();
  const prepared: string[] = [];
  const view = mappedCache(fixture.cache, {
    map: (entry) => entry,
    *prepare(entry) {
      yield;
      prepared.push(entry.key);
    },
  });
  const options = { prefix: fixture.key('') };
  await view.prepare?.list(options, (entry) => entry.key !== fixture.key('a/2'), 2);
  assert.deepEqual(prepared, [fixture.key('a/1'), fixture.key('a/3')]);
  await view.prepare?.get(fixture.key('a/4'));
  await view.prepare?.get(fixture.key('a/5'));
  assert.deepEqual(prepared.slice(2), [fixture.key('a/4')]);
  prepared.length = 0;
  await view.prepare?.list(options, () => true, 0);
  assert.equal(prepared.length, 4);
});

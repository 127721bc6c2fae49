import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataListForm } from './client.ts';
import { pagesOf } from './pages.ts';

test('pagesOf() asks for some objects at a time, until there are no more', async () => {
  const asked: (readonly [path: string, accept: string | undefined])[] = [];
  const pages = [['a', 'b'], ['c'], undefined];
  const get = async (path: string, accept?: string): Promise<unknown> => {
    const page = pages[asked.length];
    asked.push([path, accept]);
    const next = asked.length < pages.length ? { continue: `k${asked.length}` } : {};
    return { metadata: { resourceVersion: '1', ...next }, items: page?.map((name) => ({ metadata: { name } })) ?? null };
  };
  const found: (string | undefined)[][] = [];
  for await (const page of pagesOf({ get }, '/api/v1/pods', metadataListForm)) found.push(page.map(({ metadata }) => metadata.name));
  assert.deepEqual(found, [['a', 'b'], ['c'], []]);
  assert.deepEqual(asked, [
    ['/api/v1/pods?limit=500', metadataListForm],
    ['/api/v1/pods?limit=500&continue=k1', metadataListForm],
    ['/api/v1/pods?limit=500&continue=k2', metadataListForm],
  ]);
});

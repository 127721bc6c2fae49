import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataListForm } from './client.ts';
import { listOf, pagesOf } from './pages.ts';

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
  for await (const page of pagesOf({ get }, '/api/v1/pods', { accept: metadataListForm }))
    found.push(page.map(({ metadata }) => metadata.name));
  assert.deepEqual(found, [['a', 'b'], ['c'], []]);
  assert.deepEqual(asked, [
    ['/api/v1/pods?limit=250', metadataListForm],
    ['/api/v1/pods?limit=250&continue=k1', metadataListForm],
    ['/api/v1/pods?limit=250&continue=k2', metadataListForm],
  ]);
});

test('listOf() has the objects of all pages, and keeps the query of the path', async () => {
  const asked: string[] = [];
  const get = async (path: string): Promise<unknown> => {
    const name = `n${asked.push(path)}`;
    return { metadata: { ...(asked.length < 3 && { continue: 'a/b' }) }, items: [{ metadata: { name } }] };
  };
  const list = await listOf({ get }, '/slices?labelSelector=a%3Db', { pageSize: 1 });
  assert.deepEqual(
    list.map(({ metadata }) => metadata.name),
    ['n1', 'n2', 'n3'],
  );
  const first = '/slices?labelSelector=a%3Db&limit=1';
  assert.deepEqual(asked, [first, `${first}&continue=a%2Fb`, `${first}&continue=a%2Fb`]);
});

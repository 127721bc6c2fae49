import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathMux } from './path-mux.ts';
import type { Request } from './request.ts';
import type { Handler } from './response.ts';
import { textResponse } from './response.ts';

const named =
  (name: string): Handler =>
  () =>
    textResponse(200, name);
const mux = new PathMux();
mux.handle('/exact', named('exact'));
mux.handlePrefix('/a/', named('a'));
mux.handlePrefix('/a/b/', named('a/b'));
const handler = mux.handler(named('next'));
const servedBy = async (path: string): Promise<unknown> => String((await handler({ path } as Request)).body);

test('a path is served by what is exactly it, by the longest prefix, or by whoever is next', async () => {
  for (const [path, name] of [
    ['/exact', 'exact'],
    ['/exact/', 'next'],
    ['/a', 'next'],
    ['/a/', 'a'],
    ['/a/x', 'a'],
    ['/a/b', 'a'],
    ['/a/b/', 'a/b'],
    ['/a/b/c/d/e', 'a/b'],
    ['/x/a/b/', 'next'],
    ['/', 'next'],
  ] as const)
    assert.equal(await servedBy(path), name, path);
});

test('how many slashes a path has makes no difference', async () => {
  let slices = 0;
  const path = Object.assign(Object('/a/b' + '/c'.repeat(500_000)) as string, {
    slice: (start: number, end: number) => (slices++, '/a/b/c/c'.slice(start, end)),
  });
  assert.equal(await servedBy(path), 'a/b');
  assert.ok(slices <= 3, `${slices} prefixes looked at`);
});

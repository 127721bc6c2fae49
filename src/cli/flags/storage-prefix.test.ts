import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storagePrefix } from './storage-prefix.ts';

test('a prefix of keys is a path from the root, however it is written', () => {
  assert.deepEqual(['/registry', 'registry', 'a/b/', '//a//b', '/a/../b', '/', ''].map(storagePrefix), [
    '/registry',
    '/registry',
    '/a/b',
    '/a/b',
    '/b',
    '',
    '',
  ]);
});

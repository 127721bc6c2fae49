import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy } from './deep-copy.ts';
import { isExplicitlyEmpty, markEmpty } from './explicitly-empty.ts';

test('a mark is kept by copies and written nowhere', () => {
  const object = { inner: { name: 'a' } };
  markEmpty(object.inner, 'values');
  markEmpty(object.inner, 'items');
  const copy = deepCopy({ ...object, inner: { ...object.inner } });
  assert.deepEqual(
    ['values', 'items', 'name'].map((field) => isExplicitlyEmpty(copy.inner, field)),
    [true, true, false],
  );
  assert.deepEqual(Object.keys(copy.inner), ['name']);
  assert.equal(JSON.stringify(copy), '{"inner":{"name":"a"}}');
});

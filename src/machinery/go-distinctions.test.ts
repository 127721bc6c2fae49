import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy } from './deep-copy.ts';
import { asPrinted, hasDistinctions, isDistinct, markDistinct, removeField, sameDistinctions } from './go-distinctions.ts';

test('a mark is kept by copies and written nowhere', () => {
  const object = { inner: { name: 'a' } };
  markDistinct(object.inner, 'values');
  markDistinct(object.inner, 'items');
  const copy = deepCopy({ ...object, inner: { ...object.inner } });
  assert.deepEqual(
    ['values', 'items', 'name'].map((field) => isDistinct(copy.inner, field)),
    [true, true, false],
  );
  assert.deepEqual(Object.keys(copy.inner), ['name']);
  assert.equal(JSON.stringify(copy), '{"inner":{"name":"a"}}');
});

test('objects that look alike may differ in what was given', () => {
  const [one, other] = [{ divisor: '0' }, { divisor: '0' }];
  assert.ok(sameDistinctions(one, other));
  markDistinct(one, 'divisor');
  assert.ok(!sameDistinctions(one, other));
  markDistinct(other, 'divisor');
  assert.ok(sameDistinctions(one, other));
});

test('what was given as empty and filled in since is empty no more', () => {
  const [given, absent] = [{ types: ['a'] }, { types: ['a'] }];
  markDistinct(given, 'types');
  assert.ok(sameDistinctions(given, absent));
});

test('a list is printed as null only where none was given, or it was taken away', () => {
  const object: { values?: string[] } = {};
  assert.equal(asPrinted(object, 'values', []), null);
  markDistinct(object, 'values');
  assert.deepEqual(asPrinted(object, 'values', []), []);
  assert.ok(hasDistinctions(object));
  removeField(object, 'values');
  assert.equal(asPrinted(object, 'values', []), null);
  assert.ok(!hasDistinctions(object));
});

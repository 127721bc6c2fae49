import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append } from './append.ts';
import { FieldPath } from './field.ts';
import { validateLabels, validateObjectMeta } from './object-meta-validation.ts';
import { nameIsDnsSubdomain } from './names.ts';

test('lists of any length are put at the end, in order', () => {
  const list = [1];
  append(
    list,
    [2],
    Array.from({ length: 500_000 }, (_, index) => index + 3),
    new Set([0]),
  );
  assert.equal(list.length, 500_003);
  assert.deepEqual([list[1], list[2], list.at(-1)], [2, 3, 0]);
});

test('metadata with as many mistakes as a body has room for is told all of them', () => {
  const labels = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`-${index}`, '']));
  const path = FieldPath.root('metadata');
  const expected = validateLabels(labels, path.child('labels')).length;
  assert.equal(expected, 200_000);
  assert.equal(validateObjectMeta({ name: 'a', labels }, false, nameIsDnsSubdomain, path).length, expected);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptionsOf } from './descriptions.ts';

const descriptions = descriptionsOf({
  Thing: {
    '': 'Thing is one.',
    plain: 'any words',
    choice: 'one of them.\n\n\nPossible enum values:\n - `"A"` is the first',
  },
});

test("a field's own words end before the values that it may have", () => {
  assert.equal(descriptions.ofField('Thing', 'choice'), 'one of them.');
  assert.equal(descriptions.ofValues('Thing', 'choice'), '\n\n\nPossible enum values:\n - `"A"` is the first');
});

test('a field without declared values has its words only', () => {
  assert.equal(descriptions.ofField('Thing', 'plain'), 'any words');
  assert.equal(descriptions.ofValues('Thing', 'plain'), undefined);
});

test('what nobody describes has no description', () => {
  assert.equal(descriptions.ofType('Thing'), 'Thing is one.');
  assert.equal(descriptions.ofType('toString'), undefined);
  assert.equal(descriptions.ofField('Thing', 'constructor'), undefined);
  assert.equal(descriptions.ofValues('Other', 'plain'), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intValue } from './int-or-string.ts';

test('the number of an IntOrString is what its text reads as, or 0', () => {
  assert.equal(intValue(3), 3);
  assert.equal(intValue('12'), 12);
  assert.equal(intValue('x'), 0);
});

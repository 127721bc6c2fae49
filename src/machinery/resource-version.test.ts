import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareResourceVersions, parseResourceVersion } from './resource-version.ts';

test('parseResourceVersion() reads numbers and refuses the rest', () => {
  assert.equal(parseResourceVersion(''), 0);
  assert.equal(parseResourceVersion('0'), 0);
  assert.equal(parseResourceVersion('42'), 42);
  assert.throws(() => parseResourceVersion('x'), {
    message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  });
  assert.throws(() => parseResourceVersion('99999999999999999999'), {
    message:
      'resourceVersion: Invalid value: "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range',
  });
});

test('compareResourceVersions() compares numbers of any length', () => {
  assert.equal(compareResourceVersions('9', '10'), -1);
  assert.equal(compareResourceVersions('10', '10'), 0);
  assert.equal(compareResourceVersions('99999999999999999999', '1'), 1);
  assert.equal(compareResourceVersions('01', '1'), undefined);
});

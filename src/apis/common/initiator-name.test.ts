import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initiatorFormat, isInitiatorName } from './initiator-name.ts';

const good = [
  'iqn.2001-04.com.example:storage.disk1',
  'iqn.2001-04.com.example:a:b',
  'iqnx iqn.2001-04.com.example:a',
  'iqn.2001-04.com.example iqn.2001-04.com.example:b',
  'eui.0123456789abcdef',
  `naa.${'5'.repeat(32)}`,
];
const bad = [
  '',
  'x',
  'iqn.2001-04.com.example',
  'iqn.2001-04.com.example:',
  'iqn.2001-04.:a',
  'iqn.2001-04.com.example:a b',
  'iqn.20010-4.com.example:a',
  'eui.0123456789abcde',
  'naa.5',
];

test('isInitiatorName() knows the three formats', () => {
  assert.deepEqual(
    good.filter((name) => !isInitiatorName(name)),
    [],
  );
  assert.deepEqual(bad.filter(isInitiatorName), []);
  assert.equal(initiatorFormat('x'), undefined);
});

test('isInitiatorName() does not begin again at each of many beginnings', () => {
  assert.equal(isInitiatorName('iqn.0000-00.q'.repeat(200_000)), false);
  assert.equal(isInitiatorName(`${'iqn.0000-00.q '.repeat(200_000)}:a`), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTolerations } from './tolerations.ts';

test('mergeTolerations() leaves out what another toleration includes', () => {
  const wide = { operator: 'Exists' };
  assert.deepEqual(mergeTolerations([{ key: 'a', operator: 'Exists' }], [wide]), [wide]);
});

test('mergeTolerations() does not compare thousands with each other', { timeout: 10_000 }, () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }));
  assert.equal(mergeTolerations(many, many).length, 200_000);
});

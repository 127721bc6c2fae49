import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareKubeAwareVersions } from './version.ts';

test('compareKubeAwareVersions() ranks stable over beta over alpha over the rest', () => {
  const ranked = ['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1beta1', 'v12alpha1', 'v1alpha2', 'foo1', 'foo10', 'v1betax'];
  assert.deepEqual(
    ranked.toReversed().sort((left, right) => compareKubeAwareVersions(right, left)),
    ranked,
  );
  assert.equal(compareKubeAwareVersions('v1', 'v1'), 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VolumeNodeAffinity } from '../../../schema/types/core-v1.ts';
import { isSameNodeAffinity } from './node-affinity.ts';

const on = (key: string, value = 'z1'): VolumeNodeAffinity => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
});

const cases: readonly (readonly [from: string, to: string, isSame: boolean])[] = [
  ['zone', 'zone', true],
  ['zone', 'other', false],
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone', true],
  ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone', false],
  ['zone', '', true],
  ['beta.kubernetes.io/os', '', false],
];

for (const [from, to, isSame] of cases) {
  test(`a volume ${isSame ? 'may' : 'may not'} move from nodes of ${from} to those of "${to}"`, () => {
    assert.equal(isSameNodeAffinity(on(to), on(from)), isSame);
  });
}

test('a volume may not move to nodes of another value', () => {
  assert.ok(!isSameNodeAffinity(on('topology.kubernetes.io/zone', 'z2'), on('failure-domain.beta.kubernetes.io/zone')));
  assert.ok(!isSameNodeAffinity(undefined, on('zone')));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaimStatus } from '../../../schema/types/core-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { validateStatusUpdate } from './status-validation.ts';

const claim = (status: PersistentVolumeClaimStatus = {}): Parameters<typeof validateStatusUpdate>[0] => ({
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: {} },
  status,
});

const cases: readonly (readonly [what: string, status: PersistentVolumeClaimStatus, errors: readonly string[]])[] = [
  ['a size', { capacity: { storage: '1Gi' } }, []],
  [
    'less than nothing',
    { capacity: { storage: '-1' } },
    ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
  ],
  [
    'a bit less than nothing',
    { allocatedResources: { storage: '-500m' } },
    ['status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity'],
  ],
  [
    'processors',
    { allocatedResources: { cpu: '1' } },
    ['status.allocatedResources: Unsupported value: "cpu": supported values: "storage"'],
  ],
];

for (const [what, status, errors] of cases) {
  test(`validateStatusUpdate() judges a claim of ${what}`, () => {
    assert.deepEqual(validateStatusUpdate(claim(status), claim(), testContext()).map(String), errors);
  });
}

test('validateStatusUpdate() overlooks allocations that the server does not know, unless they were there', () => {
  const [odd, off] = [claim({ allocatedResources: { cpu: '1' } }), testContext({ enabled: false })];
  assert.equal(validateStatusUpdate(odd, claim(), off).length, 0);
  assert.equal(validateStatusUpdate(odd, odd, off).length, 1);
});

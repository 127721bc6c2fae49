import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CSIDriverSpec } from '../../../schema/types/storage-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { csiDrivers } from './definition.ts';
import { validate, validateUpdate } from './validation.ts';

const { strategy } = csiDrivers({ features: { enabled: () => true } });
const driver = (spec: CSIDriverSpec = {}): Parameters<typeof validate>[0] => {
  const object = { metadata: { name: 'd' }, spec: { ...spec } };
  strategy?.defaults?.(object, 'v1');
  return object;
};

const cases: readonly (readonly [what: string, spec: CSIDriverSpec, errors: readonly string[]])[] = [
  ['nothing but defaults', {}, []],
  [
    'an unknown policy',
    { fsGroupPolicy: 'x' },
    ['spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"'],
  ],
  [
    'an audience twice',
    { tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }] },
    ['spec.tokenRequests[1].audience: Duplicate value: "a"'],
  ],
  [
    'a token that is gone before it is used',
    { tokenRequests: [{ audience: '', expirationSeconds: 599 }] },
    ['spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes'],
  ],
  [
    'secrets without tokens',
    { serviceAccountTokenInSecrets: true },
    ['spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified'],
  ],
];

for (const [what, spec, errors] of cases) {
  test(`validate() judges a driver with ${what}`, () => assert.deepEqual(validate(driver(spec), testContext()).map(String), errors));
}

test('validateUpdate() lets nobody change whether volumes are attached', () => {
  assert.deepEqual(validateUpdate(driver({ attachRequired: false }), driver(), testContext()).map(String), [
    'spec.attachedRequired: Invalid value: false: field is immutable',
  ]);
});

test('fields of disabled features are dropped from new drivers and kept in old ones', () => {
  const { prepareForCreate, prepareForUpdate } = strategy ?? {};
  const off = testContext({ enabled: false });
  const created = driver({ nodeAllocatableUpdatePeriodSeconds: 10 });
  prepareForCreate?.(created, off);
  assert.equal(created.spec.nodeAllocatableUpdatePeriodSeconds, undefined);
  const updated = driver({ nodeAllocatableUpdatePeriodSeconds: 20 });
  prepareForUpdate?.(updated, driver({ nodeAllocatableUpdatePeriodSeconds: 10 }), off);
  assert.equal(updated.spec.nodeAllocatableUpdatePeriodSeconds, 20);
});

test('a driver has a generation once it changes', () => {
  const changed = driver({ podInfoOnMount: true });
  strategy?.prepareForUpdate?.(changed, driver(), testContext());
  assert.equal(changed.metadata.generation, 1);
  const same = driver();
  strategy?.prepareForUpdate?.(same, driver(), testContext());
  assert.equal(same.metadata.generation, undefined);
});

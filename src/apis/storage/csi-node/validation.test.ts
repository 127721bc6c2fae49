import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CSINodeDriver, StorageHealth } from '../../../schema/types/storage-v1.ts';
import { typedContext } from '../../../../test/support/write-context.ts';
import { validateStatusUpdate } from './storage-health.ts';
import { validate, validateUpdate } from './validation.ts';

type Node = Parameters<typeof validate>[0];

const gvk = { group: 'storage.k8s.io', version: 'v1', kind: 'CSINode' };
const driver = (changes: Partial<CSINodeDriver> = {}): CSINodeDriver => ({ name: 'a', nodeID: 'n', topologyKeys: null, ...changes });
const node = (...drivers: CSINodeDriver[]): Node => ({ metadata: { name: 'n' }, spec: { drivers }, status: {} });
const healthOf = (...storageHealth: StorageHealth[]): Node => ({ ...node(), status: { storageHealth } });

const cases: readonly (readonly [what: string, node: Node, errors: readonly string[]])[] = [
  ['a driver', node(driver()), []],
  ['a driver twice', node(driver(), driver()), ['spec.drivers[1].name: Duplicate value: "a"']],
  [
    'a long id',
    node(driver({ nodeID: 'i'.repeat(257) })),
    [`spec.drivers[0].nodeID: Invalid value: "${'i'.repeat(257)}": must be 256 characters or less`],
  ],
  ['a key twice', node(driver({ topologyKeys: ['k', 'k'] })), ['spec.drivers[0]: Duplicate value: "k"']],
  [
    'less than nothing',
    node(driver({ allocatable: { count: -1 } })),
    ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
  ],
];

for (const [what, object, errors] of cases) {
  test(`validate() judges ${what}`, () => assert.deepEqual(validate(object).map(String), errors));
}

test('validateUpdate() allows another count only where the feature is on', () => {
  const [before, after] = [node(driver({ allocatable: { count: 1 } })), node(driver({ allocatable: { count: 2 } }))];
  assert.deepEqual(validateUpdate(after, before, typedContext(gvk)), []);
  assert.deepEqual(validateUpdate(after, before, typedContext(gvk, { enabled: false })).map(String), [
    'spec.drivers: Invalid value: {"Name":"a","NodeID":"n","TopologyKeys":null,"Allocatable":{"Count":2}}: field is immutable',
  ]);
});

test('validateStatusUpdate() judges the health of storage', () => {
  const lastTransitionTime = '2026-01-02T03:04:05Z';
  const condition = { status: 'x', reason: 'not a reason', accessMode: 'y', lastTransitionTime };
  const [status, reason, mode, ...more] = validateStatusUpdate(healthOf({ name: 'a', healthConditions: [condition] })).map(String);
  const at = 'status.storageHealth[0].healthConditions[0]';
  assert.equal(status, `${at}.status: Unsupported value: "x": supported values: "StorageDegraded", "StorageUnreachable"`);
  assert.match(reason ?? '', /reason: Invalid value: "not a reason": a condition reason must start/);
  assert.match(mode ?? '', /accessMode: Unsupported value: "y"/);
  assert.deepEqual(more, []);
  assert.deepEqual(validateStatusUpdate(healthOf({ name: 'a' }, { name: 'a' })).map(String), [
    'status.storageHealth[1]: Duplicate value: "a"',
  ]);
});

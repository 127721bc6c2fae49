import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clockAt } from '../../../table/table-clock.ts';
import { createSchema } from '../../../schema/index.ts';
import type { ResourcePoolStatusRequestStatus } from '../../../schema/types/resource-v1alpha3.ts';
import { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { Resource } from '../../../server/registry/resource.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { columns } from './columns.ts';
import type { PoolStatusRequestObject } from './validation.ts';
import { validateStatusUpdate } from './validation.ts';

const type = createSchema().typeOf({ group: 'resource.k8s.io', version: 'v1alpha3', kind: 'ResourcePoolStatusRequest' });
const context = testContext({ reader: new ObjectReader(() => ({ storage: { type } }) as unknown as Resource) });
const request = (status?: ResourcePoolStatusRequestStatus): PoolStatusRequestObject => ({
  metadata: { name: 'q' },
  spec: { driver: 'd' },
  ...(status && { status }),
});
const held = (what: string): NonNullable<ResourcePoolStatusRequestStatus['conditions']>[number] => ({
  type: what,
  status: 'True',
  reason: 'r',
  message: '',
  lastTransitionTime: '2024-01-01T00:00:00Z',
});
const pools = [
  { generation: 1, totalDevices: 3, availableDevices: 1, allocatedDevices: 2 },
  { generation: 1, totalDevices: 1, validationError: 'x' },
];

describe('a request for the status of pools', () => {
  const rows: readonly (readonly [what: string, request: PoolStatusRequestObject, cells: readonly unknown[]])[] = [
    ['waits', request(), ['d', '-', '-', '-', '-', '-', 0, 'Pending', '<none>']],
    ['is answered', request({ poolCount: 2, pools, conditions: [held('Complete')] }), ['d', '4', '1', '2', '0', '1', 2, 'Complete', '5s']],
    [
      'is answered in part',
      request({ poolCount: 9, pools, conditions: [held('Complete')] }),
      ['d', '4', '1', '2', '0', '1', 9, 'Complete (2/9 pools)', '5s'],
    ],
    ['fails', request({ poolCount: 0, conditions: [held('Failed')] }), ['d', '-', '-', '-', '-', '-', 0, 'Failed', '<none>']],
  ];
  for (const [what, object, cells] of rows) {
    test(`shows that it ${what}`, () => {
      const now = Date.parse('2024-01-01T00:00:05Z');
      assert.deepEqual(
        columns.map(({ cell }) => cell(object, clockAt(now))),
        cells,
      );
    });
  }

  test('is answered once', () => {
    assert.deepEqual(validateStatusUpdate(request({ poolCount: 1 }), request(), context), []);
    assert.deepEqual(validateStatusUpdate(request({ poolCount: 2 }), request({ poolCount: 1 }), context).map(String), [
      'status: Invalid value: {"PoolCount":2,"Pools":null,"Conditions":null}: field is immutable',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Device, ResourceSliceSpec } from '../../../schema/types/resource-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { resourceSlices } from './definition.ts';

const spec = (changes: object = {}): ResourceSliceSpec => ({
  driver: 'd',
  pool: { name: 'p', generation: 0, resourceSliceCount: 1 },
  ...changes,
});
const slice = (changes: object = {}): KubeObject => ({ metadata: { name: 's', generation: 1 }, spec: spec(changes) });
const { strategy, conversions } = resourceSlices;
const v1beta1 = conversions?.['v1beta1'];

describe('a slice in v1beta1', () => {
  const nested = (): KubeObject =>
    slice({ nodeName: 'n', devices: [{ name: 'd', basic: { attributes: { a: { int: 1 } }, allNodes: true } }] });
  const flat = (): KubeObject => slice({ nodeName: 'n', devices: [{ name: 'd', attributes: { a: { int: 1 } }, allNodes: true }] });

  test('has all but the name of a device in basic', () => {
    assert.deepEqual(v1beta1?.toStorage(nested()), flat());
    assert.deepEqual(v1beta1?.fromStorage(flat()), nested());
  });

  test('is on no node where the name is empty, and not on all where it says so', () => {
    assert.deepEqual(v1beta1?.toStorage(slice({ nodeName: '', allNodes: false })), slice());
    assert.deepEqual(v1beta1?.fromStorage(slice({ allNodes: false })), slice());
  });

  test('may leave basic out', () =>
    assert.deepEqual(v1beta1?.toStorage(slice({ devices: [{ name: 'd' }] })), slice({ devices: [{ name: 'd' }] })));
});

describe('the strategy of slices', () => {
  const now = '2026-01-02T03:04:05Z';
  const taint = { key: 'k', effect: 'None' };

  test('tells since when a device is tainted, in every version', () => {
    const object = slice({ devices: [{ name: 'd', taints: [{ ...taint }, { ...taint, timeAdded: 't' }] }] });
    const beta = slice({ devices: [{ name: 'd', basic: { taints: [{ ...taint }] } }, { name: 'e' }] });
    strategy?.timeDefaults?.(object, 'v1', now);
    strategy?.timeDefaults?.(beta, 'v1beta1', now);
    const [device] = (object['spec'] as ResourceSliceSpec).devices as [Device];
    assert.deepEqual(
      device.taints?.map(({ timeAdded }) => timeAdded),
      [now, 't'],
    );
    assert.deepEqual(beta, slice({ devices: [{ name: 'd', basic: { taints: [{ ...taint, timeAdded: now }] } }, { name: 'e' }] }));
  });

  const gated = (): object => ({
    sharedCounters: [{ name: 'c' }],
    perDeviceNodeSelection: true,
    partitionTypeAttribute: 'a/b',
    skipNodeOperations: ['*'],
    devices: [
      {
        name: 'd',
        attributes: { a: { ints: [1], int: 1 } },
        capacity: { m: { value: '1', requestPolicy: {} } },
        consumesCounters: [{ counterSet: 'c', compatibilityGroups: ['g'] }],
        nodeName: 'n',
        taints: [taint],
        bindsToNode: true,
        bindingConditions: ['a'],
        bindingFailureConditions: ['b'],
        allowMultipleAllocations: true,
        nodeAllocatableResources: { cpu: {} },
      },
    ],
  });

  test('drops what no gate allows', () => {
    const object = slice(gated());
    strategy?.prepareForCreate?.(object, testContext({ enabled: false }));
    assert.deepEqual(object, slice({ devices: [{ name: 'd', attributes: { a: { int: 1 } }, capacity: { m: { value: '1' } } }] }));
  });

  test('keeps what is in use, whatever the gates say', () => {
    const object = slice(gated());
    strategy?.prepareForUpdate?.(object, slice(gated()), testContext({ enabled: false }));
    assert.deepEqual(object, slice(gated()));
  });

  test('counts what it drops as a change', () => {
    const object = slice({ skipNodeOperations: ['*'] });
    strategy?.prepareForUpdate?.(object, slice(), testContext({ enabled: false }));
    assert.deepEqual(object, { ...slice(), metadata: { name: 's', generation: 2 } });
  });

  test('warns of names that are not lower case', () => {
    assert.deepEqual(strategy?.warningsOnCreate?.(slice({ driver: 'Gpu' }), testContext()), [
      'spec.driver: driver names should be lowercase; "Gpu" contains uppercase characters',
    ]);
  });
});

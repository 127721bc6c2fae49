import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markDistinct } from '../../../machinery/go-distinctions.ts';
import { createSchema } from '../../../schema/index.ts';
import type { Device, ResourceSliceSpec } from '../../../schema/types/resource-v1.ts';
import { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { Resource } from '../../../server/registry/resource.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import type { SliceObject } from './validation.ts';
import { validate, validateUpdate } from './validation.ts';

const type = createSchema().typeOf({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceSlice' });
const context = testContext({ reader: new ObjectReader(() => ({ storage: { type } }) as unknown as Resource) });
const slice = (changes: Partial<ResourceSliceSpec>): SliceObject => ({
  metadata: { name: 's' },
  spec: { driver: 'd', pool: { name: 'p', generation: 0, resourceSliceCount: 1 }, ...changes },
});
const onNode = (...devices: Partial<Device>[]): SliceObject =>
  slice({ nodeName: 'n', devices: devices.map((device, index) => ({ name: `d${index}`, ...device })) });
const choices = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';
const many = <V>(length: number, value: V): Record<string, V> =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`a${index}`, value]));

const emptyConditions = { bindingFailureConditions: ['x'] };
markDistinct(emptyConditions, 'bindingConditions');

const cases: readonly (readonly [what: string, slice: SliceObject, errors: readonly string[]])[] = [
  ['a slice of one node', onNode({}), []],
  ['devices that are nowhere', slice({}), [`spec: Required value: exactly one of ${choices} is required`]],
  [
    'devices in two places',
    slice({ nodeName: 'n', allNodes: true }),
    [`spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": exactly one of ${choices} is required, but multiple fields are set`],
  ],
  [
    'two terms',
    slice({ nodeSelector: { nodeSelectorTerms: [{}, {}] } }),
    [
      'spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"MatchExpressions":null,"MatchFields":null},{"MatchExpressions":null,"MatchFields":null}]: must have exactly one node selector term',
    ],
  ],
  [
    'counters with devices',
    slice({ allNodes: true, devices: [{ name: 'd' }], sharedCounters: [{ name: 'c', counters: many(33, { value: '1' }) }] }),
    [
      'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
      'spec.sharedCounters[0].counters: Too many: 33: must have at most 32 items',
    ],
  ],
  [
    'more tainted devices than a slice holds',
    onNode(...Array.from({ length: 65 }, () => ({ taints: [{ key: 'k', effect: 'None' }] }))),
    ['spec.devices: Too many: 65: must have at most 64 items'],
  ],
  ['a name twice', onNode({ name: 'd' }, { name: 'd' }), ['spec.devices[1]: Duplicate value: "d"']],
  [
    'a device that says where it is',
    onNode({ allNodes: true }),
    [
      'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ],
  ],
  [
    'a device that should say where it is',
    slice({ perDeviceNodeSelection: true, devices: [{ name: 'd' }] }),
    [
      'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ],
  ],
  [
    'too much to say about a device',
    onNode({ attributes: many(33, { ints: [1, 2] }) }),
    [
      'spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32',
      'spec.devices[0]: Invalid value: 66: the total number of attribute values must not exceed 48',
    ],
  ],
  [
    'names of attributes',
    onNode({ attributes: { 'a/b/c': { int: 1 }, '/x': { int: 1 }, 'x/': { int: 1 } } }),
    [
      'spec.devices[0].attributes: Invalid value: "": the domain must not be empty',
      'spec.devices[0].attributes: Invalid value: "": the name must not be empty',
    ],
  ],
  [
    'a version that is none',
    onNode({ attributes: { v: { version: '1.02.3' } } }),
    ['spec.devices[0].attributes[v].version: Invalid value: "1.02.3": must be a string compatible with semver.org spec 2.0.0'],
  ],
  [
    'a policy for what is given away as a whole',
    onNode({ capacity: { m: { value: '1', requestPolicy: { default: '1' } } } }),
    ['spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
  ],
  [
    'conditions of failure beside an empty list of others, which shows as one',
    onNode(emptyConditions),
    ['spec.devices[0].bindingConditions: Invalid value: []: bindingConditions are required to use bindingFailureConditions'],
  ],
  [
    'conditions of failure alone',
    onNode({ bindingFailureConditions: ['x', 'x'] }),
    [
      'spec.devices[0].bindingFailureConditions[1]: Duplicate value: "x"',
      'spec.devices[0].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions',
    ],
  ],
  [
    'what is prepared but never undone',
    { ...slice({ nodeName: 'n', skipNodeOperations: ['NodePrepareResources'] }) },
    [
      'spec.skipNodeOperations: Invalid value: ["NodePrepareResources"]: NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped',
    ],
  ],
  [
    'a type of partitions that one does not have',
    slice({
      nodeName: 'n',
      partitionTypeAttribute: 'd/type',
      devices: [
        { name: 'a', consumesCounters: [{ counterSet: 'c' }], attributes: { type: { int: 1 } } },
        { name: 'b', consumesCounters: [{ counterSet: 'c' }] },
        { name: 'c' },
      ],
    }),
    [
      'spec.devices[0].attributes[d/type]: Invalid value: {"IntValue":1,"BoolValue":null,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: must be a string value because `partitionTypeAttribute` names this attribute',
      'spec.devices[1].attributes[d/type]: Required value: device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set',
    ],
  ],
  [
    'resources of the node',
    onNode({ nodeAllocatableResources: { gpu: {}, cpu: { mapping: { capacityKey: 'm' }, overhead: {} } } }),
    [
      'spec.devices[0].nodeAllocatableResources[gpu]: Invalid value: "gpu": must be a node allocatable resource name',
      'spec.devices[0].nodeAllocatableResources[gpu]: Required value: at least one of mapping or overhead must be set',
      'spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey: Not found: "m"',
      'spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier: Required value: capacityMultiplier is required when capacityKey is set',
      'spec.devices[0].nodeAllocatableResources[cpu].overhead: Invalid value: "": at least one of perPod or perContainer must be set',
    ],
  ],
];

describe('a slice', () => {
  for (const [what, object, errors] of cases) {
    test(`is judged for ${what}`, () => assert.deepEqual(validate(object, context).map(String), errors));
  }

  test('stays where it is, and of one driver', () => {
    const moved = slice({ allNodes: true, driver: 'e' });
    assert.deepEqual(validateUpdate(moved, onNode({}), context).map(String), [
      'spec.driver: Invalid value: "e": field is immutable',
      'spec.nodeName: Invalid value: null: field is immutable',
    ]);
  });

  test('may keep taints and capacities that were right once', () => {
    const odd = onNode({ taints: [{ key: 'a b', effect: 'None' }], capacity: { 'a b': { value: '1' } } });
    assert.equal(validate(odd, context).length, 2);
    assert.deepEqual(validateUpdate(odd, structuredClone(odd), context), []);
  });
});

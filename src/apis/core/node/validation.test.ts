import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeSpec, NodeStatus } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { validate, validateChange } from './validation.ts';
import type { NodeObject } from './validation.ts';

const context = { features: { enabled: () => false } } as unknown as WriteContext;

function node(spec: NodeSpec, status: Partial<NodeStatus> = {}): NodeObject {
  return { metadata: { name: 'n' }, spec, status: { nodeInfo: {}, daemonEndpoints: {}, ...status } } as NodeObject;
}

const taint = { key: 'a', effect: 'NoSchedule' };
const created: readonly (readonly [string, NodeObject, readonly string[]])[] = [
  ['a plain one', node({}, { capacity: { cpu: '4', pods: '110' } }), []],
  ['one taint twice', node({ taints: [taint, { ...taint, value: 'other' }] }), ['metadata.taints[1]']],
  ['a taint without effect', node({ taints: [{ key: 'a', effect: '' }] }), ['metadata.taints[0].effect']],
  ['less than nothing', node({}, { capacity: { cpu: '-1' } }), ['status.capacity.cpu']],
  ['half a pod', node({}, { allocatable: { pods: '0.5' } }), ['status.allocatable.pods']],
  ['one range of each family', node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }), []],
  ['two ranges of one family', node({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] }), ['spec.podCIDRs']],
  ['no range', node({ podCIDRs: ['ten'] }), ['spec.podCIDRs[0]']],
  ['unsorted features', node({}, { declaredFeatures: ['B', 'A/b'] }), ['status.declaredFeatures[1]']],
  ['a feature in lower case', node({}, { declaredFeatures: ['a'] }), ['status.declaredFeatures[0]']],
];

for (const [what, object, fields] of created) {
  test(`a node with ${what} has ${fields.length === 0 ? 'no faults' : `a fault in ${fields.join()}`}`, () => {
    assert.deepEqual(
      validate(object, context).map(({ field }) => field),
      fields,
    );
  });
}

const address = { type: 'InternalIP', address: '10.0.0.1' };
const changed: readonly (readonly [string, NodeObject, NodeObject, readonly string[]])[] = [
  ['gets a pod range', node({}), node({ podCIDRs: ['10.0.0.0/24'] }), []],
  ['gets another pod range', node({ podCIDRs: ['10.0.0.0/24'] }), node({ podCIDRs: ['10.0.1.0/24'] }), ['spec.podCIDRs']],
  ['loses its pod range', node({ podCIDRs: ['10.0.0.0/24'] }), node({}), ['spec.podCIDRs']],
  ['gets a provider', node({}), node({ providerID: 'a' }), []],
  ['gets another provider', node({ providerID: 'a' }), node({ providerID: 'b' }), ['spec.providerID']],
  ['gets one address twice', node({}), node({}, { addresses: [address, address] }), ['status.addresses[1]']],
];

for (const [what, old, object, fields] of changed) {
  test(`a node that ${what} is ${fields.length === 0 ? 'fine' : `refused for ${fields.join()}`}`, () => {
    assert.deepEqual(
      validateChange(object, old).map(({ field }) => field),
      fields,
    );
  });
}

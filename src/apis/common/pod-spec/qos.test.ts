import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec, ResourceRequirements } from '../../../schema/types/core-v1.ts';
import { qosClassOf } from './qos.ts';

const full = { cpu: '1', memory: '1Gi' };
const cases: readonly (readonly [name: string, containers: readonly ResourceRequirements[], expected: string])[] = [
  ['nothing asked for', [{}], 'BestEffort'],
  ['requests as limits', [{ requests: full, limits: full }], 'Guaranteed'],
  ['requests below limits', [{ requests: { cpu: '1' }, limits: full }], 'Burstable'],
  ['only cpu', [{ requests: { cpu: '1' }, limits: { cpu: '1' } }], 'Burstable'],
  ['one of two containers', [{ requests: full, limits: full }, {}], 'Burstable'],
  ['other resources only', [{ requests: { 'example.com/gpu': '1' } }], 'BestEffort'],
];

for (const [name, containers, expected] of cases) {
  test(`qosClassOf(): ${name} is ${expected}`, () => {
    const spec: PodSpec = { containers: containers.map((resources, index) => ({ name: `c${index}`, resources })) };
    assert.equal(qosClassOf(spec, { enabled: () => true }), expected);
  });
}

test('qosClassOf() looks at the pod as a whole where it has resources', () => {
  const spec: PodSpec = { containers: [{ name: 'c', resources: {} }], resources: { requests: full, limits: full } };
  assert.equal(qosClassOf(spec, { enabled: () => true }), 'Guaranteed');
  assert.equal(qosClassOf(spec, { enabled: () => false }), 'BestEffort');
});

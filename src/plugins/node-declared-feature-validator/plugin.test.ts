import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { nodeDeclaredFeatureValidator } from './plugin.ts';

const objects = {
  '/nodes': [
    { metadata: { name: 'old', labels: { zone: 'a' } } },
    {
      metadata: { name: 'new', labels: { zone: 'b' } },
      status: { declaredFeatures: ['DRANodeAllocatableResources', 'InPlacePodLevelResourcesVerticalScaling'] },
    },
  ],
};
const pod = (nodeName: string, generation: number, spec: object): object => ({
  metadata: { name: 'p', generation },
  spec: { nodeName, ...spec },
});
const larger = { resources: { requests: { cpu: '2' } } };
const initResized = { initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }] };
const sidecarResized = { initContainers: [{ name: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '2' } } }] };

const updates: readonly (readonly [node: string, before: object, after: object, reason: string | undefined])[] = [
  ['new', {}, larger, undefined],
  ['old', {}, larger, 'pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "old"'],
  ['gone', {}, larger, 'node "gone" not found'],
  ['', {}, larger, undefined],
  ['old', larger, larger, undefined],
  [
    'new',
    { initContainers: [{ name: 'i' }] },
    initResized,
    'pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "new"',
  ],
  ['new', { initContainers: [{ name: 'i', restartPolicy: 'Always' }] }, sidecarResized, undefined],
  [
    'new',
    { volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }] },
    { volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } }] },
    'pod update requires features InPlacePodVerticalScalingMemoryBackedVolumes which are not available on node "new"',
  ],
];
for (const [node, before, after, reason] of updates) {
  test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)} on "${node}": ${reason ?? 'admitted'}`, async () => {
    const plugin = new PluginHarness(nodeDeclaredFeatureValidator, { objects });
    const answer = await plugin.ask({ about: '/pods/resize', object: pod(node, 2, after), old: pod(node, 1, before) });
    assert.equal(answer, reason && `pods "p" is forbidden: ${reason}`);
  });
}

const inZone = (zone: string): object => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
});
const slices: readonly (readonly [placement: object, reason: string | undefined])[] = [
  [{ nodeName: 'new' }, undefined],
  [{ nodeName: 'old' }, 'node "old" does not support DRANodeAllocatableResources feature'],
  [{ nodeName: 'gone' }, 'node "gone" not found for device "d"'],
  [{ allNodes: true }, 'node "old" does not support DRANodeAllocatableResources feature'],
  [inZone('b'), undefined],
  [inZone('a'), 'node "old" does not support DRANodeAllocatableResources feature'],
  [{}, 'device "d" in ResourceSlice has NodeAllocatableResources but does not map to any nodes'],
];
for (const [placement, reason] of slices) {
  test(`devices of a node's resources, with ${JSON.stringify(placement)}: ${reason ?? 'admitted'}`, async () => {
    const plugin = new PluginHarness(nodeDeclaredFeatureValidator, { objects });
    const devices = [{ name: 'd', nodeAllocatableResources: { cpu: {} } }];
    const answer = await plugin.ask({
      about: 'resource.k8s.io/resourceslices',
      object: { metadata: { name: 's' }, spec: { ...placement, devices } },
    });
    assert.equal(answer, reason && `resourceslices.resource.k8s.io "s" is forbidden: ${reason}`);
  });
}

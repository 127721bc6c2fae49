import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const pods = '/api/v1/namespaces/a/pods';
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const node = (name: string, zone: string, declaredFeatures?: readonly string[]): readonly [string, object] => [
  '/api/v1/nodes',
  { metadata: { name, labels: { zone } }, ...(declaredFeatures && { status: { declaredFeatures } }) },
];
const requests = (cpu: string): object => ({ resources: { requests: { cpu } } });
const initContainers = (cpu: string, more: object = {}): object => ({
  initContainers: [{ name: 'i', image: 'i', ...requests(cpu), ...more }],
});
const memoryVolume = (sizeLimit: string): object => ({ volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit } }] });
const sidecar = { restartPolicy: 'Always' };

type Resize = readonly [what: string, node: string, from: object, to: object, reason: string | undefined];
const missing = (feature: string, where: string): string =>
  `pod update requires features ${feature} which are not available on node "${where}"`;
const resizes: readonly Resize[] = [
  ['a pod', 'new', requests('1'), requests('2'), undefined],
  ['a pod', 'old', requests('1'), requests('2'), missing('InPlacePodLevelResourcesVerticalScaling', 'old')],
  ['a pod', 'gone', requests('1'), requests('2'), 'node "gone" not found'],
  ['a pod', '', requests('1'), requests('2'), undefined],
  ['nothing', 'old', requests('1'), requests('1'), undefined],
  ['a container', 'old', {}, { containers: [{ name: 'c', image: 'i', ...requests('200m') }] }, undefined],
  ['an init container', 'new', initContainers('1'), initContainers('2'), missing('InPlacePodVerticalScalingInitContainers', 'new')],
  ['a sidecar', 'new', initContainers('1', sidecar), initContainers('2', sidecar), undefined],
  ['a volume in memory', 'new', memoryVolume('1Gi'), memoryVolume('2Gi'), missing('InPlacePodVerticalScalingMemoryBackedVolumes', 'new')],
];

const inZone = (zone: string): object => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
});
const unsupported = 'node "old" does not support DRANodeAllocatableResources feature';
const placements: readonly (readonly [placement: object, reason: string | undefined])[] = [
  [{ nodeName: 'new' }, undefined],
  [{ nodeName: 'old' }, unsupported],
  [{ nodeName: 'gone' }, 'node "gone" not found for device "d"'],
  [{ allNodes: true }, unsupported],
  [inZone('b'), undefined],
  [inZone('a'), unsupported],
];

describe('NodeDeclaredFeatureValidator', () => {
  const server = admissionServer({
    plugins: ['NodeDeclaredFeatureValidator'],
    features: {
      DRANodeAllocatableResources: true,
      InPlacePodLevelResourcesVerticalScaling: true,
      InPlacePodVerticalScalingMemoryBackedVolumes: true,
    },
    objects: [node('old', 'a'), node('new', 'b', ['DRANodeAllocatableResources', 'InPlacePodLevelResourcesVerticalScaling'])],
  });

  for (const [index, [what, nodeName, from, to, reason]] of resizes.entries()) {
    test(`to resize ${what} on ${nodeName === '' ? 'no node' : `the node ${nodeName}`}: ${reason ?? 'admitted'}`, async () => {
      const name = `p${index}`;
      const containers = [{ name: 'c', image: 'i', ...requests('100m') }];
      await server.given(pods, { metadata: { name }, spec: { containers, ...(nodeName && { nodeName }), ...from } });
      const { message } = await server.patch(`${pods}/${name}/resize`, { spec: to });
      assert.equal(message, reason && `pods "${name}" is forbidden: ${reason}`);
    });
  }

  for (const [placement, reason] of placements) {
    test(`devices that take from what nodes can give, with ${JSON.stringify(placement)}: ${reason ?? 'admitted'}`, async () => {
      const devices = [{ name: 'd', nodeAllocatableResources: { cpu: { mapping: { deviceMultiplier: '1' } } } }];
      const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
      const spec = { driver: 'example.com', pool, devices, ...placement };
      const { message } = await server.tryCreate(slices, { metadata: { name: 's' }, spec });
      assert.equal(message, reason && `resourceslices.resource.k8s.io "s" is forbidden: ${reason}`);
    });
  }
});

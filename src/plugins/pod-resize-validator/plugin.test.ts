import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const pods = '/api/v1/namespaces/a/pods';
const node = (name: string, os: string): readonly [string, object] => [
  '/api/v1/nodes',
  { metadata: { name, labels: { 'kubernetes.io/os': os } }, status: { allocatable: { cpu: '4', memory: '8Gi' } } },
];
const pod = (name: string, nodeName?: string): object => ({
  metadata: { name },
  spec: {
    ...(nodeName && { nodeName }),
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
  },
});

type Case = readonly [pod: string, requests: object, reason: string | undefined, cause?: string];
const cases: readonly Case[] = [
  ['linux', { cpu: '4', memory: '8Gi' }, undefined],
  ['linux', { cpu: '4001m' }, "node didn't have enough allocatable resources: cpu, requested: 4001, allocatable: 4000", 'NodeCapacity'],
  [
    'linux',
    { cpu: '5', memory: '9Gi' },
    "node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000; memory, requested: 9663676416, allocatable: 8589934592",
    'NodeCapacity',
  ],
  ['linux', { cpu: '1' }, undefined],
  ['windows', { cpu: '2' }, 'pod resize is only supported on linux nodes, node "windows" is "windows"', 'UnsupportedPlatform'],
  ['gone', { cpu: '2' }, 'node "gone" not found'],
  ['nowhere', { cpu: '5' }, undefined],
];

describe('PodResizeValidator', () => {
  const server = admissionServer({ plugins: ['PodResizeValidator'], objects: [node('linux', 'linux'), node('windows', 'windows')] });

  before(async () => {
    for (const name of ['linux', 'windows', 'gone']) await server.given(pods, pod(name, name));
    await server.given(pods, pod('nowhere'));
  });

  for (const [name, requests, reason, cause] of cases) {
    test(`a pod on ${name} that comes to want ${JSON.stringify(requests)}: ${reason ?? 'admitted'}`, async () => {
      const changes = { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi', ...requests } } }] } };
      const { message, object } = await server.patch<{ details?: { causes?: readonly object[] } }>(
        `${pods}/${name}/resize?dryRun=All`,
        changes,
      );
      assert.equal(message, reason && `pods "${name}" is forbidden: ${reason}`);
      if (cause !== undefined) assert.deepEqual(object.details?.causes, [{ reason: cause }]);
    });
  }
});

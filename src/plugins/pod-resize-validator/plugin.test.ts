import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { podResizeValidator } from './plugin.ts';

const status = { allocatable: { cpu: '4', memory: '8Gi' } };
const objects = {
  '/nodes': [
    { metadata: { name: 'linux', labels: { 'kubernetes.io/os': 'linux' } }, status },
    { metadata: { name: 'windows', labels: { 'kubernetes.io/os': 'windows' } }, status },
  ],
};
const pod = (nodeName: string, generation: number, requests: object): object => ({
  metadata: { name: 'p', generation },
  spec: { nodeName, containers: [{ name: 'c', resources: { requests } }] },
});

const cases: readonly (readonly [node: string, generation: number, requests: object, reason: string | undefined])[] = [
  ['linux', 2, { cpu: '4', memory: '8Gi' }, undefined],
  ['linux', 2, { cpu: '4001m' }, "node didn't have enough allocatable resources: cpu, requested: 4001, allocatable: 4000"],
  [
    'linux',
    2,
    { cpu: '5', memory: '9Gi' },
    "node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000; memory, requested: 9663676416, allocatable: 8589934592",
  ],
  ['linux', 1, { cpu: '5' }, undefined],
  ['windows', 2, { cpu: '1' }, 'pod resize is only supported on linux nodes, node "windows" is "windows"'],
  ['gone', 2, { cpu: '1' }, 'node "gone" not found'],
  ['', 2, { cpu: '5' }, undefined],
];
for (const [node, generation, requests, reason] of cases) {
  test(`on node "${node}", generation ${generation}, ${JSON.stringify(requests)}: ${reason ?? 'admitted'}`, async () => {
    const plugin = new PluginHarness(podResizeValidator, { objects });
    const answer = await plugin.ask({ about: '/pods/resize', object: pod(node, generation, requests), old: pod(node, 1, {}) });
    assert.equal(answer, reason && `pods "p" is forbidden: ${reason}`);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { podTopologyLabels } from './plugin.ts';

const [zone, region] = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
const objects = {
  '/nodes': [{ metadata: { name: 'n', labels: { [zone]: 'z', [region]: 'r', other: 'o' } } }, { metadata: { name: 'bare' } }],
};
const binding = (name: string, kind = 'Node'): object => ({ metadata: {}, target: { kind, name } });
const cases: readonly (readonly [name: string, about: string, object: object, labels: object | undefined])[] = [
  ['a pod on a node', '/pods', { metadata: {}, spec: { nodeName: 'n' } }, { [zone]: 'z', [region]: 'r' }],
  [
    'a pod with a zone of its own',
    '/pods',
    { metadata: { labels: { [zone]: 'q', a: 'b' } }, spec: { nodeName: 'n' } },
    { [zone]: 'z', [region]: 'r', a: 'b' },
  ],
  ['a pod on no node', '/pods', { metadata: {}, spec: {} }, undefined],
  ['a pod on a node without labels', '/pods', { metadata: {}, spec: { nodeName: 'bare' } }, undefined],
  ['a pod on a node that is not there', '/pods', { metadata: {}, spec: { nodeName: 'gone' } }, undefined],
  ['a binding to a node', '/pods/binding', binding('n'), { [zone]: 'z', [region]: 'r' }],
  ['a binding to something else', '/pods/binding', binding('n', 'Machine'), undefined],
];
for (const [name, about, object, expected] of cases) {
  test(`${name} gets ${JSON.stringify(expected ?? 'nothing')}`, async () => {
    await new PluginHarness(podTopologyLabels, { objects }).ask({ about, object });
    assert.deepEqual((object as { metadata: { labels?: object } }).metadata.labels, expected);
  });
}

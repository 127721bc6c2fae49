import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { podNodeSelector } from './plugin.ts';

const annotations = (selector: string): object => ({ 'scheduler.alpha.kubernetes.io/node-selector': selector });
const plugin = (): PluginHarness =>
  new PluginHarness(podNodeSelector, {
    configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'env=dev', listed: 'env=dev,tier=a' } },
    objects: {
      '/namespaces': [
        { metadata: { name: 'silent' } },
        { metadata: { name: 'listed' } },
        { metadata: { name: 'own', annotations: annotations('zone=b') } },
        { metadata: { name: 'odd', annotations: annotations('zone') } },
      ],
    },
  });

const cases: readonly (readonly [namespace: string, selector: object | undefined, result: object | string])[] = [
  ['silent', undefined, { env: 'dev' }],
  ['silent', { tier: 'b' }, { env: 'dev', tier: 'b' }],
  ['silent', { env: 'prod' }, 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector'],
  ['own', undefined, { zone: 'b' }],
  ['own', { env: 'prod' }, { zone: 'b', env: 'prod' }],
  ['listed', { tier: 'a' }, { env: 'dev', tier: 'a' }],
  ['listed', { tier: 'b' }, 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist'],
  ['odd', undefined, 'invalid selector: [zone]'],
  ['missing', undefined, 'namespaces "missing" not found'],
];
for (const [namespace, nodeSelector, expected] of cases) {
  test(`a pod in ${namespace} that selects ${JSON.stringify(nodeSelector ?? {})}`, async () => {
    const pod = { metadata: { name: 'p' }, spec: { ...(nodeSelector && { nodeSelector }) } };
    const refusal = await plugin().ask({ about: '/pods', object: pod, namespace });
    assert.deepEqual(refusal ?? (pod.spec as { nodeSelector?: object }).nodeSelector, expected);
  });
}

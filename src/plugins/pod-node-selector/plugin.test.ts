import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: { readonly nodeSelector?: object };
}

const namespace = (name: string, selector?: string): readonly [string, object] => [
  '/api/v1/namespaces',
  { metadata: { name, ...(selector && { annotations: { 'scheduler.alpha.kubernetes.io/node-selector': selector } }) } },
];

const cases: readonly (readonly [namespace: string, selector: object | undefined, expected: object | string])[] = [
  ['silent', undefined, { env: 'dev' }],
  ['silent', { tier: 'b' }, { env: 'dev', tier: 'b' }],
  ['silent', { env: 'prod' }, 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector'],
  ['own', undefined, { zone: 'b' }],
  ['own', { env: 'prod' }, { zone: 'b', env: 'prod' }],
  ['listed', { tier: 'a' }, { env: 'dev', tier: 'a' }],
  ['listed', { tier: 'b' }, 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist'],
  ['odd', undefined, 'invalid selector: [zone]'],
  ['missing', undefined, 'Internal error occurred: namespace missing does not exist'],
];

describe('PodNodeSelector', () => {
  const server = admissionServer({
    plugins: ['PodNodeSelector'],
    configuration: {
      PodNodeSelector: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'env=dev', listed: 'env=dev,tier=a' } },
    },
    objects: [namespace('silent'), namespace('listed'), namespace('own', 'zone=b'), namespace('odd', 'zone')],
  });

  for (const [name, nodeSelector, expected] of cases) {
    test(`a pod in ${name} that selects ${JSON.stringify(nodeSelector ?? {})}: ${JSON.stringify(expected)}`, async () => {
      const spec = { containers: [{ name: 'c', image: 'i' }], ...(nodeSelector && { nodeSelector }) };
      const { object, message } = await server.tryCreate<Pod>(`/api/v1/namespaces/${name}/pods`, { metadata: { name: 'p' }, spec });
      assert.deepEqual(message ?? object.spec.nodeSelector, expected);
    });
  }
});

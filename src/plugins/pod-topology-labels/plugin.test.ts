import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const [zone, region] = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
const pods = '/api/v1/namespaces/a/pods';
const pod = (name: string, nodeName?: string, labels?: object): object => ({
  metadata: { name, ...(labels && { labels }) },
  spec: { containers: [{ name: 'c', image: 'i' }], ...(nodeName && { nodeName }) },
});

const cases: readonly (readonly [what: string, pod: object, labels: object | undefined])[] = [
  ['a pod on a node', pod('p', 'n'), { [zone]: 'z', [region]: 'r' }],
  ['a pod with a zone of its own', pod('p', 'n', { [zone]: 'q', a: 'b' }), { [zone]: 'z', [region]: 'r', a: 'b' }],
  ['a pod on no node', pod('p'), undefined],
  ['a pod on a node without labels', pod('p', 'bare'), undefined],
  ['a pod on a node that is not there', pod('p', 'gone'), undefined],
];

describe('PodTopologyLabels', () => {
  const server = admissionServer({
    plugins: ['PodTopologyLabels'],
    objects: [
      ['/api/v1/nodes', { metadata: { name: 'n', labels: { [zone]: 'z', [region]: 'r', other: 'o' } } }],
      ['/api/v1/nodes', { metadata: { name: 'bare' } }],
    ],
  });

  for (const [what, object, expected] of cases) {
    test(`${what} gets ${JSON.stringify(expected ?? 'nothing')}`, async () => {
      const { object: created } = await server.tryCreate(pods, object);
      assert.deepEqual(created.metadata.labels, expected);
    });
  }

  const bindings: readonly (readonly [node: string, labels: object])[] = [
    ['n', { mine: 'm', [zone]: 'z', [region]: 'r' }],
    ['bare', { mine: 'm' }],
  ];
  for (const [node, expected] of bindings) {
    test(`a pod that is bound to ${node} has ${JSON.stringify(expected)}`, async () => {
      await server.given(pods, pod(`on-${node}`, undefined, { mine: 'm' }));
      const { status } = await server.create(`${pods}/on-${node}/binding`, {
        metadata: { name: `on-${node}` },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
      assert.equal(status, 201);
      assert.deepEqual((await server.read(`${pods}/on-${node}`)).metadata.labels, expected);
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from './client.ts';
import { discover, preferred, resourcePath } from './served-resources.ts';

const resource = (plural: string, kind: string, scope: string): object => ({
  resource: plural,
  singularResource: kind.toLowerCase(),
  scope,
  verbs: ['list'],
  responseKind: { kind },
});

const documents: Readonly<Record<string, object>> = {
  '/api': { items: [{ versions: [{ version: 'v1', resources: [resource('pods', 'Pod', 'Namespaced')] }] }] },
  '/apis': {
    items: [
      {
        metadata: { name: 'example.com' },
        versions: [
          { version: 'v2', resources: [resource('things', 'Thing', 'Cluster')] },
          { version: 'v1', resources: [resource('things', 'Thing', 'Cluster'), resource('relics', 'Relic', 'Namespaced')] },
        ],
      },
      { metadata: { name: 'metrics.example.com' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
    ],
  },
};
const client = { get: async (path: string) => documents[path] } as Pick<Client, 'get'> as Client;

test('discover() knows every version, and which servers gave no answer', async () => {
  const { resources, unknown } = await discover(client);
  assert.deepEqual(
    resources.map(({ group, version, kind, namespaced }) => [group, version, kind, namespaced]),
    [
      ['', 'v1', 'Pod', true],
      ['example.com', 'v2', 'Thing', false],
      ['example.com', 'v1', 'Thing', false],
      ['example.com', 'v1', 'Relic', true],
    ],
  );
  assert.deepEqual(unknown, ['metrics.example.com/v1beta1']);
});

test('preferred() has each resource once, in the first version that has it', async () => {
  const { resources } = await discover(client);
  assert.deepEqual(
    preferred(resources).map((one) => resourcePath(one)),
    ['/api/v1/pods', '/apis/example.com/v2/things', '/apis/example.com/v1/relics'],
  );
});

test('resourcePath() leaves the namespace out where there are none', async () => {
  const [pods, things] = (await discover(client)).resources;
  assert.ok(pods !== undefined && things !== undefined);
  assert.equal(resourcePath(pods, 'here', 'p'), '/api/v1/namespaces/here/pods/p');
  assert.equal(resourcePath(pods, 'here'), '/api/v1/namespaces/here/pods');
  assert.equal(resourcePath(things, 'here', 'a:b/c'), '/apis/example.com/v2/things/a%3Ab%2Fc');
});

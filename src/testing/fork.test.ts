import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/eventually.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import type { TestServer } from './index.ts';
import { startTestServer } from './index.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const things = '/apis/example.com/v1/namespaces/default/things';

const json = { 'content-type': 'application/json' };

const definition = (plural: string, kind: string): object => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    names: { plural, kind },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

async function served(server: TestServer, path: string): Promise<number> {
  return (await server.client().fetch(path)).status;
}

async function post(server: TestServer, path: string, body: object): Promise<void> {
  const response = await server.client().fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
  assert.equal(response.status, 201, await response.text());
}

test('a fork has what was made of the defaults, and credentials of one are good for the other', async () => {
  await using server = await startTestServer();
  const deleted = `${rbac}/clusterroles/system:heapster`;
  assert.equal((await server.client().fetch(deleted, { method: 'DELETE' })).status, 200);
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const token = await server.client().fetch(path, { method: 'POST', headers: json, body: '{"spec":{}}' });
  const { status } = (await token.json()) as { status: { token: string } };
  await using fork = await server.fork();
  assert.equal(await served(fork, deleted), 404);
  await using client = new RawClient({ ...fork, admin: server.admin });
  await client.json('GET', configMaps);
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const headers = { authorization: `Bearer ${status.token}` };
  const { text } = await client.call('POST', review, { as: 'nobody', headers, body: {} });
  assert.match(text, /system:serviceaccount:default:default/);
});

test('the first requests to a fork are served as the other server would', async () => {
  await using server = await startTestServer();
  await post(server, definitions, definition('things', 'Thing'));
  await until('things are served', async () => (await served(server, things)) === 200);
  await post(server, things, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
  await post(server, `${rbac}/clusterrolebindings`, {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  await post(server, '/api/v1/namespaces/default/limitranges', {
    metadata: { name: 'l' },
    spec: { limits: [{ type: 'Container', default: { cpu: '7' } }] },
  });
  await using fork = await server.fork();
  const reader = fork.client({ name: 'reader' });
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const [custom, allowed, forbidden, created] = await Promise.all([
    fork.client().fetch(`${things}/a`),
    reader.fetch(configMaps),
    reader.fetch('/api/v1/namespaces/default/secrets'),
    fork.client().resource('v1', 'Pod', 'default').create(pod),
  ]);
  assert.deepEqual([custom.status, allowed.status, forbidden.status], [200, 200, 403]);
  assert.equal(created.spec?.containers?.[0]?.resources?.limits?.['cpu'], '7');
});

test('what the origin looked after, a fork looks after: its health, and its own custom resources', async () => {
  await using server = await startTestServer();
  await using fork = await server.fork();
  await until('the fork is healthy', async () => (await served(fork, '/readyz')) === 200);
  await post(fork, definitions, definition('things', 'Thing'));
  const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com';
  await until('things have an APIService', async () => (await served(fork, apiService)) === 200);
  assert.equal(await served(server, apiService), 404);
});

test('servers that share values change them apart, at the same revisions', async () => {
  await using server = await startTestServer({ controllers: false });
  await post(server, configMaps, { metadata: { name: 'a', labels: { of: 'both' } } });
  await using fork = await server.fork();
  await using second = await fork.fork();
  const all = [server, fork, second];
  const patch = (one: TestServer, of: string): Promise<unknown> =>
    one
      .client()
      .resource('v1', 'ConfigMap', 'default')
      .patch('a', { metadata: { labels: { of } } });
  await Promise.all(all.map((one, index) => patch(one, `server-${index}`)));
  for (const [index, one] of all.entries()) {
    const found = await one.client().fetch(`${configMaps}?labelSelector=of=server-${index}`);
    assert.equal(((await found.json()) as { items: object[] }).items.length, 1);
    const others = await one.client().fetch(`${configMaps}?labelSelector=of!=server-${index}`);
    assert.equal(
      ((await others.json()) as { items: { metadata: { name: string } }[] }).items.some(({ metadata }) => metadata.name === 'a'),
      false,
    );
  }
});

test('a fork goes on when its origin has stopped', async () => {
  const server = await startTestServer();
  await post(server, configMaps, { metadata: { name: 'a' } });
  await using fork = await server.fork();
  await server.stop();
  assert.equal(await served(fork, `${configMaps}/a`), 200);
  await post(fork, configMaps, { metadata: { name: 'b' } });
});

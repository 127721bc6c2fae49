import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

test('what is switched on is served and discovered, in every version', async () => {
  await using server = await startTestServer({
    controllers: false,
    apis: { 'resource.k8s.io/v1beta1': true },
    features: { GenericWorkload: true },
  });
  await using client = new RawClient(server);
  const body = { apiVersion: 'resource.k8s.io/v1beta1', kind: 'DeviceClass', metadata: { name: 'c' }, spec: {} };
  assert.equal((await client.call('POST', '/apis/resource.k8s.io/v1beta1/deviceclasses', { body })).status, 201);
  assert.equal((await client.call('GET', '/apis/resource.k8s.io/v1/deviceclasses/c')).status, 200);
  assert.match((await client.call('GET', '/apis/resource.k8s.io')).text, /resource\.k8s\.io\/v1beta1/);
  assert.match((await client.call('GET', '/openapi/v3')).text, /resource\.k8s\.io\/v1beta1/);
  assert.equal((await client.call('GET', '/apis/scheduling.k8s.io/v1beta1/podgroups')).status, 404);
});

test('what is switched off is not, though the server goes on using it', async () => {
  await using server = await startTestServer({
    controllers: false,
    apis: { 'networking.k8s.io/v1': false, 'rbac.authorization.k8s.io/v1': false },
  });
  await using client = new RawClient(server);
  for (const path of [
    '/apis/networking.k8s.io',
    '/apis/networking.k8s.io/v1/ipaddresses',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ]) {
    assert.equal((await client.call('GET', path)).status, 404);
  }
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
  const { status, text } = await client.call('POST', '/api/v1/namespaces/default/services', { body });
  assert.equal(status, 201, text);
});

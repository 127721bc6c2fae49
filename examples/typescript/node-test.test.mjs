import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from 'wheelhouse/testing';
import { call } from './call.cjs';

let server;
before(async () => void (server = await startTestServer()));
beforeEach(() => server.reset());
after(() => server.stop());

const pods = '/api/v1/namespaces/default/pods';
const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };

test('a pod gets the defaults of Kubernetes', async () => {
  const { status, object } = await call(server, 'POST', pods, pod);
  assert.equal(status, 201);
  assert.equal(object.spec.restartPolicy, 'Always');
});

test('every test begins with an empty namespace', async () => {
  assert.equal((await call(server, 'GET', `${pods}/web`)).status, 404);
});

test('the API explains itself offline', async () => {
  const { object } = await call(server, 'GET', '/openapi/v3/api/v1');
  assert.match(object.components.schemas['io.k8s.api.core.v1.Pod'].description, /^Pod is /);
});

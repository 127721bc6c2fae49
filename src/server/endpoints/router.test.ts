import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  for (const name of ['a', 'b']) await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/a';
  await client.call('POST', `${rbac}/roles`, { body: { metadata: { name: 'all' }, rules: everything } });
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'admin-of-a' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' };
  await client.call('POST', `${rbac}/rolebindings`, { body: { metadata: { name: 'all' }, subjects, roleRef } });
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

async function statusOf(user: string, method: string, path: string, body?: object): Promise<number> {
  const as = user === 'admin' ? {} : { 'impersonate-user': user };
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const { status } = await client.call(method, path, { headers: { ...as, ...type }, ...(body && { body }) });
  return status;
}

const namespaceB = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b', labels: { taken: 'over' } } };
const elsewhere = [
  ['GET', '/api/v1/namespaces/a/namespaces/b'],
  ['GET', '/api/v1/namespaces/a/namespaces'],
  ['PUT', '/api/v1/namespaces/a/namespaces/b'],
  ['PATCH', '/api/v1/namespaces/a/namespaces/b'],
  ['DELETE', '/api/v1/namespaces/a/namespaces/b'],
  ['PUT', '/api/v1/namespaces/a/namespaces/b/status'],
  ['PUT', '/api/v1/namespaces/a/namespaces/b/finalize'],
  ['POST', '/api/v1/namespaces/a/namespaces'],
  ['GET', '/api/v1/watch/namespaces/a/namespaces/b'],
  ['GET', '/api/v1/watch/namespaces/a/namespaces'],
  ['GET', '/api/v1/namespaces/a/namespaces?watch=1&timeoutSeconds=1'],
  ['GET', '/api/v1/namespaces/a/componentstatuses'],
  ['GET', '/api/v1/namespaces/a/componentstatuses/scheduler'],
  ['POST', '/apis/authentication.k8s.io/v1/namespaces/a/tokenreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/a/subjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/a/selfsubjectaccessreviews'],
  ['GET', '/api/v1/namespaces/a/nodes'],
] as const;

for (const [method, path] of elsewhere) {
  test(`${method} ${path} leads nowhere, for the admin of a namespace as for everybody`, async () => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : namespaceB;
    assert.equal(await statusOf('admin-of-a', method, path, body), 404);
    assert.equal(await statusOf('admin', method, path, body), 404);
    const kept = await client.json<{ metadata: { labels: Record<string, string> } }>('GET', '/api/v1/namespaces/b');
    assert.equal(kept.metadata.labels['taken'], undefined);
  });
}

const places: readonly (readonly [string, string, number])[] = [
  ['GET', '/api/v1/namespaces/a', 200],
  ['GET', '/api/v1/namespaces/a/status', 200],
  ['GET', '/api/v1/namespaces/a/status/more', 404],
  ['GET', '/api/v1/namespaces/a/finalize', 405],
  ['GET', '/api/v1/configmaps', 200],
  ['POST', '/api/v1/configmaps', 405],
  ['DELETE', '/api/v1/configmaps', 405],
  ['GET', '/api/v1/configmaps/x', 404],
  ['PUT', '/api/v1/namespaces/a/configmaps', 405],
  ['POST', '/api/v1/namespaces/a/configmaps/x', 405],
  ['GET', '/api/v1/namespaces/a/configmaps/x/status', 404],
  ['GET', '/api/v1/namespaces/a/pods/x/status/more', 404],
  ['GET', '/api/v1/namespaces/a/pods//status', 400],
  ['GET', '/api/v1/namespaces/a/pods/x/log/more', 404],
  ['HEAD', '/api/v1/namespaces/a/configmaps', 405],
  ['POST', '/api/v1/watch/namespaces/a/configmaps', 405],
  ['GET', '/api/v1/watch/configmaps/x', 404],
  ['GET', '/api/v1/watch/namespaces/a/pods/x/status', 404],
  ['GET', '/api/v1/proxy/namespaces/a/pods/x', 404],
  ['GET', '//api/v1/namespaces/a', 404],
  ['GET', '/api/v1/namespaces/a/', 200],
  ['PUT', '/api/v1/namespaces/a/bindings/x', 404],
  ['PUT', '/api/v1/namespaces/a/bindings', 405],
  ['GET', '/apis/authentication.k8s.io/v1/tokenreviews/x', 404],
  ['GET', '/apis/authentication.k8s.io/v1/tokenreviews', 405],
  ['GET', '/api/v1/componentstatuses', 200],
  ['GET', '/api/v1/watch/componentstatuses', 404],
];

for (const [method, path, expected] of places) {
  test(`${method} ${path} has status ${expected}`, async () => {
    assert.equal(await statusOf('admin', method, path), expected);
  });
}

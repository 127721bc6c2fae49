import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Refusal {
  readonly reason: string;
  readonly details: { readonly causes?: readonly object[] };
}
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const namespaces = '/api/v1/namespaces';
const configMap = { metadata: { name: 'x' } };

describe('NamespaceLifecycle', () => {
  const server = admissionServer({ plugins: ['NamespaceLifecycle'] });

  before(async () => {
    await server.given(namespaces, { metadata: { name: 'going' } });
    await server.given(`${namespaces}/going/configmaps`, { metadata: { name: 'old' } });
    await server.remove(`${namespaces}/going`);
  });

  test('nothing is created in a namespace that is not there', async () => {
    const { status, message } = await server.create(`${namespaces}/gone/configmaps`, configMap);
    assert.deepEqual([status, message], [404, 'namespaces "gone" not found']);
  });

  test('a namespace counts as soon as it is there', async () => {
    await server.given(namespaces, { metadata: { name: 'new' } });
    assert.equal((await server.create(`${namespaces}/new/configmaps`, configMap)).status, 201);
  });

  test('nothing is created in a namespace that is being deleted, and clients can tell why', async () => {
    const { status, message, object } = await server.create<Refusal>(`${namespaces}/going/configmaps`, configMap);
    assert.deepEqual(
      [status, message],
      [403, 'configmaps "x" is forbidden: unable to create new content in namespace going because it is being terminated'],
    );
    assert.equal(object.reason, 'Forbidden');
    assert.deepEqual(object.details.causes, [
      { reason: 'NamespaceTerminating', message: 'namespace going is being terminated', field: 'metadata.namespace' },
    ]);
  });

  test('what a namespace that is being deleted contains may change and go', async () => {
    const path = `${namespaces}/going/configmaps/old`;
    assert.equal((await server.patch(path, { data: { a: 'b' } })).status, 200);
    assert.equal((await server.remove(path)).status, 200);
  });

  test('a review of access asks about a namespace and puts nothing into it', async () => {
    const spec = { user: 'jo', resourceAttributes: { namespace: 'gone', verb: 'get', resource: 'pods' } };
    const path = '/apis/authorization.k8s.io/v1/namespaces/gone/localsubjectaccessreviews';
    assert.equal((await server.create(path, { metadata: { namespace: 'gone' }, spec })).status, 201);
  });

  for (const name of ['default', 'kube-system', 'kube-public']) {
    test(`the namespace ${name} may not be deleted`, async () => {
      const { status, message } = await server.remove(`${namespaces}/${name}`);
      assert.deepEqual([status, message], [403, `namespaces "${name}" is forbidden: this namespace may not be deleted`]);
    });
  }

  test('other namespaces may, that of the leases of nodes among them', async () => {
    assert.equal((await server.remove(`${namespaces}/kube-node-lease`)).status, 200);
  });

  test('what is in no namespace is not looked at', async () => {
    assert.equal((await server.create('/api/v1/nodes', { metadata: { name: 'n' } })).status, 201);
  });
});

test('what is left of a namespace that is not there may change', async () => {
  await using storage = createMemoryStorage();
  await using server = await startApiServer({ storage });
  await using client = new RawClient(server);
  const left = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'left', namespace: 'gone', uid: 'u' } };
  const value = Buffer.from(JSON.stringify(left));
  await storage.transact([{ type: 'put', key: '/registry/configmaps/gone/left', value, expect: 0 }]);
  const { status } = await client.call('PUT', '/api/v1/namespaces/gone/configmaps/left', { body: { ...left, data: { k: 'v' } } });
  assert.equal(status, 200);
});

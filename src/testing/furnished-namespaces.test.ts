import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../server/registry/definition.ts';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const authority = '/api/v1/namespaces/mine/configmaps/kube-root-ca.crt';
const account = '/api/v1/namespaces/mine/serviceaccounts/default';

/** The object, once it is there and is as it should be; a test that waits in vain runs into its time limit. */
async function settled(client: RawClient, path: string, holds: (object: KubeObject) => boolean = () => true): Promise<KubeObject> {
  for (;;) {
    const { status, text } = await client.call('GET', path);
    const object = JSON.parse(text) as KubeObject;
    if (status === 200 && holds(object)) return object;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('every namespace has a service account and knows the authority, whatever is done to them', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: true });
  await using client = new RawClient(server);
  await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'mine' } } });
  const first = await settled(client, account);
  const published = await settled(client, authority);
  assert.deepEqual(published['data'], { 'ca.crt': server.authority.certificate });
  assert.deepEqual(
    published.metadata.managedFields?.map(({ manager }) => manager),
    ['kube-controller-manager'],
  );

  await client.call('DELETE', account);
  await settled(client, account, ({ metadata }) => metadata.uid !== first.metadata.uid);
  await client.call('DELETE', authority);
  const again = await settled(client, authority, ({ metadata }) => metadata.uid !== published.metadata.uid);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const body = { data: { 'ca.crt': 'mine', more: 'x' }, metadata: { annotations: { own: 'kept', 'kubernetes.io/description': null } } };
  await client.call('PATCH', authority, { body, headers });
  const { metadata } = await settled(client, authority, ({ data }) => Object.keys(data as object).length === 1);
  assert.equal(metadata.uid, again.metadata.uid);
  assert.deepEqual(Object.keys(metadata.annotations ?? {}).toSorted(), ['kubernetes.io/description', 'own']);
});

test('namespaces are furnished again after a server was put back to its beginning', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: true });
  await using client = new RawClient(server);
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  await settled(client, path);
  await server.reset();
  await settled(client, path);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Namespace } from '../../schema/types/core-v1.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { eventually, until as untilHolds } from '../../../test/support/eventually.ts';

const merge = { 'content-type': 'application/merge-patch+json' };

// Whatever waits in vain runs into the time limit.
describe('the namespace controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: ['namespace-controller', 'serviceaccount-controller'] });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await client.call('POST', path, { body });
    assert.equal(status, 201, text);
  }

  async function found(name: string): Promise<void> {
    await create('/api/v1/namespaces', { metadata: { name } });
    const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
    await untilHolds('the service account is there', async () => (await client.call('GET', account)).status === 200);
  }

  const until = (name: string, holds: (namespace: Namespace) => boolean): Promise<Namespace> =>
    eventually(`what namespace ${name} is to be`, async () => {
      const namespace = await client.json<Namespace>('GET', `/api/v1/namespaces/${name}`);
      return holds(namespace) ? namespace : undefined;
    });

  const untilGone = (name: string): Promise<void> =>
    untilHolds(`namespace ${name} is gone`, async () => (await client.call('GET', `/api/v1/namespaces/${name}`)).status === 404);

  const conditionsOf = ({ status }: Namespace): Record<string, string> =>
    Object.fromEntries((status.conditions ?? []).map((condition) => [condition.type, `${condition.status} ${condition.message}`]));

  test('empties a namespace that is deleted, and lets it go', async () => {
    await found('full');
    const containers = [{ name: 'c', image: 'example.com/x' }];
    await create('/api/v1/namespaces/full/pods', { metadata: { name: 'pod' }, spec: { containers } });
    await create('/api/v1/namespaces/full/configmaps', { metadata: { name: 'settings' } });
    await create('/apis/coordination.k8s.io/v1/namespaces/full/leases', { metadata: { name: 'lease' }, spec: {} });
    await client.call('DELETE', '/api/v1/namespaces/full');
    await untilGone('full');
    for (const path of ['/api/v1/pods', '/api/v1/configmaps', '/api/v1/serviceaccounts', '/apis/coordination.k8s.io/v1/leases']) {
      const { items } = await client.json<{ items: { metadata: { namespace: string } }[] }>('GET', path);
      assert.deepEqual(
        items.filter(({ metadata }) => metadata.namespace === 'full'),
        [],
        path,
      );
    }
  });

  test('says what holds a namespace, and goes on when that is gone', async () => {
    await found('held');
    const path = '/api/v1/namespaces/held/configmaps';
    await create(path, { metadata: { name: 'one', finalizers: ['example.com/hold'] } });
    await create(path, { metadata: { name: 'two', finalizers: ['example.com/hold'] } });
    await client.call('DELETE', '/api/v1/namespaces/held');
    const both = await until('held', ({ status }) => status.conditions?.length === 5);
    assert.match(conditionsOf(both)['NamespaceContentRemaining'] ?? '', /^True .*: configmaps\. has 2 resource instances$/);
    assert.match(conditionsOf(both)['NamespaceFinalizersRemaining'] ?? '', /^True .*: example\.com\/hold in 2 resource instances$/);
    await client.call('PATCH', `${path}/one`, { body: { metadata: { finalizers: null } }, headers: merge });
    await until('held', (namespace) => /has 1 resource/.test(conditionsOf(namespace)['NamespaceContentRemaining'] ?? ''));
    await client.call('PATCH', `${path}/two`, { body: { metadata: { finalizers: null } }, headers: merge });
    await untilGone('held');
  });

  test('leaves everything else alone while there are pods', async () => {
    await found('running');
    const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'example.com/x' }] };
    await create('/api/v1/namespaces/running/pods', { metadata: { name: 'pod' }, spec });
    await create('/api/v1/namespaces/running/configmaps', { metadata: { name: 'settings' } });
    await client.call('DELETE', '/api/v1/namespaces/running');
    await until('running', ({ status }) => status.conditions?.length === 5);
    const { metadata } = await client.json<{ metadata: object }>('GET', '/api/v1/namespaces/running/configmaps/settings');
    assert.ok(!('deletionTimestamp' in metadata));
    await client.call('DELETE', '/api/v1/namespaces/running/pods/pod', { body: { gracePeriodSeconds: 0 } });
    await untilGone('running');
  });

  test('leaves the namespace to others who have finalizers on it', async () => {
    await found('others');
    const path = '/api/v1/namespaces/others';
    await client.call('PATCH', path, { body: { metadata: { finalizers: ['example.com/hold'] } }, headers: merge });
    await client.call('DELETE', path);
    const emptied = await until('others', ({ spec }) => spec.finalizers === undefined);
    assert.deepEqual(new Set(emptied.status.conditions?.map(({ status }) => status)), new Set(['False']));
    await client.call('PATCH', path, { body: { metadata: { finalizers: null } }, headers: merge });
    await untilGone('others');
  });
});

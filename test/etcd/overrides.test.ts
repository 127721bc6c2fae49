import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiServer } from '../../src/index.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { RawClient } from '../support/raw-client.ts';
import { EtcdProcess } from './etcd-process.ts';

async function keysOf(endpoint: string): Promise<string[]> {
  await using storage = await openEtcdStorage({ endpoints: [endpoint], compactionIntervalMs: 0 });
  const { items } = await storage.list('/registry/');
  return items.map(({ key }) => key.slice('/registry/'.length));
}

const core = { group: '', resource: '' };

test('single resources are kept in other etcd clusters, and their health counts', { timeout: 120_000 }, async () => {
  await using main = await EtcdProcess.start();
  await using other = await EtcdProcess.start();
  const [backend, elsewhere] = [{ etcd: { endpoints: [main.endpoint] } }, [other.endpoint]];
  const overrides = ['events', 'configmaps', 'endpoints'].map((resource) => ({ of: { ...core, resource }, endpoints: elsewhere }));
  await using server = await startApiServer({
    storage: { backend, overrides, healthTimeoutMs: 500, readyTimeoutMs: 500 },
    serving: { advertiseAddress: '10.1.0.1' },
  });
  await using client = new RawClient(server);
  const created = await client.call('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'a' } } });
  assert.equal(created.status, 201);
  const event = { metadata: { name: 'e' }, regarding: { namespace: 'default' }, reportingController: 'x.y/z', reportingInstance: 'i' };
  const body = { ...event, action: 'a', reason: 'r', type: 'Normal', eventTime: '2026-01-01T00:00:00.000000Z' };
  const recorded = await client.call('POST', '/apis/events.k8s.io/v1/namespaces/default/events', { body });
  assert.equal(recorded.status, 201, recorded.text);
  const [there, here] = [await keysOf(other.endpoint), await keysOf(main.endpoint)];
  assert.deepEqual(
    there.filter((key) => !key.startsWith('configmaps/kube-')),
    ['configmaps/default/a', 'events/default/e', 'services/endpoints/default/kubernetes'],
  );
  assert.ok(here.includes('masterleases/10.1.0.1'), here.join());
  assert.ok(!here.some((key) => /^(configmaps|events|services\/endpoints)\//.test(key)), here.join());
  const names = async (): Promise<string> => (await client.call('GET', '/readyz?verbose')).text;
  assert.match(await names(), /\]etcd-readiness ok\n\[\+\]etcd-override-0 ok\n\[\+\]etcd-override-readiness-0 ok\n\[\+\]informer-sync ok/);
  await other[Symbol.asyncDispose]();
  assert.match(await names(), /\+\]etcd ok\n.*\n\[-\]etcd-override-0 failed: reason withheld\n\[-\]etcd-override-readiness-0 failed/);
});

test('a service is not kept apart from its addresses', { timeout: 60_000 }, async () => {
  await using main = await EtcdProcess.start();
  const overrides = [{ of: { ...core, resource: 'services' }, endpoints: [main.endpoint] }];
  await assert.rejects(startApiServer({ storage: { backend: { etcd: { endpoints: [main.endpoint] } }, overrides } }), {
    message: /^--etcd-servers-overrides: \/services and networking\.k8s\.io\/ipaddresses need the same servers/,
  });
  await assert.rejects(startApiServer({ storage: { overrides } }), { message: /^--etcd-servers-overrides needs --etcd-servers/ });
});

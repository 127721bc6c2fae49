import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../test/support/raw-client.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import type { ApiServerOptions, RunningApiServer } from '../index.ts';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { until } from '../../test/support/eventually.ts';

const timeout = 30_000;
const validity = { from: new Date(Date.now() - 1000), to: new Date(Date.now() + 3_600_000) };
const proxyAuthority = createAuthority({ commonName: 'front-proxy-ca' }, validity);
const proxyClient = issueCertificate(proxyAuthority, { subject: { commonName: 'front-proxy-client' }, uses: ['client'], validity });
const authority = createAuthority({ commonName: 'serving-ca' }, validity);
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Knows front proxies, and passes on what it does not serve. */
function start(storage: Storage, options: ApiServerOptions): Promise<RunningApiServer> {
  const frontProxy = {
    authorities: proxyAuthority.certificate,
    allowedNames: ['front-proxy-client'],
    userHeaders: ['X-Remote-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group'],
    extraPrefixes: ['X-Remote-Extra-'],
  };
  const aggregation = { client: proxyClient, peerAuthorities: authority.certificate };
  return startApiServer({ storage, authority, controllers: false, authentication: { frontProxy }, aggregation, ...options });
}

/** Makes a server believe in another one; in one process all have the same host, so that they cannot find each other by themselves. */
async function introduce(client: RawClient, storage: Storage, port: number): Promise<void> {
  const value = {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { labels: { apiserverIdentity: 'apiserver-other' } },
    subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
  };
  await storage.transact([{ type: 'put', key: '/registry/peerserverleases/apiserver-other', value: Buffer.from(JSON.stringify(value)) }]);
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  const now = new Date().toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: 'apiserver-other_1', leaseDurationSeconds: 3600, renewTime: now };
  const { status } = await client.call('POST', leases, { body: { metadata: { name: 'apiserver-other', labels }, spec } });
  assert.equal(status, 201);
}

test('what only a peer serves is passed on to it, as the user, once; discovery shows both', { timeout }, async () => {
  await using storage = createMemoryStorage();
  await using whole = await start(storage, {});
  await using part = await start(storage, { apis: { 'apps/v1': false } });
  await using client = new RawClient(part);
  const groups = async (profile: string): Promise<string[]> => {
    const { text } = await client.call('GET', '/apis', { headers: { accept: aggregated + profile } });
    return (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
  };
  assert.equal((await client.call('GET', deployments)).status, 404);
  await introduce(client, storage, whole.port);
  await until('deployments are 200', async () => (await client.call('GET', deployments)).status === 200);
  assert.ok((await groups('')).includes('apps'));
  assert.ok(!(await groups(';profile=nopeer')).includes('apps'));

  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  };
  const created = await client.call('POST', deployments, {
    body: { metadata: { name: 'd' }, spec },
    headers: { 'x-remote-user': 'somebody' },
  });
  assert.equal(created.status, 201);
  const watched = await client.call('GET', `${deployments}?watch=true`, { until: '"ADDED"' });
  assert.match(watched.text, /"name":"d"/);
  const whoAmI = await client.call('GET', deployments, { as: 'nobody' });
  assert.equal(whoAmI.status, 403, 'who may not here is not passed on');
  const twice = await client.call('GET', deployments, { headers: { 'x-kubernetes-peer-proxied': 'true' } });
  assert.equal(twice.status, 404);

  const metrics = (await client.call('GET', '/metrics')).text;
  assert.match(metrics, /apiserver_rerouted_request_total\{code="201",group="apps",resource="deployments",version="v1"\} 1/);
  const ready = (await client.call('GET', '/readyz?verbose')).text;
  for (const hook of ['mixed-version-proxy-handler', 'local-discovery-cache-sync', 'peer-discovery-workers'])
    assert.match(ready, new RegExp(`poststarthook/${hook} ok`));

  await client.call('DELETE', `${leases}/apiserver-other`);
  await until('deployments are 404', async () => (await client.call('GET', deployments)).status === 404);
});

test('a peer that is gone without its lease is a 503, and so is one that says nowhere that it is', { timeout }, async () => {
  await using storage = createMemoryStorage();
  const whole = await start(storage, {});
  await using part = await start(storage, { apis: { 'apps/v1': false } });
  await using client = new RawClient(part);
  await introduce(client, storage, whole.port);
  await until('deployments are 200', async () => (await client.call('GET', deployments)).status === 200);
  await whole.stop();
  const gone = await client.call('GET', deployments);
  assert.equal(gone.status, 503);
  assert.match(gone.text, /^error trying to reach service: dial tcp 127\.0\.0\.1:\d+: connect: connection refused\n$/);
  await storage.transact([{ type: 'delete', key: '/registry/peerserverleases/apiserver-other' }]);
  const nowhere = await client.call('GET', deployments);
  assert.equal(nowhere.status, 503);
  assert.match(nowhere.text, /"message":"Error getting ip and port info of the remote server while proxying"/);
});

test('custom resources are those of this server, whatever a peer said of them', { timeout }, async () => {
  await using storage = createMemoryStorage();
  // A store of its own, as if its definitions had been deleted since.
  await using others = createMemoryStorage();
  await using whole = await start(others, {});
  await using part = await start(storage, { apis: { 'apps/v1': false } });
  await using client = new RawClient(part);
  await using other = new RawClient(whole);
  const schema = { openAPIV3Schema: { type: 'object' } };
  const body = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  for (const one of [client, other]) {
    assert.equal((await one.call('POST', definitions, { body })).status, 201);
    await until('widgets are 200', async () => (await one.call('GET', widgets)).status === 200);
  }
  await introduce(client, storage, whole.port);
  await until('deployments are 200', async () => (await client.call('GET', deployments)).status === 200);
  await client.call('DELETE', `${definitions}/widgets.example.com`);
  await until('widgets are 404', async () => (await client.call('GET', widgets)).status === 404);
  assert.equal((await other.call('GET', widgets)).status, 200);
});

test('a server says where peers reach it, by a lease that it takes away when it stops', { timeout }, async () => {
  await using storage = createMemoryStorage();
  const stored = async (): Promise<string[]> => {
    const { items } = await storage.list('/registry/peerserverleases/');
    return items.map(({ value }) => JSON.stringify((JSON.parse(value.toString()) as { subsets: object }).subsets));
  };
  const server = await start(storage, { serving: { advertiseAddress: '10.1.0.1', peerAddress: { host: '10.1.0.2', port: 99 } } });
  await until('something is stored', async () => (await stored()).length > 0);
  assert.deepEqual(await stored(), ['[{"addresses":[{"ip":"10.1.0.2"}],"ports":[{"name":"https","port":99,"protocol":"TCP"}]}]']);
  await server.stop();
  assert.deepEqual(await stored(), []);
});

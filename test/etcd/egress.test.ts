import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startApiServer } from '../../src/index.ts';
import { ConnectProxy } from '../support/connect-proxy.ts';
import { KonnectivityServer } from '../support/konnectivity-server.ts';
import { RawClient } from '../support/raw-client.ts';
import { EtcdProcess } from './etcd-process.ts';

const root = await mkdtemp(join(tmpdir(), 'etcd-egress-'));
after(() => rm(root, { recursive: true, force: true }));

async function exercise(connection: string, endpoint: string): Promise<void> {
  const file = join(root, 'egress.yaml');
  await writeFile(
    file,
    `apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\negressSelections:\n- name: etcd\n  connection: ${connection}\n`,
  );
  await using server = await startApiServer({ egress: { file }, storage: { etcd: { endpoints: [endpoint] } } });
  await using client = new RawClient(server);
  const data = { big: 'x'.repeat(900_000) };
  for (let index = 0; index < 20; index++) {
    const made = await client.call('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: `c${index}` }, data } });
    assert.equal(made.status, 201, made.text);
  }
  const listed = await client.call('GET', '/api/v1/namespaces/default/configmaps');
  assert.ok(listed.text.length > 18_000_000);
}

test('etcd is reached through a proxy that takes CONNECT', { timeout: 120_000 }, async () => {
  await using etcd = await EtcdProcess.start();
  await using proxy = new ConnectProxy();
  const port = await proxy.listen();
  await exercise(`{proxyProtocol: HTTPConnect, transport: {tcp: {url: "http://127.0.0.1:${port}"}}}`, etcd.endpoint);
  assert.deepEqual([...new Set(proxy.asked)], [`127.0.0.1:${etcd.clientPort}`]);
});

test('etcd is reached through konnectivity', { timeout: 120_000 }, async () => {
  await using etcd = await EtcdProcess.start();
  await using proxy = new KonnectivityServer();
  const path = join(root, 'k.sock');
  await proxy.listen(path);
  await exercise(`{proxyProtocol: GRPC, transport: {uds: {udsName: ${path}}}}`, etcd.endpoint);
  assert.deepEqual([...new Set(proxy.asked)], [`127.0.0.1:${etcd.clientPort}`]);
});

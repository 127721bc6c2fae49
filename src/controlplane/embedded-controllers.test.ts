import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../base/log.ts';
import { silentLogger } from '../base/log.ts';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { controllerNames } from './controller-names.ts';
import { controllers } from './controllers.ts';
import { until } from '../../test/support/eventually.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const lease = (renewTime: string): object => ({
  metadata: { name: 'kube-controller-manager' },
  spec: { holderIdentity: 'somebody', leaseDurationSeconds: 15, renewTime, acquireTime: renewTime, leaseTransitions: 0 },
});

function listen(): { log: Logger; heard: (message: string) => Promise<void> } {
  const lines: string[] = [];
  let wake = (): void => {};
  const write = (line: string): void => {
    lines.push(line);
    wake();
  };
  const log: Logger = { ...silentLogger, info: write, warn: write, named: () => log };
  const heard = async (message: string): Promise<void> => {
    while (!lines.some((line) => line.includes(message))) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { log, heard };
}

test('every controller goes by its name', () => {
  const signer = { authority: { certificate: '', key: '' }, durationMs: 1 };
  const all = controllers({ rootAuthority: '', signSecretToken: () => '', signer, unusedTokenMs: 1 });
  assert.deepEqual(Object.keys(all), [...controllerNames]);
  for (const [name, controller] of Object.entries(all)) assert.equal(controller?.name, name);
});

test('controllers end when a kube-controller-manager sets to work, and do not begin while it is there', { timeout: 30_000 }, async () => {
  const { log, heard } = listen();
  await using server = await startTestServer({ controllers: true, log });
  await using client = new RawClient(server);
  await heard('embedded controllers start');
  await client.call('POST', leases, { body: lease('2020-01-01T00:00:00.000000Z') });
  await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'first' } } });
  const account = (namespace: string): Promise<number> =>
    client.call('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`).then(({ status }) => status);
  await until('there is a service account', async () => (await account('first')) === 200);

  const body = lease(new Date().toISOString().replace('Z', '000Z'));
  const headers = { 'content-type': 'application/merge-patch+json' };
  assert.equal((await client.call('PATCH', `${leases}/kube-controller-manager`, { body, headers })).status, 200);
  await heard('embedded controllers stay off');
  await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'second' } } });
  assert.equal(await account('second'), 404);
  await using fork = await server.fork();
  await using other = new RawClient(fork);
  await other.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'third' } } });
  assert.equal((await other.call('GET', '/api/v1/namespaces/third/serviceaccounts/default')).status, 404);
});

test('a server stops while its controllers are still starting', { timeout: 30_000 }, async () => {
  const { log, heard } = listen();
  for (const turns of [0, 1, 2, 5, 10, 20]) {
    const server = await startTestServer({ controllers: true, log });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
  }
  await using last = await startTestServer({ controllers: true, log });
  await heard('embedded controllers start');
  await last.stop();
});

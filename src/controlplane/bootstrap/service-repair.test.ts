import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { ManualClock } from '../../base/clock.ts';
import { startApiServer } from '../../index.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

test('a service that changes while its address is missing gets the address back at once, not with the next round', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await startApiServer({ clock });
  await using client = new RawClient(server);
  const made = await client.call('POST', services, { body: { metadata: { name: 'a' }, spec: { ports: [{ port: 1 }] } } });
  const { clusterIP } = (JSON.parse(made.text) as { spec: { clusterIP: string } }).spec;
  const address = async (): Promise<number> => (await client.call('GET', `${addresses}/${clusterIP}`)).status;
  assert.equal((await client.call('DELETE', `${addresses}/${clusterIP}`)).status, 200);
  assert.equal(await address(), 404);
  const body = { metadata: { labels: { a: 'b' } } };
  await client.call('PATCH', `${services}/a`, { body, headers: { 'content-type': 'application/merge-patch+json' } });
  // Less than a round in all, however often the clock has to be asked.
  for (let step = 0; step < 60 && (await address()) === 404; step++) clock.advance(1000);
  await until('the address is there again', async () => (await address()) === 200);
  assert.match((await client.call('GET', `${addresses}/${clusterIP}`)).text, /"parentRef":\{[^}]*"name":"a"/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { turnsOf } from '../../../test/support/turns.ts';
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { startApiServer } from '../../index.ts';
import type { OwnWrites } from '../../server/registry/context.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { ServiceRepair } from './service-repair.ts';

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

test('an address that is given back to its service passes admission, and what is refused is tried again', async () => {
  const clock = new ManualClock(Date.now());
  await using server = await startApiServer({ clock });
  await using client = new RawClient(server);
  const admission = '/apis/admissionregistration.k8s.io/v1';
  const rule = { apiGroups: ['networking.k8s.io'], apiVersions: ['*'], resources: ['ipaddresses'], operations: ['CREATE'] };
  const addressOf = async (name: string): Promise<string> => {
    const made = await client.call('POST', services, { body: { metadata: { name }, spec: { ports: [{ port: 1 }] } } });
    return (JSON.parse(made.text) as { spec: { clusterIP: string } }).spec.clusterIP;
  };
  const [refused, other] = [await addressOf('refused'), await addressOf('other')];
  for (const [plural, spec] of [
    [
      'validatingadmissionpolicies',
      { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: `object.metadata.name != '${refused}'` }] },
    ],
    ['validatingadmissionpolicybindings', { policyName: 'no', validationActions: ['Deny'] }],
  ] as const) {
    assert.equal((await client.call('POST', `${admission}/${plural}`, { body: { metadata: { name: 'no' }, spec } })).status, 201);
  }
  for (const address of [refused, other]) assert.equal((await client.call('DELETE', `${addresses}/${address}`)).status, 200);
  const has = async (address: string): Promise<boolean> => {
    clock.advance(60_000);
    return (await client.call('GET', `${addresses}/${address}`)).status === 200;
  };
  await until('the other one is there', () => has(other));
  assert.equal(await has(refused), false);
  assert.equal((await client.call('DELETE', `${admission}/validatingadmissionpolicybindings/no`)).status, 200);
  await until('it is there when it is no longer refused', () => has(refused));
});

test('a round among many services and addresses lets others through, and keeps what is in order', async (context) => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const labels = { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
  const objects = {
    services: numbers.map((number) => ({
      metadata: { namespace: 'default', name: `s${number}` },
      spec: { clusterIP: `10.0.0.${number}`, ports: [{ port: 1, nodePort: 30000 + number }] },
    })),
    ipaddresses: numbers.map((number) => ({
      metadata: { name: `10.0.0.${number}`, labels },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: `s${number}` } },
    })),
  };
  await using storage = createMemoryStorage();
  // Nothing else is asked for: no object is read alone, and none is written.
  const reader = {
    list: (_group: string, plural: keyof typeof objects) => Promise.resolve(objects[plural]),
    resource: () => ({ store: { storage } }),
  } as unknown as ObjectReader;
  const repair = new ServiceRepair({
    reader,
    writer: {} as OwnWrites,
    clock: new ManualClock(Date.now()),
    log: silentLogger,
    nodePorts: { first: 30000, size: 100 },
    storagePrefix: '/registry',
    metrics: new MetricsRegistry(),
  });
  const { turns } = await turnsOf(context, () => repair.run());
  // Each service is read, and its ports and addresses are looked at; each address is.
  assert.ok(turns >= 200, `${turns} turns of the event loop for 50 services`);
});

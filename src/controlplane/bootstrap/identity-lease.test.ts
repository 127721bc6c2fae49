import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import type { ApiServerOptions } from '../../index.ts';
import { startApiServer } from '../../index.ts';
import type { Lease } from '../../schema/types/coordination-v1.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { identityOf } from './identity-lease.ts';

const timeout = 20_000;
const prefix = '/registry/leases/kube-system/';
const key = `${prefix}${identityOf(hostname())}`;
const own = { controllers: false, serving: { advertiseAddress: '10.1.0.1' } } as const satisfies ApiServerOptions;

async function leaseAt(storage: Storage, at = key): Promise<Lease | undefined> {
  const { kv } = await storage.get(at);
  return kv && (JSON.parse(kv.value.toString()) as Lease);
}

/** Moves the clock until it is so; a test that waits in vain runs into its time limit. */
async function until(clock: ManualClock, stepMs: number, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

test('identityOf() is the name that upstream gives to a server of this host', () => {
  assert.equal(identityOf('vm'), 'apiserver-wlv32tlttr4jl3gtroqexyxapa');
});

test('a server has an identity Lease from its start to its stop, and renews it', { timeout }, async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using storage = createMemoryStorage({ clock });
  const server = await startApiServer({ ...own, clock, storage });
  const lease = await leaseAt(storage);
  assert.deepEqual(lease?.metadata.labels, { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': hostname() });
  assert.deepEqual(lease?.metadata.annotations, { 'kubernetes.io/peer-advertise-address': `10.1.0.1:${server.port}` });
  assert.match(lease?.spec?.holderIdentity ?? '', new RegExp(`^${identityOf(hostname())}_[0-9a-f-]{36}$`));
  assert.equal(lease?.spec?.leaseDurationSeconds, 3600);
  assert.equal(lease?.spec?.renewTime, '2026-01-01T00:00:00.000000Z');
  await until(clock, 1000, async () => (await leaseAt(storage))?.spec?.renewTime !== lease?.spec?.renewTime);
  assert.equal((await leaseAt(storage))?.spec?.holderIdentity, lease?.spec?.holderIdentity);
  await storage.transact([{ type: 'delete', key }]);
  await until(clock, 1000, async () => (await leaseAt(storage)) !== undefined);
  await server.stop();
  assert.equal(await leaseAt(storage), undefined);
});

test('Leases of servers that are no more are taken away, others stay', { timeout }, async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using storage = createMemoryStorage({ clock });
  const put = async (name: string, labels: object, spec: object): Promise<void> => {
    const lease = {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name, namespace: 'kube-system', labels, uid: name },
      spec,
    };
    await storage.transact([{ type: 'put', key: prefix + name, value: Buffer.from(JSON.stringify(lease)) }]);
  };
  const identity = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  const renewTime = '2025-12-31T23:30:00.000000Z';
  await put('apiserver-young', identity, { renewTime, leaseDurationSeconds: 3600 });
  await put('apiserver-old', identity, { renewTime, leaseDurationSeconds: 60 });
  await put('apiserver-odd', identity, { holderIdentity: 'x' });
  await put('kube-scheduler', {}, { renewTime, leaseDurationSeconds: 60 });
  await using _server = await startApiServer({ ...own, clock, storage });
  const names = async (): Promise<string> => {
    const { items } = await storage.list(prefix);
    return items
      .filter((item) => item.key !== key)
      .map((item) => item.key.slice(prefix.length))
      .join();
  };
  assert.equal(await names(), 'apiserver-young,kube-scheduler');
  await until(clock, 60_000, async () => (await names()) === 'kube-scheduler');
});

test('without feature APIServerIdentity there is no identity Lease', { timeout }, async () => {
  await using storage = createMemoryStorage({});
  const features = { APIServerIdentity: false, UnknownVersionInteroperabilityProxy: false };
  await using _server = await startApiServer({ ...own, storage, features });
  assert.deepEqual((await storage.list(prefix)).items, []);
});

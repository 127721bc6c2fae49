import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import type { ApiServerOptions, RunningApiServer } from '../../index.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const endpointsPath = '/api/v1/namespaces/default/endpoints/kubernetes';
const slicePath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const timeout = 20_000;

interface Endpoints {
  metadata: { labels?: Record<string, string> };
  subsets?: { addresses?: { ip: string }[]; ports?: { port: number }[] }[];
}

interface Slice {
  addressType: string;
  endpoints: { addresses: string[] }[] | null;
  ports: { port: number }[] | null;
}

/** Servers on one store, whose time stands still until it is moved. */
class Members implements AsyncDisposable {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly storage = createMemoryStorage({ clock: this.clock });
  readonly #clients: RawClient[] = [];
  readonly #servers: RunningApiServer[] = [];

  async start(advertiseAddress: string, options: ApiServerOptions = {}): Promise<{ server: RunningApiServer; client: RawClient }> {
    const { clock, storage } = this;
    const server = await startApiServer({ clock, storage, controllers: false, ...options, serving: { advertiseAddress } });
    const client = new RawClient(server);
    this.#servers.push(server);
    this.#clients.push(client);
    return { server, client };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    for (const server of this.#servers) await server.stop();
    await this.storage[Symbol.asyncDispose]();
  }

  /** Asks until it is so; a test that waits in vain runs into its time limit. Every look may move the clock. */
  async until(holds: () => Promise<boolean>, stepMs = 0): Promise<void> {
    while (!(await holds())) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (stepMs > 0) this.clock.advance(stepMs);
    }
  }

  async stored<T>(key: string): Promise<T | undefined> {
    const { kv } = await this.storage.get(key);
    return kv && (JSON.parse(kv.value.toString()) as T);
  }

  /** the addresses that Endpoints and EndpointSlice both have */
  async listed(): Promise<string> {
    const endpoints = await this.stored<Endpoints>('/registry/services/endpoints/default/kubernetes');
    const slice = await this.stored<Slice>('/registry/endpointslices/default/kubernetes');
    const ofEndpoints = (endpoints?.subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).join();
    const ofSlice = (slice?.endpoints ?? []).flatMap(({ addresses }) => addresses).join();
    return ofEndpoints === ofSlice ? ofEndpoints : `${ofEndpoints} but ${ofSlice}`;
  }

  untilListed(addresses: string, stepMs = 0): Promise<void> {
    return this.until(async () => (await this.listed()) === addresses, stepMs);
  }
}

/** A store that can be cut off from one server: what a server does that dies without a word. */
function severable(storage: Storage): { storage: Storage; sever: () => void } {
  let severed = false;
  return {
    storage: new Proxy(storage, {
      get(target, name: keyof Storage) {
        if (severed && (name === 'transact' || name === 'get' || name === 'list')) return () => Promise.reject(new Error('severed'));
        const member: unknown = target[name];
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
    sever: () => (severed = true),
  };
}

describe('endpoints of the kubernetes Service', () => {
  test('list the servers that live: those that join, without one that stops', { timeout }, async () => {
    await using members = new Members();
    await members.start('10.1.0.2');
    await members.untilListed('10.1.0.2');
    const second = await members.start('10.1.0.10');
    await members.untilListed('10.1.0.10,10.1.0.2');
    await second.server.stop();
    assert.equal(await members.listed(), '10.1.0.2');
    assert.equal((await members.storage.get('/registry/masterleases/10.1.0.10')).kv, undefined);
  });

  test('lose a server that died when its lease has expired', { timeout }, async () => {
    await using members = new Members();
    await members.start('10.1.0.1');
    const { storage, sever } = severable(members.storage);
    await members.start('10.1.0.2', { storage });
    await members.untilListed('10.1.0.1,10.1.0.2');
    sever();
    const before = members.clock.now();
    await members.untilListed('10.1.0.1', 500);
    const seconds = (members.clock.now() - before) / 1000;
    assert.ok(seconds > 5 && seconds <= 30, `gone after ${seconds} s`);
  });

  test('a server stays listed for as long as it renews its lease', { timeout }, async () => {
    await using members = new Members();
    await members.start('10.1.0.1');
    await members.untilListed('10.1.0.1');
    const end = members.clock.now() + 60_000;
    await members.until(async () => {
      assert.equal(await members.listed(), '10.1.0.1');
      return members.clock.now() >= end;
    }, 1000);
    const lease = await members.stored<{ metadata: { generation: number } }>('/registry/masterleases/10.1.0.1');
    assert.ok((lease?.metadata.generation ?? 0) > 4, JSON.stringify(lease));
  });

  test('nobody is left when the last server stops', { timeout }, async () => {
    await using members = new Members();
    const { server } = await members.start('10.1.0.1');
    await members.untilListed('10.1.0.1');
    await server.stop();
    const endpoints = await members.stored<Endpoints>('/registry/services/endpoints/default/kubernetes');
    assert.equal(endpoints?.subsets, undefined);
    const slice = await members.stored<Slice>('/registry/endpointslices/default/kubernetes');
    assert.deepEqual([slice?.addressType, slice?.endpoints, slice?.ports], ['IPv4', null, null]);
  });

  test('a server that starts again at its address is not listed before it is ready', { timeout }, async () => {
    await using members = new Members();
    await members.start('10.1.0.1');
    const { storage, sever } = severable(members.storage);
    await members.start('10.1.0.2', { storage });
    await members.untilListed('10.1.0.1,10.1.0.2');
    sever();
    const revisions: string[] = [];
    const watching = new AbortController();
    const changes = members.storage.watch('/registry/services/endpoints/default/', { signal: watching.signal });
    const followed = (async () => {
      for await (const items of changes) {
        for (const item of items) if (item.type === 'put') revisions.push(item.kv.value.toString().includes('10.1.0.2') ? 'in' : 'out');
      }
    })();
    await members.start('10.1.0.2');
    await members.until(() => Promise.resolve(revisions.length >= 2));
    watching.abort();
    await followed;
    assert.deepEqual(revisions, ['out', 'in']);
  });

  const vandalism: readonly (readonly [what: string, method: string, path: string, body?: object])[] = [
    ['Endpoints were deleted', 'DELETE', endpointsPath],
    ['the EndpointSlice was deleted', 'DELETE', slicePath],
    ['the Service was deleted', 'DELETE', '/api/v1/namespaces/default/services/kubernetes'],
    ['Endpoints were emptied', 'PATCH', endpointsPath, { subsets: null }],
    ['Endpoints were sent elsewhere', 'PATCH', endpointsPath, { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }] }] }],
    ['the EndpointSlice was emptied', 'PATCH', slicePath, { endpoints: [] }],
    ['labels were lost', 'PATCH', endpointsPath, { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': null } } }],
    ['labels of the slice were lost', 'PATCH', slicePath, { metadata: { labels: { 'kubernetes.io/service-name': null, other: 'x' } } }],
  ];
  for (const [what, method, path, body] of vandalism) {
    test(`are as they were after ${what}`, { timeout }, async () => {
      await using members = new Members();
      const { client } = await members.start('10.1.0.1');
      await members.untilListed('10.1.0.1');
      const state = async (): Promise<string> => {
        const texts = await Promise.all(
          [endpointsPath, slicePath, '/api/v1/namespaces/default/services/kubernetes'].map(async (one) => {
            const { status, text } = await client.call('GET', one);
            if (status !== 200) return String(status);
            const { metadata, ...rest } = JSON.parse(text) as { metadata: { labels?: object } };
            return JSON.stringify({ ...rest, labels: metadata.labels });
          }),
        );
        return texts.join('\n');
      };
      const before = await state();
      const headers = { 'content-type': 'application/merge-patch+json' };
      const { status, text } = await client.call(method, path, body === undefined ? {} : { body, headers });
      assert.equal(status, 200, text);
      if (what === 'Endpoints were sent elsewhere') {
        // Kept for compatibility: ports are corrected only at start and stop.
        await members.untilListed('10.1.0.1', 1000);
        return;
      }
      assert.notEqual(await state(), before);
      await members.until(async () => (await state()) === before, 1000);
    });
  }

  test('with endpointReconciler none are left to others', { timeout }, async () => {
    await using members = new Members();
    const { client } = await members.start('10.1.0.1', { services: { endpointReconciler: 'none' } });
    members.clock.advance(30_000);
    assert.equal((await client.call('GET', '/api/v1/namespaces/default/services/kubernetes')).status, 200);
    assert.equal((await client.call('GET', endpointsPath)).status, 404);
    assert.deepEqual((await members.storage.list('/registry/masterleases/')).items, []);
  });

  test('with endpointReconciler master-count have at most that many servers', { timeout }, async () => {
    await using members = new Members();
    const services = { endpointReconciler: 'master-count', serverCount: 2 } as const;
    const { server } = await members.start('10.1.0.1', { services });
    await members.untilListed('10.1.0.1');
    await members.start('10.1.0.2', { services });
    await members.untilListed('10.1.0.1,10.1.0.2');
    await server.stop();
    assert.equal(await members.listed(), '10.1.0.2');
  });

  test('the Service has a node port when one is asked for', { timeout }, async () => {
    await using members = new Members();
    const { client } = await members.start('10.1.0.1', { services: { kubernetesNodePort: 30_123 } });
    const { text } = await client.call('GET', '/api/v1/namespaces/default/services/kubernetes');
    const { spec } = JSON.parse(text) as { spec: { type: string; ports: { nodePort: number }[] } };
    assert.deepEqual([spec.type, spec.ports[0]?.nodePort], ['NodePort', 30_123]);
  });
});

test('a system Namespace and the default ServiceCIDR come back while the server runs', { timeout }, async () => {
  await using members = new Members();
  await members.start('10.1.0.1');
  for (const key of ['/registry/namespaces/kube-node-lease', '/registry/servicecidrs/kubernetes']) {
    const { succeeded } = await members.storage.transact([
      { type: 'delete', key, expect: (await members.storage.get(key)).kv?.modRevision ?? -1 },
    ]);
    assert.ok(succeeded, key);
    await members.until(async () => (await members.storage.get(key)).kv !== undefined, 5000);
  }
});

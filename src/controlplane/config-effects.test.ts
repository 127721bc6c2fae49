import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectSecurely } from 'node:tls';
import { test } from 'node:test';
import { connect } from 'node:http2';
import { RawClient } from '../../test/support/raw-client.ts';
import { silentLogger } from '../base/log.ts';
import type { GivenConfig } from './config.ts';
import { ownVersion } from './effective-version.ts';
import { createFeatureGates } from './feature-gates.ts';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { StorageUnavailableError } from '../storage/storage.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

async function withServer(config: GivenConfig, use: (client: RawClient, url: string) => Promise<void>): Promise<void> {
  await using server = await startApiServer(config);
  await using client = new RawClient(server);
  await use(client, server.url);
}

async function makeConfigMaps(client: RawClient, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    assert.equal((await client.call('POST', configMaps, { body: { metadata: { name: `c${index}` } } })).status, 201);
  }
}

async function count(client: RawClient, path: string): Promise<number> {
  return (JSON.parse((await client.call('GET', path)).text) as { items: unknown[] }).items.length;
}

test('a collection is deleted by as many workers as asked for, and by one where less than one is asked for', async () => {
  for (const deleteCollectionWorkers of [-1, 1, 8]) {
    await withServer({ resources: { deleteCollectionWorkers } }, async (client) => {
      await makeConfigMaps(client, 20);
      const answer = await client.call('DELETE', `${configMaps}?labelSelector=!x`);
      assert.equal(answer.status, 200);
      assert.equal(await count(client, configMaps), 0, `${deleteCollectionWorkers}`);
    });
  }
});

test('without a garbage collector a deletion leaves no finalizers for one', async () => {
  for (const garbageCollection of [true, false]) {
    await withServer({ resources: { garbageCollection } }, async (client) => {
      await makeConfigMaps(client, 1);
      await client.call('DELETE', `${configMaps}/c0?propagationPolicy=Foreground`);
      assert.equal((await client.call('GET', `${configMaps}/c0`)).status, garbageCollection ? 200 : 404);
    });
  }
});

test('a resource whose watch cache has size 0 has pages in lists of any age; the others come whole', async () => {
  await withServer({ storage: { uncached: [{ group: '', resource: 'configmaps' }] } }, async (client) => {
    await makeConfigMaps(client, 3);
    assert.equal(await count(client, `${configMaps}?limit=1&resourceVersion=0`), 1);
    assert.ok((await count(client, '/api/v1/namespaces?limit=1&resourceVersion=0')) > 1);
  });
});

test('only the groups that were asked for serve a key exchange', async () => {
  await withServer({ serving: { curves: [24] } }, async (_, url) => {
    const port = Number(new URL(url).port);
    const shake = async (ecdhCurve: string): Promise<string> => {
      const socket = connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false, ecdhCurve });
      try {
        await once(socket, 'secureConnect');
        return (socket.getEphemeralKeyInfo() as { name?: string }).name ?? 'unnamed';
      } catch {
        return 'refused';
      } finally {
        socket.destroy();
      }
    };
    assert.equal(await shake('P-384'), 'secp384r1');
    assert.equal(await shake('P-256'), 'refused');
  });
});

test('two servers listen on one port where it may be shared, and not otherwise', async () => {
  await using first = await startApiServer({ serving: { sharesPort: true } });
  await using second = await startApiServer({ serving: { sharesPort: true, port: first.port } });
  assert.equal(second.port, first.port);
  await assert.rejects(startApiServer({ serving: { port: first.port } }), /address already in use/);
});

test('a stop with grace for watches refuses new ones and waits for those under way', async () => {
  const server = await startApiServer({ serving: { shutdownWatchGraceMs: 60_000, shutdownSendRetryAfter: false } });
  const session = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
  const watch = session.request({ ':path': `${configMaps}?watch=1` });
  watch.resume();
  await once(watch, 'response');
  const ended = once(watch, 'end');
  await server.stop();
  await ended;
  session.destroy();
});

test('a store that is not healthy keeps the server from being ready only for as long as it has to start', async () => {
  const warnings: string[] = [];
  const storage = createMemoryStorage();
  storage.health = () => Promise.reject(new StorageUnavailableError('not now', { outcomeUnknown: false }));
  const log = { ...silentLogger, warn: (text: string) => warnings.push(text) };
  await using _ = await startApiServer({ log, storage: { backend: storage, initializationTimeoutMs: 250 } });
  assert.deepEqual(warnings, ['Deadline exceeded while waiting for storage readiness... ignoring']);
});

test('the version that is to be reported is, in place of the own', async () => {
  await withServer({ resources: { version: { ...ownVersion, reported: 'v1.37.1-mine' } } }, async (client) => {
    assert.match((await client.call('GET', '/version')).text, /"gitVersion": "v1\.37\.1-mine"/);
    assert.match((await client.call('GET', '/statusz')).text, /Binary version\W+1\.37\.1-mine\n/);
  });
});

test('rules are those of the release that is emulated', async () => {
  const version = { ...ownVersion, emulation: 35, minCompatibility: 34 };
  await withServer({ resources: { version, features: createFeatureGates(new Map(), version).gates } }, async (client) => {
    const service = await client.call('POST', '/api/v1/namespaces/default/services', {
      body: { metadata: { name: '1a' }, spec: { ports: [{ port: 1 }] } },
    });
    assert.match(service.text, /metadata\.name: Invalid value: \\"1a\\": a DNS-1035 label/);
    const level = await client.call('POST', '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', {
      body: { metadata: { name: 'a' }, spec: { type: 'Limited' } },
    });
    assert.match(level.text, /spec\.limited: Required value: must not be empty when type is Limited/);
    const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const claim = { metadata: { name: 'a' }, spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } };
    assert.equal((await client.call('POST', claims, { body: claim })).status, 201);
    const changed = await client.call('PUT', `${claims}/a`, { body: { ...claim, spec: {} } });
    assert.match(changed.text, /spec: Invalid value: \{\\"Devices\\":\{.*: field is immutable/);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = await client.call('POST', '/apis/apps/v1/namespaces/default/statefulsets', {
      body: { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, serviceName: 's', template } },
    });
    assert.equal(set.status, 201);
    assert.doesNotMatch(set.text, /maxUnavailable/);
    assert.doesNotMatch((await client.call('GET', '/readyz?verbose')).text, /storage-readiness/);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultyFiles } from '../../test/faults/faulty-files.ts';
import { ManualClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { silentLogger } from '../base/log.ts';
import { EtcdServer } from '../etcd/server.ts';
import { startApiServer } from '../index.ts';
import { openEmbeddedStorage } from '../storage/drivers/embedded/open.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { CompactedError } from '../storage/storage.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { until } from '../../test/support/eventually.ts';

const root = await mkdtemp(join(tmpdir(), 'storage-'));
after(() => rm(root, { recursive: true, force: true }));

const fiveMinutes = 5 * 60_000;
const isCompacted = (storage: Storage): Promise<boolean> =>
  storage.list('/registry/', { revision: 3, limit: 1 }).then(
    () => false,
    (error: unknown) => error instanceof CompactedError,
  );

/** Lets compactions come due until there was one; a test that waits in vain runs into its time limit. */
async function untilCompacted(storage: Storage, clock: ManualClock): Promise<void> {
  while (!(await isCompacted(storage))) {
    clock.advance(fiveMinutes);
    await sleep(1);
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a server in this process forgets old history, whatever its store', { timeout: 30_000 }, async () => {
  const clock = new ManualClock(Date.now());
  await using given = createMemoryStorage({ clock });
  const server = await startApiServer({ storage: given, clock });
  assert.equal(await isCompacted(given), false);
  await untilCompacted(given, clock);
  await server.stop();
});

test('a server in this process with a folder compacts it', { timeout: 30_000 }, async () => {
  const directory = join(root, 'compacted');
  const clock = new ManualClock(Date.now());
  const server = await startApiServer({ storage: { directory }, clock });
  await using client = new RawClient(server);
  for (let round = 0; round < 4; round++) {
    await client.call('POST', configMaps, { body: { metadata: { name: `c${round}` } } });
    clock.advance(fiveMinutes);
    await sleep(20);
  }
  await server.stop();
  await using storage = await openEmbeddedStorage({ directory });
  assert.equal(await isCompacted(storage), true);
});

test('a compaction interval of 0 keeps history', async () => {
  const clock = new ManualClock(Date.now());
  await using storage = createMemoryStorage({ clock });
  await using _ = await startApiServer({ storage: { backend: storage, compactionIntervalMs: 0 }, clock });
  for (let round = 0; round < 3; round++) {
    clock.advance(fiveMinutes);
    await sleep(1);
  }
  assert.equal(await isCompacted(storage), false);
});

test('trouble with the disk is logged by a server in this process, and shows in its health', { timeout: 30_000 }, async () => {
  const lines: string[] = [];
  const log: Logger = { ...silentLogger, error: (message) => void lines.push(message), named: () => log };
  let failing = false;
  const files = faultyFiles({ decide: () => (failing ? 'refuse' : undefined) }, 'ENOSPC');
  await using server = await startApiServer({ storage: { directory: join(root, 'full'), files }, log });
  await using client = new RawClient(server);
  assert.equal((await client.call('GET', '/readyz')).status, 200);
  failing = true;
  for (let n = 0; !lines.includes('the store refuses writes'); n++) {
    const data = { large: 'x'.repeat(200_000) };
    await client.call('POST', configMaps, { body: { metadata: { name: `large-${n}` }, data } });
  }
  const health = await client.call('GET', '/readyz');
  assert.equal(health.status, 500);
  assert.match(health.text, /\[-\]etcd failed/);
  failing = false;
});

test('an in-process server counts what its watch caches do', async () => {
  await using server = await startApiServer();
  await using client = new RawClient(server);
  await client.call('GET', '/apis/apps/v1/deployments');
  const { text } = await client.call('GET', '/metrics');
  assert.match(text, /apiserver_watch_cache_initializations_total\{group="apps",resource="deployments"\} 1\n/);
});

test('watch caches tell the log of trouble with their store', { timeout: 30_000 }, async () => {
  const lines: string[] = [];
  const log: Logger = { ...silentLogger, warn: (message) => void lines.push(message), named: () => log };
  await using storage = createMemoryStorage();
  await using server = await startApiServer({ storage, log });
  await using client = new RawClient(server);
  await storage.transact([{ type: 'put', key: '/registry/configmaps/default/damaged', value: Buffer.from('{"') }]);
  await client.call('GET', configMaps);
  await until('the log says what cannot be read', () => lines.some((line) => line.includes('cannot be read')));
});

test(
  'the size of an etcd cluster is shown once, however many of its members are named, and for each cluster',
  { timeout: 30_000 },
  async () => {
    await using etcd = await EtcdServer.start({
      name: 'one',
      directory: join(root, 'etcd'),
      clientAddresses: [{ host: '127.0.0.1', port: 0, secure: false }],
      metricsAddresses: [],
      advertisedClientUrls: ['http://127.0.0.1:1'],
      peerUrls: [],
      tls: undefined,
      sync: false,
      progressIntervalMs: 1000,
      maxRequestBytes: 1 << 20,
      maxTxnOperations: 128,
      quotaBytes: 1 << 30,
      log: silentLogger,
    });
    const url = `http://127.0.0.1:${etcd.ports[0]}`;
    const overrides = [{ of: { group: '', resource: 'events' }, endpoints: [url] }];
    await using server = await startApiServer({ storage: { backend: { etcd: { endpoints: [url, url] } }, overrides } });
    await using client = new RawClient(server);
    const shown = async (): Promise<string[]> =>
      [
        ...(await client.call('GET', '/metrics')).text.matchAll(/^apiserver_storage_size_bytes\{storage_cluster_id="([^"]*)"\} [1-9]/gm),
      ].map(([, id]) => id as string);
    await until('sizes are shown', async () => (await shown()).length > 0);
    assert.deepEqual(await shown(), ['etcd-0', 'etcd-1']);
  },
);

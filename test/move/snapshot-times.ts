import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import type { SnapshotStorage } from '../../src/storage/mvcc/snapshot.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { RawClient } from '../support/raw-client.ts';

const objects = 10_000;
const rounds = 20;
const value = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' }, data: { a: 'x'.repeat(900) } }));

async function fill(storage: SnapshotStorage, count: number, from = 0): Promise<void> {
  const keys = Array.from({ length: count }, (_, i) => `/registry/configmaps/default/m-${from + i}`);
  for (let i = 0; i < count; i += 100) {
    await storage.transact(keys.slice(i, i + 100).map((key) => ({ type: 'put', key, value: Buffer.from(value) })));
  }
}

async function median(work: () => unknown, before: () => Promise<unknown> = async () => {}): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    await before();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return `${times.sort((one, other) => one - other)[rounds / 2]!.toFixed(2)} ms`;
}

async function ofStore(storage: SnapshotStorage): Promise<string> {
  await fill(storage, objects);
  const snapshot = storage.snapshot();
  const taken = await median(() => storage.snapshot());
  const few = await median(
    () => storage.restore(snapshot),
    () => fill(storage, 10, objects),
  );
  const all = await median(
    () => storage.restore(snapshot),
    () => fill(storage, objects),
  );
  const fork = await median(() => createMemoryStorage({ from: storage.snapshot() })[Symbol.asyncDispose]());
  return `snapshot ${taken}, restore of 10 changes ${few}, of ${objects} ${all}, fork ${fork}`;
}

/** The same through a server, which returns when all of its caches have followed. */
async function ofServer(root: string, place: 'memory' | 'directory'): Promise<string> {
  const storage = place === 'memory' ? place : { directory: mkdtempSync(join(root, 's-')) };
  await using server = await startTestServer({ storage, wheelhouse: { snapshots: true } });
  await using client = new RawClient(server);
  const path = '/api/v1/namespaces/default/configmaps';
  const create = (name: string) => client.call('POST', path, { body: { metadata: { name }, data: { a: 'x'.repeat(500) } } });
  for (let i = 0; i < 2000; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => create(`m-${i + j}`)));
  const { id } = await client.json<{ id: string }>('POST', '/wheelhouse/v1/snapshot');
  const restore = await median(
    () => client.call('POST', '/wheelhouse/v1/restore', { body: { id } }),
    () => create('more'),
  );
  const fork = await median(async () => (await server.fork()).stop());
  return `POST restore of one change, all caches included ${restore}; a fork started and stopped ${fork}`;
}

/** Figures, and no judgement. */
export async function snapshotTimes(root: string): Promise<string> {
  await using memory = createMemoryStorage();
  await using directory = await openEmbeddedStorage({ directory: mkdtempSync(join(root, 's-')) });
  const lines = [
    `memory, ${objects} objects: ${await ofStore(memory)}`,
    `directory, ${objects} objects: ${await ofStore(directory)}`,
    `server in memory, 2000 objects: ${await ofServer(root, 'memory')}`,
    `server in a directory, 2000 objects: ${await ofServer(root, 'directory')}`,
  ];
  return `medians of ${rounds}\n    ${lines.join('\n    ')}`;
}

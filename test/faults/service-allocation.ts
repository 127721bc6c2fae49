/**
 * `npm run test:allocation [-- --services 2700] [-- --clients 32]`: many clients create and delete services at once, some of them with
 * faults, and the server is killed in the middle. Three of four creates succeed. Every address and every node port must belong to one
 * service, and each that belongs to none must be free: after the writes, after another kill, and after everything is deleted.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PortBitmap } from '../../src/apis/common/service-network/port-bitmap.ts';
import { nodePortsKey, readPorts } from '../../src/apis/common/service-network/range-allocation.ts';
import type { Service } from '../../src/schema/types/core-v1.ts';
import type { IPAddress } from '../../src/schema/types/networking-v1.ts';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({ options: { services: { type: 'string', default: '2700' }, clients: { type: 'string', default: '32' } } });
const total = Number(values.services);
const clientCount = Number(values.clients);
const nodePorts = { first: 30000, size: 2768 };
const collection = '/api/v1/namespaces/default/services';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One connection to the server, as a client has it. */
class Client {
  readonly #server: ApiServerProcess;
  #session: ClientHttp2Session | undefined;

  constructor(server: ApiServerProcess) {
    this.#server = server;
  }

  /** Status 0: the connection broke, what became of the request is unknown. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    if (this.#session === undefined || this.#session.destroyed || this.#session.closed) {
      this.#session = connect(this.#server.url, this.#server.credentials);
      this.#session.on('error', () => this.#session?.destroy());
    }
    const stream = this.#session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const chunks: Buffer[] = [];
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => resolve({ status: 0, body: '' }));
    stream.on('close', () => resolve({ status: stream.rstCode === 0 ? status : 0, body: Buffer.concat(chunks).toString() }));
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  close(): void {
    this.#session?.destroy();
  }
}

/** Every tenth is refused only after its address and ports were chosen, some ask for ports in use. */
function service(index: number): unknown {
  const name = index % 10 === 7 ? `service-${index - 1}` : `service-${index}`;
  const port = { port: 80, ...(index % 25 === 3 && { nodePort: nodePorts.first + (index % 40) }) };
  const metadata = { name, labels: index % 10 === 4 ? { 'not valid': '!' } : {} };
  if (index % 5 === 0) return { metadata, spec: { ports: [{ port: 80 }] } };
  if (index % 5 === 1) return { metadata, spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [port] } };
  return { metadata, spec: { type: 'NodePort', ports: [port] } };
}

async function inParallel(server: ApiServerProcess, count: number, work: (client: Client, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: clientCount }, async () => {
      const client = new Client(server);
      while (next < count) await work(client, next++);
      client.close();
    }),
  );
}

async function list<T>(server: ApiServerProcess, path: string): Promise<T[]> {
  const client = new Client(server);
  const { body } = await client.call('GET', path);
  client.close();
  return (JSON.parse(body) as { items: T[] }).items;
}

function distinct<T>(items: readonly T[], what: string): Set<T> {
  const set = new Set(items);
  assert.equal(set.size, items.length, `${what}: ${items.length - set.size} duplicates`);
  return set;
}

/** What services have, and what is marked as taken, are the same; the ports are checked in the store of a server that was stopped. */
async function check(server: ApiServerProcess, when: string): Promise<Service[]> {
  const services = await list<Service>(server, collection);
  const addresses = await list<IPAddress>(server, '/apis/networking.k8s.io/v1/ipaddresses');
  const used = distinct(
    services.flatMap(({ spec }) => spec.clusterIPs ?? []),
    `${when}: cluster IPs`,
  );
  assert.deepEqual(new Set(addresses.map(({ metadata }) => metadata.name)), used, `${when}: IPAddress objects`);
  const ports = distinct(
    services.flatMap(({ spec }) => [
      ...(spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []),
      ...[spec.healthCheckNodePort ?? []].flat(),
    ]),
    `${when}: node ports`,
  );
  await server.stop(when === 'after the kill' ? 'SIGKILL' : 'SIGTERM');
  assert.deepEqual(new Set((await storedPorts()).taken()), ports, `${when}: marked node ports`);
  await server.start();
  process.stdout.write(`${when}: ${services.length} services, ${used.size} addresses, ${ports.size} node ports\n`);
  return services;
}

async function storedPorts(): Promise<PortBitmap> {
  await using storage = await openEmbeddedStorage({ directory: join(folder, 'data') });
  return (await readPorts(storage, nodePortsKey('/registry'), nodePorts)).ports;
}

const folder = mkdtempSync(join(tmpdir(), 'service-allocation-'));
try {
  const executable = installOurs(join(folder, 'package'));
  await using server = await ApiServerProcess.start({ executable, folder, storage: 'embedded' });
  const created = new Set<string>();
  const answers = new Map<number, number>();
  let restarted: Promise<unknown> | undefined;
  const started = performance.now();
  await inParallel(server, total, async (client, index) => {
    if (index === Math.floor(total / 2)) restarted = server.stop('SIGKILL').then(() => server.start());
    await restarted;
    const { status, body } = await client.call('POST', collection, service(index));
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 201) created.add((JSON.parse(body) as Service).metadata.name ?? '');
  });
  process.stdout.write(`answers to ${total} creates: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(', ')}`);
  process.stdout.write(` in ${((performance.now() - started) / 1000).toFixed(1)} s with a kill between\n`);
  const names = new Set((await check(server, 'after creation')).map(({ metadata }) => metadata.name));
  for (const name of created) assert.ok(names.has(name), `${name} was acknowledged and is gone`);
  const services = await check(server, 'after the kill');
  await inParallel(server, services.length, async (client, index) => {
    const { name = '' } = (services[index] as Service).metadata;
    if (name !== 'kubernetes') assert.equal((await client.call('DELETE', `${collection}/${name}`)).status, 200);
  });
  const left = await check(server, 'after deletion');
  assert.deepEqual(
    left.map(({ metadata }) => metadata.name),
    ['kubernetes'],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

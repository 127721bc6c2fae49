/**
 * `npm run bench:growth [-- --most N] [-- --svg FILE] [-- DIMENSION ...]`: what one operation costs our server (CPU, all threads) when there
 * are more and more objects, watchers, custom resource definitions, or namespaces with a role binding each. `--most` ends each of them there.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import type { Client } from './client.ts';
import { Contender } from './contender.ts';
import { median } from './figures.ts';
import { growthChart } from './growth-chart.ts';
import type { Panel } from './growth-chart.ts';
import { applyLoad } from './load.ts';
import { configMaps } from './subjects/config-maps.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: 'Infinity' }, svg: { type: 'string', default: join('.cache', 'growth.svg') } },
});
const most = Number(values.most);

const namespace = 'default';
const json = 'application/json';
const post = (client: Client, path: string, body: unknown): Promise<number> =>
  client.request('POST', path, { type: json, bytes: JSON.stringify(body) });
const createMap = (client: Client, name: string): Promise<number> =>
  post(client, configMaps.collection(namespace), configMaps.body(namespace, name, 'first'));

interface Dimension {
  readonly sizes: readonly number[];
  /** makes the one with this number */
  grow(client: Client, index: number): Promise<unknown>;
}

const dimensions: Record<string, Dimension> = {
  objects: { sizes: [1000, 10_000, 100_000, 1_000_000], grow: (client, index) => createMap(client, `grown-${index}`) },
  watchers: {
    sizes: [1, 100, 1000, 10_000],
    grow: (client) => client.watch(`${configMaps.collection(namespace)}?watch=true&fieldSelector=metadata.name%3Dnone`, () => undefined),
  },
  definitions: { sizes: [1, 10, 100, 500, 2000], grow: (client, index) => post(client, definitions, definition(`kind${index}`)) },
  namespaces: {
    sizes: [1, 100, 1000, 10_000],
    async grow(client, index) {
      await post(client, '/api/v1/namespaces', { metadata: { name: `n-${index}` } });
      await post(client, `/apis/rbac.authorization.k8s.io/v1/namespaces/n-${index}/rolebindings`, {
        metadata: { name: 'viewer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `u-${index}` }],
      });
    },
  },
};

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(kind: string): unknown {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
  };
  const names = { plural: `${kind}s`, singular: kind, kind: kind[0]?.toUpperCase() + kind.slice(1) };
  return {
    metadata: { name: `${kind}s.growth.example.com` },
    spec: { group: 'growth.example.com', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  };
}

let made = 0;
const operations: Record<string, (client: Client) => Promise<unknown>> = {
  get: (client) => client.request('GET', `${configMaps.collection(namespace)}/first`),
  'page of 10': (client) => client.request('GET', `${configMaps.collection(namespace)}?limit=10`),
  create: (client) => createMap(client, `made-${made++}`),
  decision: (client) =>
    post(client, '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: { user: 'u-0', resourceAttributes: { namespace: 'n-0', verb: 'get', resource: 'pods' } },
    }),
};
const samples = 5;
const atOnce = 200;

/** One write, and the event that a watch of this object gets of it. */
async function eventCost(contender: Contender): Promise<number> {
  return contender.withClients(2, async ([watcher, writer]) => {
    let seen = 0;
    const done = Promise.withResolvers<void>();
    const path = `${configMaps.collection(namespace)}?watch=true&fieldSelector=metadata.name%3Dfirst&resourceVersion=0`;
    await (watcher as Client).watch(path, () => void (++seen === atOnce + 1 && done.resolve()));
    const before = cpuMicroseconds(contender.server.pid);
    for (let index = 0; index < atOnce; index++) {
      const body = JSON.stringify(configMaps.change(`${made++}`));
      await (writer as Client).request('PATCH', `${configMaps.collection(namespace)}/first`, {
        type: 'application/merge-patch+json',
        bytes: body,
      });
    }
    await done.promise;
    return (cpuMicroseconds(contender.server.pid) - before) / atOnce;
  });
}

function cpuMicroseconds(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const times = readdirSync(folder).map((task) => Number(readFileSync(join(folder, task, 'schedstat'), 'utf8').split(' ')[0]));
  return times.reduce((sum, one) => sum + one, 0) / 1000;
}

async function costs(contender: Contender): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  await contender.withClients(4, async (clients) => {
    for (const [name, operation] of Object.entries(operations)) {
      const rounds: number[] = [];
      for (let sample = 0; sample < samples; sample++) {
        const before = cpuMicroseconds(contender.server.pid);
        await applyLoad(contender, clients, { count: atOnce }, operation);
        rounds.push((cpuMicroseconds(contender.server.pid) - before) / atOnce);
      }
      found[name] = median(rounds);
    }
  });
  found['write and event'] = await eventCost(contender);
  return found;
}

async function measure(name: string, { sizes, grow }: Dimension, executable: string, folder: string): Promise<Panel> {
  await using server = await ApiServerProcess.start({ executable, folder, storage: 'embedded' });
  const contender = new Contender('ours', server);
  const lines: Record<string, number[]> = {};
  const reached = sizes.filter((size) => size <= most);
  await contender.withClients(1, ([client]) => createMap(client as Client, 'first'));
  // What is compiled on the way would count for the smallest size.
  for (let round = 0; round < 3; round++) await costs(contender);
  // They stay until the end, as do their watches. A connection without requests would be closed by the server.
  const clients: Client[] = [];
  let there = 0;
  for (const size of reached) {
    // A server allows 100 streams on a connection, and some clients get more of them than others.
    const growers = name === 'watchers' ? Math.ceil((size - there) / 50) : 16;
    const fresh = await Promise.all(Array.from({ length: growers }, () => contender.connect()));
    clients.push(...fresh);
    await applyLoad(contender, fresh, { count: size - there }, (client, index) => grow(client, there + index));
    there = size;
    const found = await costs(contender);
    for (const [operation, cost] of Object.entries(found)) (lines[operation] ??= []).push(cost);
    const shown = Object.entries(found).map(([operation, cost]) => `${operation} ${cost.toFixed(0)}`);
    console.log(
      `${size.toLocaleString('en').padStart(8)} ${name.padEnd(12)} ${shown.join(', ')} µs; ${contender.residentMegabytes().toFixed(0)} MB`,
    );
  }
  for (const client of clients) client.close();
  return { title: `${name}: CPU of one operation`, sizes: reached, lines };
}

const unknown = positionals.filter((name) => dimensions[name] === undefined);
if (unknown.length > 0) throw new Error(`no dimension ${unknown.join(', ')}; there are ${Object.keys(dimensions).join(', ')}`);
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-growth-'));
try {
  const executable = installOurs(join(root, 'package'));
  const panels: Panel[] = [];
  for (const [name, dimension] of Object.entries(dimensions)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    panels.push(await measure(name, dimension, executable, join(root, name)));
  }
  mkdirSync(dirname(values.svg), { recursive: true });
  writeFileSync(values.svg, growthChart(panels));
  console.log(`chart in ${values.svg}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

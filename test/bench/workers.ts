/**
 * `npm run bench:workers [-- --executable FILE] [-- --rounds N] [-- --cpu-prof FOLDER]`: what an operation costs each thread of our server, CPU in microseconds: with one
 * thread; with two that have half of the clients each; with two where the first has none, so that it does nothing but order and sync the writes of the other.
 * What the busiest thread needs for one operation is what limits them where clients have a machine of their own.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import type { Client } from './client.ts';
import { Contender } from './contender.ts';
import { median } from './figures.ts';
import { applyLoad } from './load.ts';
import { create, createNamespace, verbs } from './subject.ts';
import { configMaps } from './subjects/config-maps.ts';
import { pods } from './subjects/pods.ts';

const { values } = parseArgs({
  options: {
    /** of another build */
    executable: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'cpu-prof': { type: 'string' },
  },
});

const clientCount = 16;
const perRound = 1600;
const warmUps = 2;
const listed = 100;
const subjects = { ConfigMap: configMaps, Pod: pods };

/** Microseconds of CPU by name of thread; several with one name are added up. */
type Usage = Readonly<Record<string, number>>;

function usage(pid: number): Usage {
  const folder = `/proc/${pid}/task`;
  const found: Record<string, number> = {};
  for (const task of readdirSync(folder)) {
    const name = readFileSync(join(folder, task, 'comm'), 'utf8').trim();
    const [nanoseconds] = readFileSync(join(folder, task, 'schedstat'), 'utf8').split(' ');
    found[name] = (found[name] ?? 0) + Number(nanoseconds) / 1000;
  }
  return found;
}

const used = (before: Usage, after: Usage, name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
const first = 'node-MainThread';
const further = 'WorkerThread';

/** The kernel gives a connection to either thread: that which works for its requests has it. */
async function isOnFirst(client: Client, { server }: Contender): Promise<boolean> {
  const before = usage(server.pid);
  for (let index = 0; index < 40; index++) await client.request('GET', '/api/v1/namespaces/default');
  const after = usage(server.pid);
  return used(before, after, first) > used(before, after, further);
}

/** Connections to the first thread, and to the other. */
async function connect(contender: Contender, onFirst: number, onFurther: number): Promise<Client[]> {
  const clients: Client[] = [];
  const missing = [onFurther, onFirst] as [number, number];
  while (missing[0] + missing[1] > 0) {
    const client = await contender.connect();
    const place = (await isOnFirst(client, contender)) ? 1 : 0;
    if (missing[place] > 0) clients.push(client);
    else client.close();
    missing[place] = Math.max(0, missing[place] - 1);
  }
  return clients;
}

interface Setup {
  readonly title: string;
  readonly threads: number;
  readonly onFirst: number;
}

const setups: readonly Setup[] = [
  { title: 'one thread', threads: 1, onFirst: clientCount },
  { title: 'two threads', threads: 2, onFirst: clientCount / 2 },
  { title: 'clients on the second', threads: 2, onFirst: 0 },
];

/** Of one operation. */
interface Cost {
  readonly process: number;
  readonly first: number;
  readonly further: number;
  readonly generator: number;
}

async function measured(
  contender: Contender,
  clients: readonly Client[],
  count: number,
  operation: (client: Client, index: number) => Promise<unknown>,
): Promise<Cost> {
  const { pid } = contender.server;
  const before = usage(pid);
  const own = process.cpuUsage();
  await applyLoad(contender, clients, { count }, operation);
  // What the other threads still have to take in belongs to it.
  await sleep(20);
  const { user, system } = process.cpuUsage(own);
  const after = usage(pid);
  const all = Object.keys(after).reduce((sum, name) => sum + used(before, after, name), 0);
  return {
    process: all / count,
    first: used(before, after, first) / count,
    further: used(before, after, further) / count,
    generator: (user + system) / count,
  };
}

async function round(contender: Contender, clients: readonly Client[], number: number, found: Map<string, Cost[]>): Promise<void> {
  for (const [kind, subject] of Object.entries(subjects)) {
    const namespace = kind.toLowerCase();
    const name = (index: number): string => `item-${number}-${index}`;
    const note = async (verb: string, count: number, operation: (client: Client, index: number) => Promise<unknown>): Promise<void> => {
      const cost = await measured(contender, clients, count, operation);
      const title = `${verb} ${kind}`;
      if (number >= 0) found.set(title, [...(found.get(title) ?? []), cost]);
    };
    await note('create', perRound, (client, index) => create(client, subject, namespace, name(index)));
    for (const verb of ['get', 'update', 'merge patch'] as const) {
      await note(verb, perRound, (client, index) =>
        verbs[verb](client, subject, { namespace, name: name(index) }, `${verb.replace(' ', '-')}-${number}`),
      );
    }
    await note(`list ${listed}`, perRound / 10, (client) => client.request('GET', `${subject.collection(namespace)}?limit=${listed}`));
    await note('delete', perRound, (client, index) => verbs.delete(client, subject, { namespace, name: name(index) }));
  }
}

async function measure(
  { threads, onFirst }: Setup,
  executable: string,
  folder: string,
): Promise<{ found: Map<string, Cost[]>; megabytes: number }> {
  const profile = values['cpu-prof'];
  const environment =
    profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${join(process.cwd(), profile)}` };
  await using server = await ApiServerProcess.start({
    executable,
    folder,
    storage: 'embedded',
    flags: [`--workers=${threads}`],
    environment,
  });
  const contender = new Contender('ours', server);
  const found = new Map<string, Cost[]>();
  const clients = threads === 1 ? await connect(contender, onFirst, 0) : await connect(contender, onFirst, clientCount - onFirst);
  try {
    for (const [kind, subject] of Object.entries(subjects)) await createNamespace(clients[0] as Client, kind.toLowerCase(), subject);
    for (let number = -warmUps; number < Number(values.rounds); number++) await round(contender, clients, number, found);
    return { found, megabytes: contender.residentMegabytes() };
  } finally {
    for (const client of clients) client.close();
    if (profile !== undefined) await server.stop();
  }
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-workers-'));
try {
  const executable = values.executable ?? installOurs(join(root, 'package'));
  const one = new Map<string, number>();
  for (const [index, setup] of setups.entries()) {
    const { found, megabytes } = await measure(setup, executable, join(root, String(index)));
    console.log(`\n${setup.title}; ${megabytes.toFixed(0)} MB`);
    console.log(
      `${''.padEnd(24)}${['process', 'first', 'further', 'busiest/s', 'to one', 'CPU to one', 'generator'].map((title) => title.padStart(12)).join('')}`,
    );
    for (const [title, costs] of found) {
      const of = (part: keyof Cost): number => median(costs.map((cost) => cost[part]));
      const busiest = Math.max(of('first'), of('further'));
      if (index === 0) one.set(title, busiest).set(`${title} process`, of('process'));
      const cells = [
        of('process').toFixed(0),
        of('first').toFixed(0),
        of('further').toFixed(0),
        (1e6 / busiest).toFixed(0),
        ((one.get(title) as number) / busiest).toFixed(2),
        (of('process') / (one.get(`${title} process`) as number)).toFixed(2),
        of('generator').toFixed(0),
      ];
      console.log(`${title.padEnd(24)}${cells.map((cell) => cell.padStart(12)).join('')}`);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/**
 * `npm run bench:workers [-- --executable FILE] [-- --rounds N] [-- --clients N]`: what an operation costs each thread of our server, CPU in microseconds: with one
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
import { create, createNamespace, verbs } from './subject.ts';
import { configMaps } from './subjects/config-maps.ts';
import { pods } from './subjects/pods.ts';

const { values } = parseArgs({
  options: {
    /** of another build */
    executable: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    /** with few, threads wait for the generator, and wake for each request */
    clients: { type: 'string', default: '64' },
  },
});

const clientCount = Number(values.clients);
const perRound = 4800;
const warmUps = 2;
const listed = 100;
/** A collection of the whole heap costs as much as hundreds of lists: with fewer, a round has one or none of them. */
const listsPerRound = 1920;
const watchedPerRound = 480;
/** what mixed loads consist of, in this order again and again */
const mixtures = {
  'mixed, 10 % writes': ['get', 'get', 'get', 'get', 'list', 'get', 'update', 'get', 'get', 'get'],
  'mixed, 30 % writes': ['get', 'get', 'update', 'get', 'list', 'get', 'merge patch', 'get', 'get', 'update'],
} as const;
const nameWidth = 30;
const watchedNamespace = 'watched';
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

type Operation = (client: Client, index: number) => Promise<unknown>;

/**
 * Every client does as many: where they took the next one when they were done, the first thread, whose writes wait for no other, had more of
 * them than the further one. `turn`: who has which object differs from turn to turn, so that threads change what others have written.
 */
async function applyLoad(clients: readonly Client[], count: number, turn: number, operation: Operation): Promise<void> {
  const { length } = clients;
  const run = async (client: Client, place: number): Promise<void> => {
    for (let index = place; index < count; index += length) await operation(client, index);
  };
  await Promise.all(clients.map((client, place) => run(client, (place + turn) % length)));
}

async function measured({ contender, clients }: Running, count: number, turn: number, operation: Operation): Promise<Cost> {
  const { pid } = contender.server;
  const before = usage(pid);
  const own = process.cpuUsage();
  await applyLoad(clients, count, turn, operation);
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

interface Running extends Setup {
  readonly contender: Contender;
  readonly clients: readonly Client[];
  readonly found: Map<string, Cost[]>;
}

/** They take turns with every operation, so that whatever else the machine does meets them all. */
async function round(all: readonly Running[], number: number): Promise<void> {
  const inTurn = async (title: string, measure: (running: Running) => Promise<Cost>): Promise<void> => {
    for (const running of number % 2 === 0 ? all : all.toReversed()) {
      const cost = await measure(running);
      if (number >= 0) running.found.set(title, [...(running.found.get(title) ?? []), cost]);
    }
  };
  for (const [kind, subject] of Object.entries(subjects)) {
    let turn = 0;
    const namespace = kind.toLowerCase();
    const object = (index: number): { namespace: string; name: string } => ({ namespace, name: `item-${number}-${index}` });
    const list: Operation = (client) => client.request('GET', `${subject.collection(namespace)}?limit=${listed}`);
    const note = (verb: string, count: number, operation: Operation): Promise<void> => {
      turn++;
      return inTurn(`${verb} ${kind}`, (running) => measured(running, count, turn, operation));
    };
    await note('create', perRound, (client, index) => create(client, subject, namespace, object(index).name));
    for (const verb of ['get', 'update', 'merge patch'] as const) {
      await note(verb, perRound, (client, index) => verbs[verb](client, subject, object(index), `${verb.replace(' ', '-')}-${number}`));
    }
    await note(`list ${listed}`, listsPerRound, list);
    for (const [at, [title, mixture]] of Object.entries(mixtures).entries()) {
      await note(`${title},`, perRound, (client, index) => {
        // Clients are at different places of it.
        const verb = mixture[(index + Math.floor(index / clientCount)) % mixture.length] as (typeof mixture)[number];
        return verb === 'list' ? list(client, index) : verbs[verb](client, subject, object(index), `mixed-${at}-${number}`);
      });
    }
    await note('delete', perRound, (client, index) => verbs.delete(client, subject, object(index)));
  }
  await inTurn(`write with ${clientCount} watches`, (running) => watched(running, number));
}

/** The watches are on connections of their own, spread over the threads as the clients are. */
async function watched(running: Running, number: number): Promise<Cost> {
  const { contender, onFirst } = running;
  const watchers = await connect(contender, onFirst, clientCount - onFirst);
  try {
    for (const watcher of watchers) await watcher.watch(`${configMaps.collection(watchedNamespace)}?watch=true`, () => undefined);
    return await measured(running, watchedPerRound, 0, (client, index) =>
      verbs['merge patch'](client, configMaps, { namespace: watchedNamespace, name: `item-${index % clientCount}` }, `${number}-${index}`),
    );
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

async function start(setup: Setup, executable: string, folder: string): Promise<Running> {
  const { threads, onFirst } = setup;
  const server = await ApiServerProcess.start({ executable, folder, storage: 'embedded', flags: [`--workers=${threads}`] });
  const contender = new Contender('ours', server);
  const clients = await connect(contender, onFirst, clientCount - onFirst);
  const [client] = clients as [Client, ...Client[]];
  for (const [kind, subject] of Object.entries(subjects)) await createNamespace(client, kind.toLowerCase(), subject);
  await createNamespace(client, watchedNamespace, configMaps);
  for (let index = 0; index < clientCount; index++) await create(client, configMaps, watchedNamespace, `item-${index}`);
  return { ...setup, contender, clients, found: new Map() };
}

function report({ title, contender, found }: Running, one: Running): void {
  console.log(`\n${title}; ${contender.residentMegabytes().toFixed(0)} MB`);
  const head = ['process', 'first', 'further', 'busiest/s', 'to one', 'CPU to one', 'generator'];
  console.log(`${''.padEnd(nameWidth)}${head.map((column) => column.padStart(12)).join('')}`);
  const costOf = (costs: readonly Cost[] | undefined, part: keyof Cost): number => median((costs ?? []).map((cost) => cost[part]));
  for (const [operation, costs] of found) {
    const of = (part: keyof Cost): number => costOf(costs, part);
    const ofOne = (part: keyof Cost): number => costOf(one.found.get(operation), part);
    const busiest = Math.max(of('first'), of('further'));
    const whole = [of('process'), of('first'), of('further'), 1e6 / busiest].map((value) => value.toFixed(0));
    const ratios = [ofOne('first') / busiest, of('process') / ofOne('process')].map((value) => value.toFixed(2));
    const cells = [...whole, ...ratios, of('generator').toFixed(0)];
    console.log(`${operation.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(12)).join('')}`);
  }
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-workers-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = values.executable ?? installOurs(join(root, 'package'));
const all: Running[] = [];
for (const [index, setup] of setups.entries()) {
  const running = await start(setup, executable, join(root, String(index)));
  owned.use(running.contender.server);
  all.push(running);
}
for (let number = -warmUps; number < Number(values.rounds); number++) await round(all, number);
for (const running of all) report(running, all[0] as Running);
for (const { clients } of all) for (const client of clients) client.close();

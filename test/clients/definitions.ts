/**
 * `npm run test:definitions [-- --definitions 500] [-- --samples 60]`: many definitions of custom resources, ours and upstream side
 * by side: how long until a first instance can be created, how long until all are served, what their OpenAPI documents cost, and what
 * they cost in memory.
 * Definitions of well-known projects come first, from their Go modules; the others are made here. See README.md for what is needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadAll } from 'js-yaml';
import { moduleFolder } from '../../tools/go-module.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Asked, Cost, Costs } from './document-costs.ts';
import { documentCosts, documentForms, groupVersionCosts, questions } from './document-costs.ts';
import { projects } from './projects.ts';

interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** definitions that one server gets before it is the other's turn */
const portion = 50;
const clients = 8;

const { values } = parseArgs({
  options: { definitions: { type: 'string', default: '500' }, samples: { type: 'string', default: '60' } },
});

/** A definition of middling size, as a generator makes them from Go types. */
function madeUp(group: string, index: number): Definition {
  const text = { type: 'string', maxLength: 253, description: 'One of the things that make up the whole, as its name says.' };
  const part = (depth: number): object => ({
    type: 'object',
    properties: {
      name: text,
      count: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
      labels: { type: 'object', additionalProperties: text },
      ...(depth > 0 && { items: { type: 'array', items: part(depth - 1), 'x-kubernetes-list-type': 'atomic' }, first: part(depth - 1) }),
    },
  });
  const kind = `Thing${index}`;
  const plural = `thing${index}s`;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: part(3), status: part(1) } } },
        },
      ],
    },
  };
  return definition;
}

async function published(): Promise<Definition[]> {
  const folders = await Promise.all(projects.map(async ({ module, folder }) => join(await moduleFolder(module), folder)));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const documents = await Promise.all(
    files.filter((file) => file.endsWith('.yaml')).map(async (file) => loadAll(await readFile(file, 'utf8'))),
  );
  const definitions = (documents.flat() as (Definition | null)[]).filter((one) => one?.kind === 'CustomResourceDefinition');
  return definitions as Definition[];
}

class Contender {
  readonly name: string;
  readonly server: ApiServerProcess;
  readonly firstInstanceMs: number[] = [];
  servedMs = 0;

  constructor(name: string, server: ApiServerProcess) {
    this.name = name;
    this.server = server;
  }

  get megabytes(): number {
    const status = readFileSync(`/proc/${this.server.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  }

  /** From the definition's POST to the first instance. */
  async sample(definition: Definition): Promise<void> {
    const started = performance.now();
    await this.server.post(collection, definition);
    const { group, names } = definition.spec;
    const instance = { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name: 'first' }, spec: { name: 'first' } };
    const path = `/apis/${group}/v1/namespaces/default/${names.plural}`;
    while ((await this.server.request('POST', path, instance)).status !== 201) continue;
    this.firstInstanceMs.push(performance.now() - started);
  }

  /** Until every version of all these definitions can be listed. */
  async serve(definitions: readonly Definition[]): Promise<void> {
    const started = performance.now();
    const queue = [...definitions];
    const work = async (): Promise<void> => {
      for (let definition = queue.shift(); definition !== undefined; definition = queue.shift()) {
        await this.server.post(collection, definition);
        const { group, names, versions } = definition.spec;
        for (const { name, served } of versions) {
          while (served && (await this.server.request('GET', `/apis/${group}/${name}/${names.plural}?limit=1`)).status !== 200) continue;
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, work));
    this.servedMs += performance.now() - started;
  }
}

/** What the bytes alone cost a process that has nothing else to do. */
async function bareCost({ files, credentials }: ApiServerProcess, bytes: number): Promise<Cost> {
  const program = join(import.meta.dirname, 'bare-server.ts');
  const { certificate, key } = files.serving;
  const child = spawn(process.execPath, [program, certificate, key, String(bytes)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const bare: Asked = { pid: child.pid as number, url: `https://127.0.0.1:${port.toString().trim()}`, credentials };
    return (await documentCosts(bare, '/', {})).warm;
  } finally {
    child.kill();
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] as number;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-definitions-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const launches = [
  { name: 'ours', executable: installOurs(join(root, 'package')), storage: 'embedded' },
  { name: 'reference', executable: findReference('kube-apiserver'), storage: { etcd: etcd.endpoint } },
] as const;
const contenders: Contender[] = [];
for (const { name, executable, storage } of launches) {
  contenders.push(new Contender(name, owned.use(await ApiServerProcess.start({ executable, folder: join(root, name), storage }))));
}
/** Work that a server does when it is left alone is done, and memory that it no longer needs had time to go. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10_000));
const report = (what: string, of: (one: Contender) => string): void => {
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${what}: ${contenders.map((one) => `${one.name} ${of(one)}`).join(', ')} (load ${load})`);
};

await settle();
report('memory before', ({ megabytes }) => `${megabytes} MB`);
for (let index = 0; index < Number(values.samples); index++) {
  for (const contender of contenders) await contender.sample(madeUp('first.example.com', index));
}
report(`definition to first instance, median and slowest of ${values.samples}`, ({ firstInstanceMs: times }) =>
  [median(times), Math.max(...times)].map((ms) => `${ms.toFixed(1)} ms`).join(' and '),
);
const real = await published();
const missing = Math.max(0, Number(values.definitions) - Number(values.samples) - real.length);
const all = [...real, ...Array.from({ length: missing }, (_, index) => madeUp(`group${index % 20}.example.com`, index))];
for (let start = 0; start < all.length; start += portion) {
  for (const contender of contenders) await contender.serve(all.slice(start, start + portion));
}
report(`${real.length} published and ${missing} made up served after`, ({ servedMs }) => `${(servedMs / 1000).toFixed(1)} s`);
await settle();
report('memory after', ({ megabytes }) => `${megabytes} MB`);
const shown = ({ cpuMs, bytes, longestWaitMs }: Cost): string =>
  `${cpuMs.toFixed(1)} ms of CPU for ${(bytes / 1024).toFixed(0)} KB, others waited up to ${longestWaitMs.toFixed(0)} ms`;
function reportCosts(what: string, costs: ReadonlyMap<Contender, Costs>): void {
  for (const when of ['cold', 'warm'] as const) report(`${what} ${when}`, (one) => shown((costs.get(one) as Costs)[when]));
}
for (const { name, path, headers } of questions) {
  const costs = new Map<Contender, Costs>();
  for (const contender of contenders) costs.set(contender, await documentCosts(contender.server, path, headers));
  reportCosts(name, costs);
  const [[{ server }, { warm }]] = [...costs] as [[Contender, Costs]];
  if (warm.bytes > 2 ** 20) console.log(`  as many bytes from a bare TLS server: ${shown(await bareCost(server, warm.bytes))}`);
}
for (const { name, headers } of documentForms) {
  const costs = new Map<Contender, Costs>();
  let count = 0;
  for (const contender of contenders) {
    const { paths } = JSON.parse((await contender.server.request('GET', '/openapi/v3')).body) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const addresses = Object.values(paths).map(({ serverRelativeURL }) => serverRelativeURL);
    count = addresses.length;
    costs.set(contender, await groupVersionCosts(contender.server, addresses, headers));
  }
  reportCosts(`a document of OpenAPI 3 (${name}; average of ${count})`, costs);
}
await settle();
report('memory after all documents were read', ({ megabytes }) => `${megabytes} MB`);
for (const { server } of contenders) await server.stop();
const starts = new Map<string, number>();
for (const { name, server } of contenders) starts.set(name, await server.start());
report('start with all of them', ({ name }) => `${((starts.get(name) ?? 0) / 1000).toFixed(1)} s`);
await settle();
report('memory after the start', ({ megabytes }) => `${megabytes} MB`);

/**
 * `npm run test:replicas [-- --only PATTERN]`: three API servers on one etcd, ours, upstream's and mixed. After every start, stop and kill the
 * endpoints of the `kubernetes` Service must name exactly the servers that live, within the time of a lease; with the other reconcilers, what
 * three of upstream's name. Of three of ours with embedded controllers one leads, and another soon after its end.
 * Needs the programs of Kubernetes (see README.md).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

type Side = 'ours' | 'upstream';
type Reconciler = 'lease' | 'master-count' | 'none';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-replicas-'));
const executables: Readonly<Record<Side, string>> = { ours: installOurs(join(root, 'package')), upstream: findReference('kube-apiserver') };
/** a lease of 15 s, and a look every 10 s */
const limitMs = 30_000;
let failed = 0;

const addressOf = (index: number): string => `10.1.0.${index + 1}`;

class Crew implements AsyncDisposable {
  readonly etcd: EtcdProcess;
  readonly servers: readonly ApiServerProcess[];
  readonly living = new Set<number>();

  private constructor(etcd: EtcdProcess, servers: readonly ApiServerProcess[]) {
    this.etcd = etcd;
    this.servers = servers;
  }

  static async prepare(name: string, sides: readonly Side[], flags: readonly string[]): Promise<Crew> {
    const etcd = await EtcdProcess.start();
    const servers: ApiServerProcess[] = [];
    for (const [index, side] of sides.entries()) {
      servers.push(
        await ApiServerProcess.prepare({
          executable: executables[side],
          folder: join(root, name, String(index)),
          storage: { etcd: etcd.endpoint },
          flags: [
            `--advertise-address=${addressOf(index)}`,
            ...(side === 'ours' ? flags : flags.filter((flag) => !flag.includes('embedded'))),
          ],
          ...(servers[0] !== undefined && { files: servers[0].files }),
        }),
      );
    }
    return new Crew(etcd, servers);
  }

  async start(index: number): Promise<void> {
    await this.servers[index]?.start();
    this.living.add(index);
  }

  async end(index: number, signal: NodeJS.Signals): Promise<void> {
    await this.servers[index]?.stop(signal);
    this.living.delete(index);
  }

  /** Asks a server that lives. */
  async get(path: string): Promise<{ status: number; body: string }> {
    const [index] = this.living;
    const server = this.servers[index ?? 0];
    if (server === undefined) throw new Error('no server lives');
    return server.request('GET', path);
  }

  /** What Endpoints and EndpointSlice name. */
  async listed(): Promise<string> {
    const endpoints = await this.get('/api/v1/namespaces/default/endpoints/kubernetes');
    const slice = await this.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
    if (endpoints.status !== 200 || slice.status !== 200) return 'none';
    const { subsets = [] } = JSON.parse(endpoints.body) as { subsets?: { addresses: { ip: string }[] }[] };
    const { endpoints: of } = JSON.parse(slice.body) as { endpoints: { addresses: string[] }[] | null };
    const names = subsets
      .flatMap(({ addresses }) => addresses.map(({ ip }) => ip))
      .toSorted()
      .join();
    const sliced = (of ?? [])
      .flatMap(({ addresses }) => addresses)
      .toSorted()
      .join();
    return names === sliced ? names : `${names} but ${sliced}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]();
    await this.etcd[Symbol.asyncDispose]();
  }
}

interface Deed {
  readonly name: string;
  readonly run: (crew: Crew) => Promise<void>;
}

const start = (index: number): Deed => ({ name: `start of ${index + 1}`, run: (crew) => crew.start(index) });
const stop = (index: number): Deed => ({ name: `stop of ${index + 1}`, run: (crew) => crew.end(index, 'SIGTERM') });
const kill = (index: number): Deed => ({ name: `kill -9 of ${index + 1}`, run: (crew) => crew.end(index, 'SIGKILL') });
const deeds: readonly Deed[] = [start(0), start(1), start(2), stop(1), start(1), kill(2), start(2), kill(0), stop(2), start(0), start(2)];

function report(ok: boolean, text: string): void {
  if (!ok) failed++;
  console.log(`${ok ? '✔' : '✖'} ${text}`);
}

/** Milliseconds until it holds; undefined: not within the limit. */
async function until(holds: () => Promise<boolean>): Promise<number | undefined> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > limitMs) return undefined;
    await sleep(50);
  }
  return performance.now() - started;
}

const seconds = (ms: number | undefined): string => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`);

async function playLease(name: string, sides: readonly Side[]): Promise<void> {
  await using crew = await Crew.prepare(name, sides, []);
  for (const deed of deeds) {
    await deed.run(crew);
    const expected = [...crew.living].map(addressOf).toSorted().join();
    const took = await until(async () => (await crew.listed()) === expected);
    report(
      took !== undefined,
      `lease, ${name}: ${deed.name}: ${took === undefined ? `${await crew.listed()}, not ${expected}` : `right after ${seconds(took)}`}`,
    );
  }
}

/** What is named some time after every deed. */
async function playOther(name: string, sides: readonly Side[], reconciler: Reconciler): Promise<string[]> {
  await using crew = await Crew.prepare(`${name}-${reconciler}`, sides, [
    `--endpoint-reconciler-type=${reconciler}`,
    '--apiserver-count=2',
  ]);
  const seen: string[] = [];
  for (const deed of [start(0), start(1), stop(1), start(1), kill(0), start(2)]) {
    await deed.run(crew);
    await sleep(12_000);
    seen.push(`${deed.name}: ${await crew.listed()}`);
  }
  return seen;
}

async function playLeader(): Promise<void> {
  await using crew = await Crew.prepare('leader', ['ours', 'ours', 'ours'], ['--embedded-controllers=true']);
  const holder = async (): Promise<string> => {
    const { status, body } = await crew.get('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/wheelhouse-embedded-controllers');
    return status === 200 ? ((JSON.parse(body) as { spec: { holderIdentity?: string } }).spec.holderIdentity ?? '') : '';
  };
  let namespaces = 0;
  /** a namespace is furnished: a controller works */
  const works = async (): Promise<boolean> => {
    const [index = 0] = crew.living;
    const name = `n${namespaces++}`;
    await crew.servers[index]?.post('/api/v1/namespaces', { metadata: { name } });
    return (await until(async () => (await crew.get(`/api/v1/namespaces/${name}/serviceaccounts/default`)).status === 200)) !== undefined;
  };
  await crew.start(0);
  const first = await until(async () => (await holder()) !== '');
  report(first !== undefined && (await works()), `leader: the first server leads after ${seconds(first)}`);
  await crew.start(1);
  await crew.start(2);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const before = await holder();
    // A server logs its identity when it leads.
    const leader = [...crew.living].find((index) => readFileSync(crew.servers[index]?.log ?? '', 'utf8').includes(before));
    if (leader === undefined) throw new Error(`no server has logged that it leads as ${before}`);
    await crew.end(leader, signal);
    const took = await until(async () => !['', before].includes(await holder()));
    const how = signal === 'SIGTERM' ? 'stop' : 'kill -9';
    report(took !== undefined && (await works()), `leader: another leads ${seconds(took)} after the ${how} of the leader`);
  }
}

const plays: readonly { readonly name: string; readonly run: () => Promise<void> }[] = [
  { name: 'lease, three of ours', run: () => playLease('three of ours', ['ours', 'ours', 'ours']) },
  { name: 'lease, one of ours beside two', run: () => playLease('one of ours beside two', ['upstream', 'ours', 'upstream']) },
  { name: 'lease, three of upstream', run: () => playLease('three of upstream', ['upstream', 'upstream', 'upstream']) },
  ...(['master-count', 'none'] as const).map((reconciler) => ({
    name: reconciler,
    run: async () => {
      const [ours, upstream, mixed] = await Promise.all([
        playOther('ours', ['ours', 'ours', 'ours'], reconciler),
        playOther('upstream', ['upstream', 'upstream', 'upstream'], reconciler),
        playOther('mixed', ['ours', 'upstream', 'ours'], reconciler),
      ]);
      for (const [index, line] of upstream.entries()) {
        const same = line === ours[index] && line === mixed[index];
        report(same, `${reconciler}: ${line}${same ? '' : `; ours: ${ours[index]}; mixed: ${mixed[index]}`}`);
      }
    },
  })),
  { name: 'leader', run: playLeader },
];

try {
  for (const { name, run } of plays) if (new RegExp(values.only).test(name)) await run();
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

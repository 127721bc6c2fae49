/**
 * `npm run test:vandalism [-- --wait 75]`: what API servers keep right by themselves is deleted, altered and emptied, on ours and on
 * upstream, each on an etcd of its own. After the time in which upstream looks at everything once, and again after a restart, both must
 * have come to the same. Prints for each act how long either took. Needs the programs of Kubernetes (see README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { identityOf } from '../../src/controlplane/bootstrap/identity-lease.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { textDiff } from '../clients/text-diff.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Act, Step } from './vandalism-acts.ts';
import { lists, preparation, rounds } from './vandalism-acts.ts';

const { values } = parseArgs({ options: { wait: { type: 'string', default: '75' } } });
const waitMs = Number(values.wait) * 1000;
const advertised = '10.1.0.1';
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-vandalism-'));

interface Site {
  readonly server: ApiServerProcess;
  readonly etcd: Storage;
}

/** What was seen of an act, and when it was first seen so. */
interface Sight {
  text: string;
  since: number;
}

async function open(name: string, executable: string, etcd: EtcdProcess, first?: ApiServerProcess): Promise<Site> {
  const flags = [`--advertise-address=${advertised}`];
  const server = await ApiServerProcess.start({
    executable,
    folder: join(root, name),
    storage: { etcd: etcd.endpoint },
    flags,
    // Both publish the same authorities.
    ...(first !== undefined && { files: first.files }),
  });
  return { server, etcd: await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 }) };
}

async function take(site: Site, step: Step): Promise<string> {
  if ('deleteKey' in step) {
    await site.etcd.transact([{ type: 'delete', key: step.deleteKey }]);
    return `erased ${step.deleteKey}`;
  }
  if ('putKey' in step) {
    await site.etcd.transact([{ type: 'put', key: step.putKey, value: Buffer.from(JSON.stringify(step.value)) }]);
    return `wrote ${step.putKey}`;
  }
  const [method, path, body] = step;
  const { status, body: answer } = await site.server.request(method, path, body);
  const message = status < 300 ? '' : (JSON.parse(answer) as { message: string }).message;
  return `${method} ${path}: ${status} ${message}`;
}

async function look(site: Site, path: string): Promise<string> {
  if (path.startsWith('/registry/')) return `${path}: ${(await site.etcd.get(path)).kv === undefined ? 'not there' : 'there'}`;
  const { status, body } = await site.server.request('GET', path);
  return `${path}: ${status}\n${status === 200 ? normal(JSON.parse(body), site.server.port) : ''}`;
}

const varying: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'time',
  'renewTime',
  'acquireTime',
  'lastTransitionTime',
  'creationTimestamp',
]);

/** Without what two servers cannot have in common. */
function normal(object: unknown, port: number): string {
  const replace = (key: string, value: unknown): unknown => {
    if (varying.has(key) && typeof value === 'string') return key.toUpperCase();
    if (key === 'deletionTimestamp') return 'TIME';
    if (key === 'holderIdentity' && typeof value === 'string') return value.replace(/[0-9a-f-]{36}$/, 'UUID');
    return value === port ? 'PORT' : value;
  };
  const text = JSON.stringify(sorted(object), replace, 1);
  return text.replaceAll(`:${port}`, ':PORT');
}

/** Keys in order: two servers may write the same fields in different order, and clients do not see it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

async function see(site: Site, { look: paths }: Act): Promise<string> {
  return (await Promise.all(paths.map((path) => look(site, path)))).join('\n');
}

/** Looks again and again; what is seen in the end, and since when it is so. */
async function settle(site: Site, acts: readonly Act[], ms: number): Promise<Sight[]> {
  const started = performance.now();
  const sights: Sight[] = acts.map(() => ({ text: '', since: 0 }));
  for (;;) {
    for (const [index, act] of acts.entries()) {
      const text = await see(site, act);
      const since = performance.now() - started;
      if (sights[index]?.text !== text) sights[index] = { text, since };
    }
    if (performance.now() - started >= ms) return sights;
    await sleep(500);
  }
}

let failed = 0;
let compared = 0;

function compare(when: string, acts: readonly Act[], [ours, reference]: readonly (readonly Sight[])[]): void {
  for (const [index, { name }] of acts.entries()) {
    const [mine, theirs] = [ours?.[index] as Sight, reference?.[index] as Sight];
    const same = mine.text === theirs.text;
    compared++;
    const seconds = ({ since }: Sight): string => (since / 1000).toFixed(1).padStart(5);
    console.log(`${same ? '✔' : '✖'} ${when}: ${name}   (settled: ours ${seconds(mine)} s, upstream ${seconds(theirs)} s)`);
    if (same) continue;
    failed++;
    console.log(textDiff(theirs.text, mine.text).replaceAll(/^/gm, '    '));
  }
}

async function playRound(sites: readonly Site[], acts: readonly Act[], number: number): Promise<void> {
  for (const { name, steps } of acts) {
    for (const step of steps) {
      const [ours, reference] = await Promise.all(sites.map((site) => take(site, step)));
      if (ours === reference) continue;
      failed++;
      console.log(`✖ ${name}: done differently\n    ours:     ${ours}\n    upstream: ${reference}`);
    }
  }
  compare(`round ${number}`, acts, await Promise.all(sites.map((site) => settle(site, acts, waitMs))));
  await Promise.all(
    sites.map(async ({ server }) => {
      await server.stop();
      await server.start();
    }),
  );
  compare(`round ${number}, after a restart`, acts, await Promise.all(sites.map((site) => settle(site, acts, Math.min(waitMs, 25_000)))));
}

async function namesOf({ server }: Site, path: string): Promise<string> {
  const { items } = JSON.parse((await server.request('GET', path)).body) as { items: { metadata: { name: string; namespace?: string } }[] };
  return items.map(({ metadata: { name, namespace = '' } }) => `${namespace}/${name}`).join('\n');
}

try {
  await using firstEtcd = await EtcdProcess.start();
  await using secondEtcd = await EtcdProcess.start();
  const executable = installOurs(join(root, 'package'));
  const ours = await open('ours', executable, firstEtcd);
  await using _ours = ours.server;
  await using _oursEtcd = ours.etcd;
  const reference = await open('reference', findReference('kube-apiserver'), secondEtcd, ours.server);
  await using _reference = reference.server;
  await using _referenceEtcd = reference.etcd;
  const sites = [ours, reference];
  for (const step of preparation) for (const site of sites) await take(site, step);
  // The reference notices a new definition after a while.
  await sleep(5000);
  const all = rounds(identityOf(hostname()), advertised);
  for (const [index, acts] of all.entries()) await playRound(sites, acts, index + 1);
  for (const path of lists) {
    const [mine = '', theirs = ''] = await Promise.all(sites.map((site) => namesOf(site, path)));
    compared++;
    if (mine === theirs) continue;
    failed++;
    console.log(`✖ ${path}\n${textDiff(theirs, mine)}`);
  }
  const acts = all.reduce((sum, round) => sum + round.length, 0);
  console.log(`${failed === 0 ? '✔' : '✖'} ${acts} acts, ${compared} comparisons, ${failed} differ`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/**
 * `npm run bench:in-process [-- --rounds 20] [--servers 100] [--cycles 200] [--objects 10000] [--no-upstream]`: what a server in the process of a
 * test costs: times to import, start, create and stop beside upstream's start, memory of many servers, what cycles leave behind, and times of
 * snapshots. Needs the programs unless --no-upstream.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { bareServer, medians, times } from '../package/measure.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    servers: { type: 'string', default: '100' },
    cycles: { type: 'string', default: '200' },
    objects: { type: 'string', default: '10000' },
    'no-upstream': { type: 'boolean', default: false },
  },
});
const [rounds, servers, cycles, objects] = [values.rounds, values.servers, values.cycles, values.objects].map(Number) as [
  number,
  number,
  number,
  number,
];

const beginning = `
import { startTestServer } from 'wheelhouse/testing';
const held = () => { for (let i = 0; i < 4; i++) gc(); const { heapUsed, external } = process.memoryUsage(); return (heapUsed + external) / 1e6; };
const rss = () => process.memoryUsage().rss / 1e6;
const create = (server, name) => server.client().resource('v1', 'ConfigMap', 'default').create({ metadata: { name } });
const rest = () => new Promise((resolve) => setTimeout(resolve, 500));
const fixed = (n) => n.toFixed(1);
`;

/** The server is used before it is counted, as tests use it. */
const manyServers = `${beginning}
const use = async () => { const server = await startTestServer(); await create(server, 'a'); return server; };
const all = [await use()];
await rest();
const [before, beforeRss] = [held(), rss()];
for (let i = 1; i < ${servers}; i++) all.push(await use());
await rest();
const [after, afterRss] = [held(), rss()];
console.log(all.length + ' servers: ' + fixed((after - before) / (all.length - 1)) + ' MB held by each further one, ' + fixed((afterRss - beforeRss) / (all.length - 1)) + ' MB resident');
for (const server of all) await server.stop();
`;

const manyCycles = `${beginning}
const cycle = async () => { const server = await startTestServer(); await create(server, 'a'); await server.stop(); };
for (let i = 0; i < 20; i++) await cycle();
await rest();
const [before, beforeHandles] = [held(), process.getActiveResourcesInfo().length];
for (let i = 20; i < ${cycles}; i++) await cycle();
await rest();
const [after, handles] = [held(), process.getActiveResourcesInfo().length];
console.log('${cycles} cycles: ' + fixed(before) + ' MB held after 20, ' + fixed(after) + ' MB after all; handles ' + beforeHandles + ', ' + handles);
if (after > before * 1.25 + 4 || handles > beforeHandles) process.exitCode = 1;
`;

const snapshots = `${beginning}
const server = await startTestServer();
const client = server.client().resource('v1', 'ConfigMap', 'default');
const names = Array.from({ length: ${objects} }, (_, i) => 'm-' + i);
const all = async (work, some = names) => { for (let i = 0; i < some.length; i += 100) await Promise.all(some.slice(i, i + 100).map(work)); };
await all((name) => client.create({ metadata: { name }, data: { a: 'x'.repeat(500) } }));
const forks = [];
const start = server.snapshot();
const cpu = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
async function median(rounds, work, before = async () => {}) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    await before(i);
    const [began, cpuBegan] = [performance.now(), cpu()];
    await work();
    times.push([performance.now() - began, cpu() - cpuBegan]);
  }
  const middle = (at) => times.map((pair) => pair[at]).sort((a, b) => a - b)[rounds >> 1].toFixed(2);
  return middle(0) + ' ms (CPU ' + middle(1) + ')';
}
const restoreOf = (changes, rounds) => median(rounds, () => server.restore(start), (i) => all((name) => client.patch(name, { data: { b: String(i) } }), names.slice(0, changes)));
console.log('${objects} objects in a server: snapshot ' + (await median(${rounds}, () => server.snapshot())) +
  ', restore of one change ' + (await median(${rounds}, () => server.restore(start), (i) => client.patch('m-' + i, { data: { b: String(i) } }))) +
  ', of 10 changes ' + (await restoreOf(10, ${rounds})) + ', of 1000 changes ' + (await restoreOf(1000, 5)) + ', of ${objects} changes ' + (await restoreOf(${objects}, 5)) +
  ', a fork started ' + (await median(${rounds}, async () => void forks.push(await server.fork()), async () => forks.pop()?.stop())));
await forks.pop()?.stop();
await server.stop();
`;

/** As envtest starts it: etcd, then the API server, until it is ready. */
async function upstreamStart(folder: string): Promise<number> {
  const began = performance.now();
  await using etcd = await EtcdProcess.start({ binary: findReference('etcd') });
  await using _server = await ApiServerProcess.start({
    executable: findReference('kube-apiserver'),
    folder,
    storage: { etcd: etcd.endpoint },
  });
  return performance.now() - began;
}

/** The median, in whole milliseconds. */
function middle(all: readonly number[]): number {
  return Math.round(all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN);
}

function readyAfter([importing = NaN, starting = NaN]: readonly number[]): number {
  return importing + starting;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-in-process-'));
try {
  installOurs(join(root, 'package'));
  const project = join(root, 'project');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'package'), join(project, 'node_modules/wheelhouse'));
  cpSync(join(import.meta.dirname, '../../examples/typescript/call.cjs'), join(project, 'call.cjs'));
  const ours: number[][] = [];
  const bare: number[][] = [];
  const theirs: number[] = [];
  // In turns, so that both have the same machine.
  for (let round = 0; round < rounds; round++) {
    ours.push(times(process.execPath, project));
    bare.push(times(process.execPath, project, bareServer));
    if (!values['no-upstream']) theirs.push(await upstreamStart(join(root, `upstream-${round}`)));
  }
  console.log(`startTestServer(), in ms, medians of ${rounds}: ${medians(ours)}`);
  console.log(`startApiServer(), in ms, medians of ${rounds}: ${medians(bare)}; import and start together ${middle(bare.map(readyAfter))}`);
  if (theirs.length > 0) {
    const [start, whole] = [middle(theirs), middle(ours.map((parts) => parts.reduce((sum, part) => sum + part)))];
    console.log(`upstream's start ${start}, ${(start / whole).toFixed(1)} times all of ours together (${whole})`);
  }
  for (const script of [manyServers, manyCycles, snapshots]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], {
      cwd: project,
      encoding: 'utf8',
      timeout: 600_000,
    });
    console.log(stdout.trim() || stderr);
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

/**
 * `npm run bench [-- --quick] [-- --rounds N] [-- --etcd] [-- --json FILE] [-- --svg FILE] [-- --against EXECUTABLE] [-- --rest MINUTES,...] [-- PHASE ...]`: what our server costs beside upstream, or beside
 * another build of ours, in one run on one machine.
 * The two take turns within every phase. Ours keeps its state in the embedded store, upstream in an etcd that syncs to disk, with `--etcd` each in one of its own;
 * CPU is the API server's alone, without etcd's. Exits with 1 when a target is missed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { Contender } from './contender.ts';
import type { ContenderName } from './contender.ts';
import type { Effort, Phase, PhaseContext, Row } from './phase.ts';
import { idle } from './phases/idle.ts';
import { list } from './phases/list.ts';
import { loaded } from './phases/loaded.ts';
import { objectPhases } from './phases/objects.ts';
import { start } from './phases/start.ts';
import { watch } from './phases/watch.ts';
import { podLists } from './phases/pod-lists.ts';
import { chart } from './chart.ts';
import { isMet, meanRatio, renderRow, tableHead } from './report.ts';

/** In this order; `idle` must find unused servers, `loaded` those that have done all the rest. */
const phases: readonly Phase[] = [start, idle, ...objectPhases, list, podLists, watch, loaded];

const efforts: Record<'full' | 'quick', Effort> = { full: { rounds: 3, sliceMs: 2500 }, quick: { rounds: 1, sliceMs: 800 } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    /** how many count; code of ours that a request runs once is compiled by the twenty thousandth, so that more show what a server settles at */
    rounds: { type: 'string' },
    /** ours in an etcd as well */
    etcd: { type: 'boolean', default: false },
    json: { type: 'string', default: join('.cache', 'bench.json') },
    svg: { type: 'string', default: join('.cache', 'bench.svg') },
    'cpu-prof': { type: 'string' },
    /** minutes after the load at which memory is looked at again */
    rest: { type: 'string', default: '1' },
    /** another build of ours in place of upstream */
    against: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !phases.some((phase) => phase.name === name));
if (unknown.length > 0) throw new Error(`no phase ${unknown.join(', ')}; there are ${phases.map(({ name }) => name).join(', ')}`);

const effort = efforts[values.quick ? 'quick' : 'full'];
const rounds = values.rounds === undefined ? effort.rounds : Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds}: a number of at least 1 is expected`);
const began = performance.now();
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executables: Record<ContenderName, string> = {
  ours: installOurs(join(root, 'package')),
  reference: values.against ?? findReference('kube-apiserver'),
};

/** A fast server writes more revisions than the 2 GB that an etcd takes by default, before the first of them are compacted. */
const room = ['--quota-backend-bytes=8589934592'];

let prepared = 0;
async function prepare(name: ContenderName, environment: NodeJS.ProcessEnv = {}): Promise<Contender> {
  const folder = join(root, `${name}-${prepared++}`);
  const storage =
    !values.etcd && (name === 'ours' || values.against !== undefined)
      ? 'embedded'
      : { etcd: owned.use(await EtcdProcess.start({ fsync: true, dataFolder: folder, flags: room })).endpoint };
  const server = owned.use(await ApiServerProcess.prepare({ executable: executables[name], folder, storage, environment }));
  return new Contender(name, server);
}

const profile = values['cpu-prof'];
const environment = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(process.cwd(), profile)}` };
const contenders = { ours: await prepare('ours', environment), reference: await prepare('reference') };
for (const { server } of Object.values(contenders)) await server.start();

const context: PhaseContext = {
  contenders,
  effort: { ...effort, rounds },
  onEtcd: values.etcd,
  restMinutes: values.rest.split(',').map(Number),
  prepare,
};
const rows: Row[] = [];
console.log(tableHead);
const chosen = phases.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const [index, phase] of chosen.entries()) {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.error(`${phase.name}: ${index + 1} of ${chosen.length}, after ${seconds} s`);
  for await (const row of phase.run(context)) {
    rows.push(row);
    console.log(renderRow(row));
  }
}
for (const { server } of Object.values(contenders)) await server.stop();

const missed = rows.flatMap((row) =>
  (row.targets ?? []).filter((target) => !isMet(row, target)).map((target) => ({ row: row.name, target })),
);
const machine = { cpus: cpus().length, model: cpus()[0]?.model, loadAverage: loadavg() };
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ machine, effort: context.effort, rows, missed }, undefined, 2)}\n`);
const against = values.against === undefined ? 'upstream' : values.against;
const title = `${against}${values.etcd ? ', each on an etcd' : ''}; ${machine.cpus} × ${machine.model ?? 'CPU'}, load ${machine.loadAverage.map((one) => one.toFixed(1)).join(' ')}`;
mkdirSync(dirname(values.svg), { recursive: true });
writeFileSync(values.svg, chart(rows, `Ours beside ${title}`));
const means = (['cpu', 'rate'] as const).map((metric) => `${metric} ${meanRatio(rows, metric).toFixed(3)}`).join(', ');
console.log(`\ngeometric mean of ratios: ${means} (goals 0.12 and 5); chart in ${values.svg}`);
console.log(`${Math.round((performance.now() - began) / 1000)} s; figures in ${values.json}; targets missed: ${missed.length}`);
process.exitCode = missed.length > 0 ? 1 : 0;

/**
 * `npm run test:e2e [-- --only PATTERN] [--sides upstream,ours] [--folder DIR] [--kubeconfig FILE] [--list]`: upstream's e2e specs that need no
 * container runtime (e2e-specs.ts), with upstream's controllers and scheduler, and kwok in place of kubelets. What passes on upstream must pass
 * on ours. Logs and verdicts are kept in `--folder`, and what has a verdict there is not run again; `--kubeconfig` asks a server that runs
 * already, as the one side that is named, and takes any spec that `--only` names. Needs the programs, and e2e.test (`npm run programs -- e2e.test`).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kubernetesRelease } from '../../tools/kubernetes-release.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { Controllers } from '../servers/controllers.ts';
import { makeFakeNodes } from '../servers/fake-nodes.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { e2eSpecs, leftOut } from './e2e-specs.ts';
import type { Side } from './verdicts.ts';
import { Verdicts } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sides: { type: 'string', default: 'upstream,ours' },
    folder: { type: 'string' },
    kubeconfig: { type: 'string' },
    list: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '15' },
  },
});

/** specs in one run of e2e.test */
const atOnce = 20;
const nodes = 2;

interface Spec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message: string };
}

const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'));
const folder = values.folder ?? join(scratch, 'results');
const program = findReference('e2e.test');
const groupOf = (name: string): string => /^\[sig-([^\]]*)\]/.exec(name)?.[1] ?? '';
const only = new RegExp(values.only);
try {
  process.exitCode = await compare();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function compare(): Promise<number> {
  const chosen = specNames().filter((name) => only.test(name) && (values.kubeconfig !== undefined || isSuitable(name)));
  if (values.list) {
    for (const name of chosen) console.log(name);
    return 0;
  }
  const verdicts = new Verdicts(folder);
  console.log(`${chosen.length} specs`);
  for (const side of values.sides.split(',') as Side[]) {
    const left = chosen.filter((name) => !verdicts.has(side, name));
    if (left.length > 0) await play(side, left, verdicts);
  }
  return verdicts.report(groupOf);
}

function specNames(): string[] {
  const listed = execFileSync(program, ['--list-tests'], { encoding: 'utf8', cwd: scratch, maxBuffer: 64 << 20 });
  return Array.from(listed.matchAll(/^ +\S+:\d+: (\[sig-.*)$/gm), ([, name = '']) => name);
}

function isSuitable(name: string): boolean {
  const patterns = e2eSpecs[groupOf(name)] ?? [];
  return !leftOut.test(name) && patterns.some((pattern) => new RegExp(`^\\[sig-[^\\]]*\\] ${pattern}`).test(name));
}

async function play(side: Side, names: readonly string[], verdicts: Verdicts): Promise<void> {
  if (values.kubeconfig !== undefined) return playAll(values.kubeconfig, side, names, verdicts);
  await using etcd = side === 'upstream' ? await EtcdProcess.start({ binary: findReference('etcd') }) : undefined;
  await using server = await ApiServerProcess.start({
    executable: side === 'ours' ? installOurs(join(scratch, 'package')) : findReference('kube-apiserver'),
    folder: join(scratch, side),
    storage: etcd === undefined ? 'embedded' : { etcd: etcd.endpoint },
  });
  const home = join(scratch, `${side}-controllers`);
  mkdirSync(home);
  const stages = join(home, 'stages.yaml');
  const template = readFileSync(join(import.meta.dirname, 'e2e-stages.yaml'), 'utf8');
  writeFileSync(stages, template.replace('KUBERNETES-VERSION', kubernetesRelease.version));
  await using _controllers = await Controllers.start(server, home, stages);
  await makeFakeNodes(server, nodes);
  await playAll(server.files.kubeconfig, side, names, verdicts);
}

async function playAll(kubeconfig: string, side: Side, names: readonly string[], verdicts: Verdicts): Promise<void> {
  for (let index = 0; index < names.length; index += atOnce) {
    const asked = names.slice(index, index + atOnce);
    for (const spec of await playSome(kubeconfig, side, asked)) {
      const name = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
      if (spec.LeafNodeType !== 'It' || !asked.includes(name) || spec.State === 'skipped') continue;
      const hasPassed = spec.State === 'passed';
      verdicts.add(side, name, hasPassed);
      console.log(`${side.padEnd(8)} ${spec.State} ${(spec.RunTime / 1e9).toFixed(1)} s ${name}`);
      if (!hasPassed) console.log(`  ${spec.Failure?.Message.slice(0, 1000).replaceAll('\n', '\n  ') ?? ''}`);
    }
    console.log(`${side}: ${Math.min(index + atOnce, names.length)} of ${names.length}`);
  }
}

async function playSome(kubeconfig: string, side: Side, names: readonly string[]): Promise<readonly Spec[]> {
  const report = join(scratch, 'report.json');
  rmSync(report, { force: true });
  const log = openSync(join(folder, `${side}.log`), 'a');
  const child = spawn(
    program,
    [
      `--kubeconfig=${kubeconfig}`,
      `--kubectl-path=${findReference('kubectl')}`,
      '--provider=skeleton',
      `--num-nodes=${nodes}`,
      `--ginkgo.focus=${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')}`,
      `--ginkgo.timeout=${values.minutes}m`,
      `--ginkgo.json-report=${report}`,
      '--ginkgo.no-color',
    ],
    { stdio: ['ignore', log, log], cwd: scratch },
  );
  closeSync(log);
  await once(child, 'exit');
  if (!existsSync(report)) throw new Error(`e2e.test reported nothing; see ${join(folder, `${side}.log`)}`);
  const [suite] = JSON.parse(readFileSync(report, 'utf8')) as { SpecReports: Spec[] | null }[];
  return suite?.SpecReports ?? [];
}

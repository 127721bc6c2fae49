/**
 * `npm run test:controller-runtime [-- --only PATTERN] [--sets upstream,ours,ours-real-etcd] [--keep]`: controller-runtime's own tests of all its
 * packages that start a control plane, with KUBEBUILDER_ASSETS of upstream, of `wheelhouse envtest`, and of `wheelhouse envtest --etcd`. What
 * passes on upstream must pass on ours. The module comes from Go's module cache, and is copied, since its tests write beside their sources.
 * Needs Go and the programs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const suiteModule = 'sigs.k8s.io/controller-runtime';
const version = 'v0.25.0';
/** They download programs of Kubernetes 1.28 and use these, whatever the assets are. */
const ofAnotherServer = '-test.skip=/aggregatedDiscovery=false$';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sets: { type: 'string', default: 'upstream,ours,ours-real-etcd' },
    keep: { type: 'boolean', default: false },
  },
});

interface Package {
  /** below the module */
  readonly path: string;
  readonly program: string;
}

interface Verdicts {
  readonly passed: Set<string>;
  readonly failed: Set<string>;
  ms: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-controller-runtime-'));
const sources = join(scratch, 'module');
const servers = join(scratch, 'servers');
mkdirSync(servers);
try {
  process.exitCode = compare();
} finally {
  if (values.keep) console.log(`the output of every package is in ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
}

function go(...args: string[]): string {
  return execFileSync('go', args, { cwd: sources, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 << 20 });
}

function fetchModule(): void {
  const downloaded = execFileSync('go', ['mod', 'download', '-json', `${suiteModule}@${version}`], { cwd: scratch, encoding: 'utf8' });
  cpSync((JSON.parse(downloaded) as { Dir: string }).Dir, sources, { recursive: true });
  // Modules forget which files are programs; some of its tests start scripts.
  execFileSync('chmod', ['-R', 'u+rwx', sources]);
}

/** The test programs of the packages that start a control plane, and how many packages have tests that start none. */
function build(): { packages: Package[]; others: number } {
  const starters = [`${suiteModule}/pkg/envtest`, `${suiteModule}/pkg/internal/testing/controlplane`];
  const template = '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}{{end}}';
  const tested = go('list', '-f', template, './pkg/...')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/));
  const starting = tested.filter((names) => names.some((name) => starters.includes(name))).map(([name = '']) => name);
  const chosen = starting.map((name) => relative(suiteModule, name)).filter((path) => new RegExp(values.only).test(path));
  mkdirSync(join(scratch, 'programs'));
  const packages = chosen.map((path) => {
    const program = join(scratch, 'programs', path.replaceAll('/', '-'));
    go('test', '-c', '-o', program, `./${path}`);
    return { path, program };
  });
  return { packages, others: tested.length - starting.length };
}

/** Folders for KUBEBUILDER_ASSETS, by name. */
function makeAssets(): ReadonlyMap<string, string> {
  const upstream = join(scratch, 'upstream');
  mkdirSync(upstream);
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'] as const) symlinkSync(findReference(name), join(upstream, name));
  const command = join(dirname(installOurs(join(scratch, 'package'))), 'wheelhouse.js');
  const prepare = (name: string, ...flags: string[]): string =>
    execFileSync(process.execPath, [command, 'envtest', '--dir', join(scratch, name), ...flags], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${upstream}:${process.env['PATH'] ?? ''}` },
    }).trim();
  const all: Readonly<Record<string, () => string>> = {
    upstream: () => upstream,
    ours: () => prepare('ours'),
    'ours-real-etcd': () => prepare('ours-real-etcd', '--etcd', findReference('etcd')),
  };
  return new Map(
    values.sets.split(',').map((name) => {
      const make = all[name];
      if (make === undefined) throw new Error(`no set ${name}; there are ${Object.keys(all).join(', ')}`);
      return [name, make()];
    }),
  );
}

function unescape(text: string): string {
  return text.replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function run({ path, program }: Package, set: string, assets: string, verdicts: Verdicts): string {
  const cwd = join(sources, path);
  const report = join(scratch, 'report.xml');
  rmSync(report, { force: true });
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(
    program,
    ['-test.v', '-test.timeout=10m', ofAnotherServer, `-ginkgo.junit-report=${report}`],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 256 << 20,
      env: { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: servers, ZAP_LOG_LEVEL: 'error' },
    },
  );
  const ms = performance.now() - began;
  verdicts.ms += ms;
  endLeftovers();
  writeFileSync(join(scratch, `${set}-${path.replaceAll('/', '-')}.log`), stdout + stderr);
  const [passed, failed] = [new Set<string>(), new Set<string>()];
  for (const [, verdict, name] of stdout.matchAll(/^ *--- (PASS|FAIL): (\S+)/gm))
    (verdict === 'PASS' ? passed : failed).add(`${path}: ${name}`);
  if (existsSync(report))
    for (const [, name = '', verdict] of readFileSync(report, 'utf8').matchAll(/<testcase name="([^"]*)"[^>]*? status="(\w+)"/g)) {
      if (verdict === 'skipped' || verdict === 'pending') continue;
      (verdict === 'passed' ? passed : failed).add(`${path}: ${unescape(name)}`);
    }
  // A program that dies has a verdict on nothing.
  if (status !== 0 && failed.size === 0) failed.add(`${path}: ended with ${String(status)}`);
  for (const name of passed) if (!failed.has(name)) verdicts.passed.add(name);
  for (const name of failed) verdicts.failed.add(name);
  return `${passed.size} passed, ${failed.size} failed, ${(ms / 1000).toFixed(1)} s`;
}

/** Some packages never stop what they have started: servers whose files are where envtest puts them, in a folder of this run. */
function endLeftovers(): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(servers)) process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // It has ended by itself.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function compare(): number {
  fetchModule();
  const assets = makeAssets();
  const { packages, others } = build();
  console.log(`${suiteModule} ${version}: ${packages.length} packages; ${others} more have tests that start no control plane`);
  const verdicts = new Map([...assets.keys()].map((set) => [set, { passed: new Set<string>(), failed: new Set<string>(), ms: 0 }]));
  for (const one of packages)
    for (const [set, folder] of assets)
      console.log(`${one.path.padEnd(34)} ${set.padEnd(14)} ${run(one, set, folder, verdicts.get(set)!)}`);
  for (const [set, { passed, failed, ms }] of verdicts) {
    console.log(`${set.padEnd(14)} ${passed.size} passed, ${failed.size} failed, ${(ms / 1000).toFixed(0)} s`);
    for (const name of failed) console.log(`  failed  ${name}`);
  }
  const upstream = verdicts.get('upstream');
  let missing = 0;
  for (const [set, { passed }] of verdicts) {
    for (const name of upstream?.passed ?? []) {
      if (passed.has(name)) continue;
      missing++;
      console.log(`  passes on upstream, not on ${set}: ${name}`);
    }
  }
  // Without upstream there is only our own verdict.
  const failures = upstream === undefined ? [...verdicts.values()].reduce((sum, { failed }) => sum + failed.size, 0) : missing;
  const isEmpty = [...verdicts.values()].some(({ passed }) => passed.size === 0);
  return failures === 0 && !isEmpty ? 0 : 1;
}

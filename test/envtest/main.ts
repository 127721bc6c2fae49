/**
 * npm run test:envtest    the operator of examples/go-envtest under controller-runtime's envtest: with our assets, with ours on a real etcd, with
 * upstream's, and the commands of docs/guides/test-an-operator.md. Needs Go and the programs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/go-envtest');
const scratch = mkdtempSync(join(tmpdir(), 'envtest-'));
// Bundled, as users have it.
const command = join(dirname(installOurs(join(scratch, 'package'))), 'wheelhouse.js');
const rounds = Number(process.argv[2] ?? 3);
let failures = 0;

function assets(name: string, ...flags: string[]): string {
  const folder = join(scratch, name);
  return execFileSync(process.execPath, [command, 'envtest', '--dir', folder, ...flags], {
    encoding: 'utf8',
  }).trim();
}

function referenceAssets(): string {
  const folder = mkdtempSync(join(scratch, 'reference-'));
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'] as const) symlinkSync(findReference(name), join(folder, name));
  return folder;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

try {
  const binary = join(scratch, 'greeting.test');
  execFileSync('go', ['test', '-c', '-o', binary, '.'], { cwd: example, stdio: 'inherit' });
  const sets: readonly (readonly [string, string, Record<string, string>])[] = [
    ['wheelhouse, its own etcd', assets('ours'), {}],
    ['wheelhouse, its own etcd, controllers', assets('controllers', '--embedded-controllers'), { WHEELHOUSE_EMBEDDED_CONTROLLERS: 'true' }],
    ['wheelhouse, a real etcd', assets('real-etcd', '--etcd', findReference('etcd')), {}],
    ['upstream', referenceAssets(), {}],
  ];
  const times = new Map(sets.map(([name]) => [name, { start: [] as number[], stop: [] as number[], all: [] as number[] }]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, folder, environment] of sets) {
      const began = performance.now();
      const env = { ...process.env, KUBEBUILDER_ASSETS: folder, ...environment };
      const { status, stdout, stderr } = spawnSync(binary, ['-test.v', '-test.count=1'], { cwd: example, encoding: 'utf8', env });
      const of = times.get(name)!;
      of.all.push(performance.now() - began);
      of.start.push(Number(/environment started in (\d+) ms/.exec(stdout)?.[1]));
      of.stop.push(Number(/environment stopped in (\d+) ms/.exec(stdout)?.[1]));
      if (status === 0) continue;
      failures++;
      console.log(`${name}: failed\n${stdout}${stderr}`);
    }
  }
  for (const [name, { start, stop, all }] of times) {
    const [started, stopped, whole] = [start, stop, all].map((values) => `${Math.round(median(values))} ms`);
    console.log(`${name.padEnd(40)} start ${started}, stop ${stopped}, whole test ${whole} (medians of ${rounds})`);
  }
  const guide = readFileSync(join(root, 'docs/guides/test-an-operator.md'), 'utf8');
  for (const [, commands = ''] of guide.matchAll(/^```sh\n(.*?)^```$/gms)) {
    const { status } = spawnSync('sh', ['-euc', commands.replaceAll('npx wheelhouse', `${process.execPath} ${command}`)], {
      cwd: root,
      stdio: 'inherit',
    });
    console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${commands.trim().replaceAll('\n', '; ')}`);
    if (status !== 0) failures++;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

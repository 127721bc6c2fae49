/**
 * `npm run test:examples [-- NAME...]`: the example projects, each with its own tools, against a server that `npx wheelhouse` starts for it. A
 * language that is not installed is skipped, with a line that says so; whatever else goes wrong is a failure. Needs the registries of the languages.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../etcd/etcd-process.ts';
import { installOurs } from '../servers/our-package.ts';

type Command = readonly [program: string, ...args: string[]];

interface Example {
  readonly folder: string;
  /** says that the language is there */
  readonly tool: Command;
  /** done in a copy of the folder, one after the other */
  readonly commands: readonly Command[];
  readonly environment?: NodeJS.ProcessEnv;
}

const examples = new Map<string, Example>([
  [
    'python',
    {
      folder: 'python',
      tool: ['python3', '-m', 'venv', '--help'],
      commands: [
        ['python3', '-m', 'venv', '.venv'],
        ['.venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'],
        ['.venv/bin/python', '-m', 'unittest', '-v'],
      ],
    },
  ],
  ['java', { folder: 'java', tool: ['mvn', '--version'], commands: [['mvn', '-q', '-B', 'test']] }],
  [
    'rust',
    {
      folder: 'rust',
      tool: ['cargo', '--version'],
      commands: [['cargo', 'test', '--locked', '--quiet']],
      // Dependencies take minutes to build: they are kept.
      environment: { CARGO_TARGET_DIR: join(tmpdir(), 'wheelhouse-example-rust') },
    },
  ],
  ['go', { folder: 'go-envtest', tool: ['go', 'version'], commands: [['go', 'test', '-count=1', '-v', './snapshots']] }],
  [
    'typescript',
    {
      folder: 'typescript',
      tool: ['npm', '--version'],
      commands: [
        ['npm', 'install', '--silent', '--no-audit', '--save-dev', 'file:../package'],
        ['node_modules/.bin/vitest', 'run', 'client.spec.ts', 'vitest.spec.ts'],
      ],
    },
  ],
]);

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !examples.has(name));
if (unknown !== undefined) throw new Error(`no example ${unknown}; there are ${[...examples.keys()].join(', ')}`);

const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-examples-'));
const command = join(dirname(installOurs(join(scratch, 'package'))), 'wheelhouse.js');

/** Runs `work` with the environment of a client of a server of its own. */
async function withServer(name: string, work: (environment: NodeJS.ProcessEnv) => boolean): Promise<boolean> {
  const folder = join(scratch, `${name}-server`);
  mkdirSync(folder);
  const args = [command, `--secure-port=${await freePort()}`, '--data-dir=data', '--wheelhouse-api=snapshots'];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve) =>
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ctrl-C stops it.')) resolve();
    }),
  );
  try {
    await Promise.race([ready, exited]);
    const kubeconfig = /export KUBECONFIG=(.*)/.exec(said)?.[1]?.replace('$PWD', folder);
    if (kubeconfig === undefined) throw new Error(`the server did not start:\n${said}`);
    return work({ KUBECONFIG: kubeconfig });
  } finally {
    server.kill('SIGINT');
    await exited;
  }
}

function run({ folder, commands, environment }: Example, client: NodeJS.ProcessEnv): boolean {
  const cwd = join(scratch, folder);
  cpSync(join(import.meta.dirname, '../../examples', folder), cwd, { recursive: true });
  const env = { ...process.env, ...client, ...environment };
  return commands.every(([program, ...args]) => {
    const { status, error } = spawnSync(program, args, { cwd, env, stdio: 'inherit', timeout: 1_200_000 });
    if (status !== 0) console.log(`${program} ${args.join(' ')}: ${error?.message ?? `exit code ${String(status)}`}`);
    return status === 0;
  });
}

const results: string[] = [];
const counts = { passed: 0, failed: 0 };
try {
  for (const [name, example] of examples) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const [program, ...args] = example.tool;
    if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) {
      results.push(`${name}: SKIPPED, ${program} is not installed`);
      continue;
    }
    const began = performance.now();
    const passed = await withServer(name, (client) => run(example, client));
    results.push(`${name}: ${passed ? 'passed' : 'FAILED'} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    counts[passed ? 'passed' : 'failed']++;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(results.join('\n'));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

// npm run test:package: the package as its users get it. Packs it, installs the tarball into a copy of examples/typescript, and runs the
// examples there and those of the README on every Node that `engines` names, with publint and attw. Needs the npm registry.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { medians, times } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'wheelhouse-package-'));
const project = join(work, 'project');
const nodeVersions = ['22.15.0', '22.23.3', '24.21.0'];
const judges = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly expected?: RegExp;
  /** exit code */
  readonly code?: number;
}

/** Standard output and error of a command that must end by itself; throws what it said when it ends otherwise. */
function run(program: string, args: readonly string[], { cwd = project, path = '', code = 0 } = {}): string {
  const env = { ...process.env, PATH: `${path === '' ? '' : `${path}:`}${process.env['PATH']}`, NO_COLOR: '1' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 240_000 });
  if (error !== undefined || status !== code)
    throw new Error(`${program} ${args.join(' ')} ended with ${status ?? error?.message}\n${stdout}${stderr}`);
  return stdout + stderr;
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly entryCount: number;
}

function install(): string {
  run('npm', ['run', 'prepack'], { cwd: root });
  const packing = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', work];
  const [packed] = JSON.parse(spawnSync('npm', packing, { cwd: root, encoding: 'utf8' }).stdout) as [Packed];
  console.log(`package: ${packed.size} bytes, ${packed.unpackedSize} unpacked, ${packed.entryCount} files`);
  const tarball = join(work, packed.filename);
  cpSync(join(root, 'examples/typescript'), project, { recursive: true });
  run('npm', ['install', '--silent', '--save-dev', tarball, ...judges]);
  return tarball;
}

/** The folder of a Node of that version. */
function nodeFolder(version: string): string {
  const name = `node-${process.platform === 'darwin' ? 'bin-darwin' : process.platform}-${process.arch}`;
  const folder = join(work, `node-${version}`);
  mkdirSync(folder);
  run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder });
  run('tar', ['xzf', `${name}-${version}.tgz`], { cwd: folder });
  return join(folder, 'package/bin');
}

/** The README's examples, as they stand. */
function readmeExamples(): Command[] {
  const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```(js|cjs)\n([^]*?)^```/gm)];
  return blocks.map(([, language, code = ''], index) => {
    const file = `readme-${index}.${language === 'cjs' ? 'cjs' : 'mjs'}`;
    writeFileSync(join(project, file), code);
    return { name: `README, ${language} example`, args: [file] };
  });
}

function commands(): Command[] {
  const modes = [
    ['nodenext', 'nodenext'],
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ];
  return [
    ...readmeExamples(),
    { name: 'node:test', args: ['--test', 'node-test.test.mjs'] },
    { name: 'vitest', args: ['node_modules/vitest/vitest.mjs', 'run', 'client.spec.ts', 'vitest.spec.ts'] },
    { name: 'jest', args: ['node_modules/jest/bin/jest.js'] },
    ...modes.map(([module = '', resolution = '']) => ({
      name: `types, ${resolution}`,
      args: ['node_modules/typescript/bin/tsc', '-p', '.', '--module', module, '--moduleResolution', resolution],
    })),
    { name: 'wheelhouse --help', args: ['node_modules/.bin/wheelhouse', '--help'], expected: /^The Kubernetes API server/ },
    {
      name: 'wheelhouse nonsense',
      args: ['node_modules/.bin/wheelhouse', 'nonsense'],
      code: 1,
      expected: /^Error: unknown command "nonsense"[^\n]*\n$/,
    },
    {
      name: 'kube-apiserver --version',
      args: [
        '-e',
        'process.exitCode = child_process.spawnSync("node_modules/.bin/kube-apiserver", ["--version"], { stdio: "inherit" }).status',
      ],
      expected: /^Kubernetes v1\.37\.1\n/,
    },
  ];
}

/** The commands of the guide, as they stand there, in an empty folder; the package is this one. */
function guide(tarball: string, path: string): void {
  const folder = mkdtempSync(join(work, 'guide-'));
  const page = readFileSync(join(root, 'docs/guides/test-in-typescript.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const script = blocks.join('\n').replace('--save-dev wheelhouse ', `--silent --save-dev ${tarball} `);
  run('sh', ['-euc', script], { cwd: folder, path });
}

/** `npx wheelhouse` until it is ready, then Ctrl-C. */
async function developmentServer(folder: string): Promise<void> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const args = [`--secure-port=${port}`, `--data-dir=${join(work, `data-${port}`)}`];
  const server = spawn(join(project, 'node_modules/.bin/wheelhouse'), args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let isTold = false;
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      // The line may come in pieces.
      if (isTold || !/Ctrl-C stops it\.$/m.test(output)) return;
      isTold = true;
      server.kill('SIGINT');
    });
  }
  const code = await new Promise((resolve) => server.once('exit', resolve));
  if (code !== 0 || !/^stopped, data kept in /m.test(output) || /Warning/.test(output))
    throw new Error(`npx wheelhouse ended with ${String(code)}\n${output}`);
}

try {
  const tarball = install();
  run('node_modules/.bin/publint', ['--strict', tarball], { path: dirname(process.execPath) });
  run('node_modules/.bin/attw', [tarball], { path: dirname(process.execPath) });
  console.log('publint and attw: clean');
  for (const folder of [...nodeVersions.map(nodeFolder), dirname(process.execPath)]) {
    const node = join(folder, 'node');
    const version = run(node, ['--version']).trim();
    for (const { name, args, expected, code } of commands()) {
      const output = run(node, args, { path: folder, ...(code !== undefined && { code }) });
      if (expected !== undefined && !expected.test(output)) throw new Error(`${version}, ${name}:\n${output}`);
      console.log(`${version} ${name}: passed`);
    }
    guide(tarball, folder);
    console.log(`${version} guide to tests in TypeScript: passed`);
    await developmentServer(folder);
    console.log(`${version} npx wheelhouse: passed`);
    const rounds = Array.from({ length: 10 }, () => times(node, project));
    console.log(`${version} in ms, medians of 10: ${medians(rounds)}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

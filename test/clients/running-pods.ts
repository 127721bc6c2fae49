/**
 * `npm run test:pods`: the commands of docs/guides/running-pods.md, as they stand there, beside a development server.
 * Needs the programs of Kubernetes v1.37.1 (see README.md).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../etcd/etcd-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference, referenceFolder } from '../servers/reference-binaries.ts';

const root = join(import.meta.dirname, '../..');
for (const program of ['kube-controller-manager', 'kube-scheduler', 'kubectl', 'kwok'] as const) findReference(program);

const folder = mkdtempSync(join(tmpdir(), 'running-pods-'));
const executable = installOurs(join(folder, 'wheelhouse'));
cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });

const server = spawn(executable, ['dev', `--secure-port=${await freePort()}`], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
const stopped = once(server, 'exit');
try {
  for await (const text of server.stdout.setEncoding('utf8')) if (String(text).includes('Ctrl-C')) break;
  const blocks = [...readFileSync(join(root, 'docs/guides/running-pods.md'), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)];
  const script = ['set -e', "trap 'kill $(jobs -p)' EXIT", ...blocks.map(([, commands = '']) => commands)].join('\n');
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${referenceFolder()}:${process.env['PATH'] ?? ''}` },
  });
  const [code] = (await once(shell, 'exit')) as [number | null];
  console.log(code === 0 ? '1 passed, 0 failed' : `0 passed, 1 failed: exit code ${code}; logs are in ${folder}/wheelhouse-data`);
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  await stopped;
  if (process.exitCode === 0) rmSync(folder, { recursive: true });
}

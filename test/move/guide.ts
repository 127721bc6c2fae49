import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EtcdProcess, freePort } from '../etcd/etcd-process.ts';
import { findReference, referenceFolder } from '../servers/reference-binaries.ts';
import { executable } from './command.ts';

const page = join(import.meta.dirname, '../../docs/guides/backup-and-move.md');

/** The commands of the guide, as they stand there, but that servers listen on a port that is free. */
export async function guide(root: string): Promise<string> {
  findReference('kubectl');
  const folder = join(root, 'guide');
  mkdirSync(folder);
  await using etcd = await EtcdProcess.start();
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
  // A program, as npx is: a signal to the job must reach the server.
  const programs = join(root, 'programs');
  mkdirSync(programs);
  const npx = `#!/bin/sh
shift
case "$1" in -*) set -- "$@" --secure-port=${await freePort()} ;; esac
exec "${executable}" wheelhouse "$@"
`;
  writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 });
  const script = ['set -eux', "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT", ...blocks, 'echo reached the end'];
  const shell = spawn('bash', ['-c', script.join('\n')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ETCD: etcd.endpoint, PATH: `${programs}:${referenceFolder()}:${process.env['PATH'] ?? ''}` },
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(shell, 'close')) as [number | null];
  if (code !== 0 || !said.includes('reached the end')) throw new Error(`exit code ${code}\n${said}`);
  return `${blocks.length} blocks of commands`;
}

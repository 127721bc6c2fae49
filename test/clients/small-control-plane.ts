/**
 * `npm run test:control-plane`: the commands of docs/guides/small-control-plane.md; the command line of the systemd unit until it is ready and after
 * SIGTERM; and the files that the Containerfile puts into the image, which must be all that the server needs. The image itself is built where
 * podman or docker works. Needs kubectl.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../etcd/etcd-process.ts';
import { runGuide } from '../servers/guide-commands.ts';
import { installOurs } from '../servers/our-package.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-control-plane-'));

async function guide(executable: string): Promise<string> {
  const { blocks } = await runGuide({ page: 'small-control-plane.md', folder: join(scratch, 'guide'), executable, port: await freePort() });
  return `guide: ${blocks} blocks of commands`;
}

/** What systemd would start, with folders and a port that are free here. */
async function unit(): Promise<string> {
  const text = readFileSync(join(root, 'packaging/wheelhouse.service'), 'utf8');
  const line = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? '';
  const state = join(scratch, 'state');
  mkdirSync(state);
  const [program = '', ...args] = line
    .replaceAll('/opt/wheelhouse', join(scratch, 'package'))
    .replaceAll('/var/lib/wheelhouse', state)
    .replace('--secure-port=6443', `--secure-port=${await freePort()}`)
    .split(' ');
  const server = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (said.includes('Ctrl-C stops it.')) return;
    said += part;
    if (said.includes('Ctrl-C stops it.')) server.kill('SIGTERM');
  });
  const [code] = (await exited) as [number | null];
  if (code !== 0 || !said.includes('Ctrl-C stops it.')) throw new Error(`the unit's command ended with ${String(code)}\n${said}`);
  const verified = spawnSync('systemd-analyze', ['verify', join(root, 'packaging/wheelhouse.service')], { encoding: 'utf8' });
  if (verified.error !== undefined) return 'unit: started and stopped; systemd-analyze is not installed';
  // That /opt/wheelhouse is not there is no fault of the file.
  const problems = verified.stderr
    .split('\n')
    .filter((problem) => problem.includes('wheelhouse.service') && !problem.includes('not executable'));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return 'unit: started, stopped, verified';
}

function image(): string {
  const text = readFileSync(join(root, 'Containerfile'), 'utf8');
  const target = join(scratch, 'image');
  const copies = [...text.matchAll(/^COPY --from=build \/src\/(\S+) \/opt\/wheelhouse\/(\S+)$/gm)];
  for (const [, from = '', to = ''] of copies) cpSync(join(root, from), join(target, to), { recursive: true });
  const entry = /^ENTRYPOINT \["\/opt\/wheelhouse\/([^"]+)"\]$/m.exec(text)?.[1] ?? '';
  const version = execFileSync(join(target, entry), ['--version'], { encoding: 'utf8', cwd: target });
  if (!version.startsWith('Kubernetes v')) throw new Error(version);
  const builder = ['podman', 'docker'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (builder === undefined) return `image: its ${copies.length} parts start; not built, since neither podman nor docker works here`;
  execFileSync(builder, ['build', '--tag', 'wheelhouse-test', '.'], { cwd: root, stdio: 'inherit' });
  return `image: built by ${builder}`;
}

try {
  const executable = installOurs(join(scratch, 'package'));
  console.log(await guide(executable));
  console.log(await unit());
  console.log(image());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/**
 * `npm run test:unread-log [-- --ours EXECUTABLE]`: a server that logs everything to a pipe that is not read, to a full disk, or to nowhere,
 * and exports every request to a collector that is not there. It has to serve, keep its memory, and stop when it is asked to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as startRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareDevFiles } from '../../src/cli/dev-files.ts';
import { freePort } from '../etcd/etcd-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-unread-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = values.ours ?? installOurs(root);
const requests = 6000;
/** what so many requests cost a server that logs nothing is about half of it */
const mostGrowthMb = 200;
const stopLimitMs = 15_000;
const tracing = join(root, 'tracing.yaml');
writeFileSync(
  tracing,
  'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nendpoint: 127.0.0.1:1\nsamplingRatePerMillion: 1000000\n',
);

function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

const long = 'x'.repeat(2000);

async function play(name: string, output: 'pipe' | number, read: (stream: Readable) => void = (stream) => stream.pause()): Promise<string> {
  const folder = join(root, name.replaceAll(' ', '-'));
  mkdirSync(folder);
  const files = prepareDevFiles(folder, ['127.0.0.1']);
  const pki = join(files.authority, '..');
  const port = await freePort();
  const flags = ['dev', `--data-dir=${folder}`, `--secure-port=${port}`, '-v=10', `--tracing-config-file=${tracing}`];
  const child = spawn(executable, flags, { stdio: ['ignore', output, output] });
  // Both ends stay open.
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) read(stream);
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 8,
    ca: readFileSync(files.authority),
    cert: readFileSync(join(pki, 'admin.crt')),
    key: readFileSync(join(pki, 'admin.key')),
  });
  const ask = (): Promise<number> =>
    new Promise((resolve) => {
      const path = `/api/v1/namespaces/default/configmaps/none?x=${long}`;
      const asked = startRequest({ host: '127.0.0.1', port, path, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      asked.on('error', () => resolve(0));
      asked.end();
    });
  try {
    for (let attempt = 0; (await ask()) !== 404; attempt++) {
      if (attempt > 300) return 'it does not start';
      await sleep(100);
    }
    const before = residentMb(child.pid ?? 0);
    let left = requests;
    let failed = 0;
    const worker = async (): Promise<void> => {
      while (left-- > 0) if ((await ask()) !== 404) failed++;
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const grown = residentMb(child.pid ?? 0) - before;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await Promise.race([exited, sleep(stopLimitMs, ['it does not stop'])])) as [unknown];
    const problems = [
      ...(failed > 0 ? [`${failed} requests failed`] : []),
      ...(grown > mostGrowthMb ? [`memory grew by more than ${mostGrowthMb} MB`] : []),
      ...(code === 0 ? [] : [`exit: ${String(code)}`]),
    ];
    console.log(`${name}: ${requests} requests, ${failed} failed, memory ${before} MB + ${grown} MB, exit ${String(code)}`);
    return problems.join(', ');
  } finally {
    agent.destroy();
    child.kill('SIGKILL');
  }
}

/** One piece of what waits ten times a second: less than what comes. */
function slowly(stream: Readable): void {
  const timer = setInterval(() => stream.read(4096), 100);
  stream.on('close', () => clearInterval(timer));
}

const problems = [
  await play('a pipe that is not read', 'pipe'),
  await play('a pipe that is read slowly', 'pipe', slowly),
  await play('a full disk', openSync('/dev/full', 'w')),
  await play('nowhere', openSync('/dev/null', 'w')),
].filter((one) => one !== '');
for (const problem of problems) console.log(`problem: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/**
 * `npm run test:strangers [-- --seconds 5] [-- --connections 10000]`: what strangers on the network can do to others. Thousands of connections
 * that say nothing or say it slowly, and floods of requests taken back, SETTINGS, PING, CONTINUATION and responses that are not read, each for a
 * few seconds, on loopback. Meanwhile an administrator asks every few milliseconds; how long that takes is compared with a server left alone.
 * In the end the server is stopped in the middle of it all. Processes: this one, the server, the strangers, the administrator.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    executable: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
/** Others may wait five times as long as alone, and a few milliseconds always: what the server is doing when they ask is finished first. */
const allowedRatio = 5;
const leastMs = 1;
/** for a stop: watches and requests end at once, connections get two seconds */
const stopLimitMs = 10_000;

/** What a child is asked to do; it replies with one message. */
class Helper implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor(file: string, server: ApiServerProcess) {
    const told = [String(server.port), join(server.files.authority, '..'), String(server.pid)];
    this.#child = fork(join(import.meta.dirname, file), told, { stdio: 'inherit' });
  }

  async tell<T>(command: string, argument: unknown = null): Promise<T> {
    this.#child.send({ command, argument });
    const [answer] = (await once(this.#child, 'message')) as [T];
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

interface Shares {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Latencies {
  readonly count: number;
  readonly failed: number;
  /** how long the administrator waited by the clock: with strangers on the same machine partly for a processor, its own and the server's */
  readonly time: Shares;
  /** the same without that, as if they were on other machines */
  readonly wait: Shares;
  /** what the server did meanwhile, and while the administrator had its response and no processor */
  readonly work: Shares;
}

interface Usage {
  readonly cpuSeconds: number;
  readonly rssMegabytes: number;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-strangers-'));
try {
  process.exitCode = (await play()) ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function play(): Promise<boolean> {
  await using server = await ApiServerProcess.start({
    executable: values.executable ?? installOurs(join(root, 'package')),
    folder: join(root, 'server'),
    storage: 'embedded',
  });
  for (let index = 0; index < 300; index++) {
    await server.post('/api/v1/namespaces/default/configmaps', {
      metadata: { name: `large-${index}` },
      data: { text: 'x'.repeat(10_000) },
    });
  }
  await using administrator = new Helper('strangers-administrator.ts', server);
  await using strangers = new Helper('strangers-at-work.ts', server);
  // Everything is compiled and warm before it is measured.
  await administrator.tell('measure', seconds);
  const idle = await measured('alone', server, administrator);
  const before = usage(server.pid);
  let good = true;
  const judge = (latencies: Latencies): void => {
    if (latencies.failed === 0 && latencies.wait.p99 <= allowedRatio * Math.max(leastMs, idle.wait.p99)) return;
    console.log('    too much');
    good = false;
  };
  const wanted = (name: string): boolean => name.includes(values.only);
  if (wanted('silent and slow')) {
    const opened = await strangers.tell<string>('crowd', Number(values.connections));
    judge(await measured(`silent and slow: ${opened}`, server, administrator));
  }
  for (const flood of [
    'handshakes',
    'requests',
    'resets',
    'known-resets',
    'settings',
    'ping',
    'continuation',
    'window-updates',
    'zero-window',
    'never-reading',
  ]) {
    if (!wanted(flood)) continue;
    await strangers.tell('flood', flood);
    const latencies = await measured(flood, server, administrator);
    console.log(`    ${await strangers.tell<string>('calm')}`);
    judge(latencies);
  }
  const most = usage(server.pid).rssMegabytes;
  await strangers.tell('disperse');
  const after: number[] = [];
  for (const pause of [5, 10, 15]) {
    // The administrator goes on: memory is collected while there is work.
    await administrator.tell('measure', pause);
    after.push(usage(server.pid).rssMegabytes);
  }
  console.log(`memory: ${before.rssMegabytes} MB before, ${most} MB with strangers, ${after.join(', ')} MB after 5, 15, 30 s without`);
  if (Math.min(...after) > 2 * before.rssMegabytes) good = false;

  await strangers.tell('crowd', Math.min(2000, Number(values.connections)));
  await strangers.tell('flood', 'ping');
  const started = performance.now();
  await server.stop();
  const took = performance.now() - started;
  console.log(`stopped after ${Math.round(took)} ms with strangers at work`);
  if (took > stopLimitMs) good = false;
  console.log(good ? 'good' : 'not good');
  return good;
}

async function measured(name: string, server: ApiServerProcess, administrator: Helper): Promise<Latencies> {
  const start = usage(server.pid);
  const began = performance.now();
  const latencies = await administrator.tell<Latencies>('measure', seconds);
  const took = (performance.now() - began) / 1000;
  const end = usage(server.pid);
  const { time, wait, work, count, failed } = latencies;
  const shown = ({ p50, p99, max }: Shares): string => [p50, p99, max].map((value) => value.toFixed(1)).join(' / ');
  const times = `waited ${shown(time)} ms, not for a processor ${shown(wait)} ms  server worked ${shown(work)} ms`;
  const cpu = `${(((end.cpuSeconds - start.cpuSeconds) / took) * 100).toFixed(0)} % CPU`;
  console.log(`${name.padEnd(16)} ${times}  (${count} asked, ${failed} failed)  ${cpu}  ${end.rssMegabytes} MB`);
  return latencies;
}

/** Of a process, from the system. */
function usage(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rssMegabytes: Math.round(Number(rss) / 1024) };
}

/**
 * `npm run test:watchers [-- --watches 5000] [-- --objects 5000] [-- --only ours|upstream] [-- --limit 360]`: thousands of watches start at once, each with all objects as
 * its initial events, on ours and on upstream, one after the other. An administrator asks every few milliseconds meanwhile. Shown are how long
 * that takes beside a server left alone, the memory of the server at its peak, and when the last watch has its bookmark. Clients are another
 * process. Needs etcd and kube-apiserver of Kubernetes v1.37.1 (see ../servers/reference-binaries.ts), except with `--only ours`.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({
  options: {
    watches: { type: 'string', default: '5000' },
    objects: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
    executable: { type: 'string' },
    limit: { type: 'string', default: '360' },
  },
});
const [watches, objects] = [Number(values.watches), Number(values.objects)];
/** others may wait five times as long as alone, and a few milliseconds always */
const allowedRatio = 5;
const leastMs = 2;
const memoryShare = 1 / 4;
const aloneSeconds = 5;
/** after which the watches count as failed */
const limitSeconds = Number(values.limit);
const writers = 16;

interface Latencies {
  readonly count: number;
  readonly failed: number;
  readonly time: { readonly p50: number; readonly p99: number; readonly max: number };
}

interface Outcome {
  readonly alone: Latencies;
  readonly during: Latencies;
  readonly before: number;
  readonly peak: number;
  readonly failed: number;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-watchers-'));
try {
  const ours = values.only === 'upstream' ? undefined : await play('ours', values.executable ?? installOurs(join(root, 'package')));
  const upstream = values.only === 'ours' ? undefined : await playUpstream();
  process.exitCode = judge(ours, upstream) ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function playUpstream(): Promise<Outcome> {
  await using etcd = await EtcdProcess.start();
  return await play('upstream', findReference('kube-apiserver'), etcd.endpoint);
}

async function play(name: string, executable: string, etcd?: string): Promise<Outcome> {
  await using server = await ApiServerProcess.start({
    executable,
    folder: join(root, name),
    storage: etcd === undefined ? 'embedded' : { etcd },
  });
  let next = 0;
  const write = async (): Promise<void> => {
    for (let index = next++; index < objects; index = next++) {
      await server.post('/api/v1/namespaces/default/configmaps', { metadata: { name: `object-${index}` }, data: { index: String(index) } });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const child = (file: string): ChildProcess =>
    fork(join(import.meta.dirname, file), [String(server.port), join(server.files.authority, '..'), String(server.pid)], {
      stdio: 'inherit',
    });
  const administrator = child('strangers-administrator.ts');
  const watchers = child('watchers-at-work.ts');
  try {
    await answer(administrator, 'measure', 2);
    const alone = await answer<Latencies>(administrator, 'measure', aloneSeconds);
    const before = residentMegabytes(server.pid);
    let peak = before;
    const sampling = setInterval(() => (peak = Math.max(peak, residentMegabytes(server.pid))), 20);
    const asking = answer<Latencies>(administrator, 'measure', limitSeconds);
    const watching = answer<{ synced: number; failed: number; megabytes: number; seconds: number }>(watchers, 'start', watches);
    const late = setTimeout(() => watchers.kill('SIGKILL'), limitSeconds * 1000);
    const report = await Promise.race([watching, once(watchers, 'exit').then(() => undefined)]);
    clearTimeout(late);
    administrator.send({ command: 'stop' });
    const during = await asking;
    clearInterval(sampling);
    const shown = ({ time, failed, count }: Latencies): string =>
      `${[time.p50, time.p99, time.max].map((value) => value.toFixed(1)).join(' / ')} ms (${count} asked, ${failed} failed)`;
    console.log(`${name}: alone ${shown(alone)}; while ${watches} watches start on ${objects} objects ${shown(during)}`);
    console.log(`${name}: memory ${before} MB before, ${peak} MB at its peak`);
    if (report === undefined) console.log(`${name}: not all watches had their initial events after ${limitSeconds} s`);
    else
      console.log(
        `${name}: ${report.synced} through after ${report.seconds.toFixed(1)} s, ${report.failed} failed, ${report.megabytes} MB`,
      );
    return { alone, during, before, peak, failed: report?.failed ?? watches };
  } finally {
    administrator.kill('SIGKILL');
    watchers.kill('SIGKILL');
  }
}

async function answer<T>(helper: ChildProcess, command: string, argument: number): Promise<T> {
  helper.send({ command, argument });
  const [message] = (await once(helper, 'message')) as [T];
  return message;
}

function judge(ours: Outcome | undefined, upstream: Outcome | undefined): boolean {
  if (ours === undefined) return true;
  const quick = ours.during.failed === 0 && ours.during.time.p99 <= allowedRatio * Math.max(leastMs, ours.alone.time.p99);
  const small = upstream === undefined || ours.peak <= memoryShare * upstream.peak;
  const ratio = upstream === undefined ? '' : `, ${(ours.peak / upstream.peak).toFixed(2)} of upstream's peak memory`;
  console.log(`others' p99 ${(ours.during.time.p99 / ours.alone.time.p99).toFixed(1)} times that of alone${ratio}`);
  const good = quick && small && ours.failed === 0;
  console.log(good ? 'good' : 'not good');
  return good;
}

function residentMegabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0') / 1024);
}

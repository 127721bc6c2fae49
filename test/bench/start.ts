/**
 * `npm run bench:start [-- --rounds 20] [--executable FILE ...]`: what a start of the executable takes, on a folder that is new and on one that
 * a server has left: milliseconds from exec to a `/readyz` that says 200, CPU of the main thread and of the process until then, and memory.
 * Several executables take turns, so that they have the same machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    executable: { type: 'string', multiple: true },
    flag: { type: 'string', multiple: true, default: [] },
    idle: { type: 'boolean', default: false },
  },
});
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-start-'));

interface Start {
  readonly wall: number;
  readonly thread: number;
  readonly process: number;
  readonly resident: number;
}

const onCpu = (path: string): number => Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6;

/** CPU of all threads in milliseconds, at the kernel's tick. */
function processCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function start(server: ApiServerProcess): Promise<Start> {
  const wall = await server.start();
  const { pid } = server;
  const [thread, all] = [onCpu(`/proc/${pid}/task/${pid}/schedstat`), processCpu(pid)];
  if (values.idle) await sleep(30_000);
  const [, resident = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  await server.stop();
  return { wall, thread, process: all, resident: Number(resident) / 1024 };
}

try {
  const executables = values.executable ?? [installOurs(join(root, 'package'))];
  const starts = executables.map(() => ({ new: [] as Start[], old: [] as Start[] }));
  // One round before those that count: code that was compiled is found by the next.
  for (let round = -1; round < Number(values.rounds); round++) {
    for (const [at, executable] of executables.entries()) {
      const folder = join(root, `${at}-${round}`);
      const server = await ApiServerProcess.prepare({ executable, folder, storage: 'embedded', flags: values.flag });
      const pair = { new: await start(server), old: await start(server) };
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
      if (round < 0) continue;
      starts[at]!.new.push(pair.new);
      starts[at]!.old.push(pair.old);
    }
  }
  for (const [at, executable] of executables.entries()) {
    for (const which of ['new', 'old'] as const) {
      const median = (of: keyof Start): string =>
        starts[at]![which].map((one) => one[of])
          .toSorted((a, b) => a - b)
          [starts[at]![which].length >> 1]!.toFixed(0);
      console.log(
        `${executable} ${which} folder: ready after ${median('wall')} ms; CPU ${median('thread')} ms on the main thread, ${median('process')} in all; ${median('resident')} MB resident`,
      );
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

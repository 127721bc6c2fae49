// Loaded into the server (NODE_OPTIONS=--import): writes what only the process itself knows to $LOOP_RECORD, a line of JSON every ten seconds.
// On SIGUSR2 it collects garbage first: what is left is what the server holds.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds, but for what says something else. */
export interface LoopRecord {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly heapMegabytes: number;
  /** what V8 holds of the system for the heap, used or not */
  readonly heapPagesMegabytes: number;
  readonly externalMegabytes: number;
  /** of the external ones */
  readonly buffersMegabytes: number;
  readonly residentMegabytes: number;
  /** timers, sockets, streams and what else keeps a process alive */
  readonly resources: number;
  readonly collected: boolean;
}

const file = process.env['LOOP_RECORD'];
const resolution = 10;
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const write = (collected: boolean): void => {
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    // The histogram has the whole interval between two samples, the delay is what it is too long.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    const record: LoopRecord = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
      heapMegabytes: heapUsed / 1e6,
      heapPagesMegabytes: getHeapStatistics().total_physical_size / 1e6,
      externalMegabytes: external / 1e6,
      buffersMegabytes: arrayBuffers / 1e6,
      residentMegabytes: rss / 1e6,
      resources: process.getActiveResourcesInfo().length,
      collected,
    };
    delay.reset();
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  };
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setInterval(() => write(false), 10_000).unref();
  process.on('SIGUSR2', () => {
    collect();
    collect();
    write(true);
    // The pause was ours.
    delay.reset();
  });
}

// Loaded into the server (NODE_OPTIONS=--import): writes what only the process itself knows to $LOOP_RECORD, a line of JSON every ten seconds.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds, but for what says something else. */
export interface LoopRecord {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly heapMegabytes: number;
  readonly externalMegabytes: number;
  /** timers, sockets, streams and what else keeps a process alive */
  readonly resources: number;
}

const file = process.env['LOOP_RECORD'];
const resolution = 10;
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  setInterval(() => {
    const { heapUsed, external } = process.memoryUsage();
    // The histogram has the whole interval between two samples, the delay is what it is too long.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    const record: LoopRecord = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
      heapMegabytes: heapUsed / 1e6,
      externalMegabytes: external / 1e6,
      resources: process.getActiveResourcesInfo().length,
    };
    delay.reset();
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }, 10_000).unref();
}

// Upstream: github.com/prometheus/client_golang/prometheus/{process_collector,process_collector_procfsenabled,go_collector}.go
import { readFileSync, readdirSync } from 'node:fs';
import type { Counter, Gauge, MetricsRegistry } from '../metrics.ts';

const none = { stability: 'none' } as const;
/** Not imported: a start would load it, and metrics may never be read. */
const v8 = (): typeof import('node:v8') => process.getBuiltinModule('node:v8');

/** What Prometheus' clients show of every process; what the machine does not know is not shown. Read for each scrape. */
export function registerProcessMetrics(registry: MetricsRegistry): void {
  const gauge = (name: string, help: string): Gauge => registry.gauge({ name, help, ...none }).with();
  const counter = (name: string, help: string): Counter => registry.counter({ name, help, ...none }).with();
  const cpu = counter('process_cpu_seconds_total', 'CPU time that the process has used, its own and for it in the kernel');
  const resident = gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM');
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970').set(performance.timeOrigin / 1000);
  registry.onCollect(() => {
    const { user, system } = process.cpuUsage();
    cpu.value = (user + system) / 1e6;
    resident.set(process.memoryUsage.rss());
  });
  const status = readProc('/proc/self/statm');
  if (status !== undefined) registerProcMetrics(registry, gauge, counter);
}

/** Linux alone. */
function registerProcMetrics(
  registry: MetricsRegistry,
  gauge: (name: string, help: string) => Gauge,
  counter: (name: string, help: string) => Counter,
): void {
  const openFiles = gauge('process_open_fds', 'Files and sockets that are open');
  const maxFiles = gauge('process_max_fds', 'Files and sockets that may be open');
  const virtual = gauge('process_virtual_memory_bytes', 'Address space of the process');
  const maxVirtual = gauge('process_virtual_memory_max_bytes', 'Address space that the process may have');
  const received = counter('process_network_receive_bytes_total', 'Bytes that came over the network, for all in this network namespace');
  const sent = counter('process_network_transmit_bytes_total', 'Bytes that went over the network, for all in this network namespace');
  registry.onCollect(() => {
    openFiles.set(readdirSync('/proc/self/fd').length);
    const limits = readProc('/proc/self/limits') ?? '';
    maxFiles.set(limitOf(limits, 'Max open files'));
    maxVirtual.set(limitOf(limits, 'Max address space'));
    virtual.set(statField(22));
    const [into, out] = octets();
    received.value = into;
    sent.value = out;
  });
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** A field of /proc/self/stat by its position; the name of the process before it may have spaces, and ends with a parenthesis. */
function statField(position: number): number {
  const text = readProc('/proc/self/stat') ?? '';
  return Number(
    text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .at(position - 2),
  );
}

/** No limit is the largest number there is. */
function limitOf(limits: string, name: string): number {
  const value = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits)?.[1];
  return value === undefined || value === 'unlimited' ? 2 ** 64 : Number(value);
}

function octets(): readonly [received: number, sent: number] {
  const lines = (readProc('/proc/self/net/netstat') ?? '').split('\n').filter((line) => line.startsWith('IpExt:'));
  const [names = [], values = []] = lines.map((line) => line.split(' '));
  const of = (name: string): number => Number(values[names.indexOf(name)] ?? 0);
  return [of('InOctets'), of('OutOctets')];
}

/** Of what Go's runtime shows: what has a counterpart in Node that means the same to the reader of a dashboard. */
export function registerRuntimeMetrics(registry: MetricsRegistry): void {
  const gauge = (name: string, help: string): Gauge => registry.gauge({ name, help, ...none }).with();
  const concurrent = gauge('go_goroutines', 'Timers, sockets, files and other things that wait: what a goroutine waits for in Go');
  const allocated = gauge('go_memstats_alloc_bytes', 'Bytes of objects in the heap');
  const heapAllocated = gauge('go_memstats_heap_alloc_bytes', 'Bytes of objects in the heap');
  const heapSystem = gauge('go_memstats_heap_sys_bytes', 'Bytes that the heap has taken');
  const nextCollection = gauge('go_memstats_next_gc_bytes', 'Bytes that the heap may grow to');
  registry.onCollect(() => {
    concurrent.set(process.getActiveResourcesInfo().length);
    const { used_heap_size: used, total_heap_size: total, heap_size_limit: limit } = v8().getHeapStatistics();
    allocated.set(used);
    heapAllocated.set(used);
    heapSystem.set(total);
    nextCollection.set(limit);
  });
}

const loopSampleMs = 100;

/** What only this server has. The loop is watched from the first time that metrics are asked for. */
export class NodeMetrics implements Disposable {
  #timer: NodeJS.Timeout | undefined;

  constructor(registry: MetricsRegistry) {
    registry.onFirstLook(() => this.#register(registry));
  }

  #register(registry: MetricsRegistry): void {
    const delay = registry
      .histogram({
        name: 'wheelhouse_event_loop_delay_seconds',
        help: 'How much later than asked for a timer of 100 ms ran: what every request waits for, too',
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      })
      .with();
    const utilization = registry
      .gauge({
        name: 'wheelhouse_event_loop_utilization_ratio',
        help: 'Share of the time since metrics were last read in which the loop had work',
      })
      .with();
    const spaces = registry.gauge({
      name: 'wheelhouse_heap_space_used_bytes',
      help: 'Bytes in use, by space of the heap',
      labels: ['space'],
    });
    const heapLimit = registry
      .gauge({ name: 'wheelhouse_heap_limit_bytes', help: 'Bytes that the heap may have; at its end the process ends' })
      .with();
    const external = registry
      .gauge({ name: 'wheelhouse_external_memory_bytes', help: 'Bytes outside of the heap that objects hold: buffers' })
      .with();
    let last: ReturnType<typeof performance.eventLoopUtilization> | undefined;
    registry.onCollect(() => {
      const load = performance.eventLoopUtilization();
      utilization.set((last === undefined ? load : performance.eventLoopUtilization(load, last)).utilization);
      last = load;
      for (const { space_name: name, space_used_size: used } of v8().getHeapSpaceStatistics()) spaces.with(name).set(used);
      heapLimit.set(v8().getHeapStatistics().heap_size_limit);
      external.set(process.memoryUsage().external);
      this.#timer ??= sampleDelay((seconds) => delay.observe(seconds));
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function sampleDelay(observe: (seconds: number) => void): NodeJS.Timeout {
  let expected = performance.now() + loopSampleMs;
  return setInterval(() => {
    const now = performance.now();
    observe(Math.max(0, now - expected) / 1000);
    expected = now + loopSampleMs;
  }, loopSampleMs).unref();
}

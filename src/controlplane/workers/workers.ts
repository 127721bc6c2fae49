import type { AddressInfo } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import type { FamilyCopy } from '../../base/exposition/merged-metrics.ts';
import { copyMetrics, mergeMetrics } from '../../base/exposition/merged-metrics.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Counter, MetricsRegistry } from '../../base/metrics.ts';
import { pause } from '../../base/pause.ts';
import { Calls } from '../../base/threads/calls.ts';
import type { LineWriter } from '../../server/access/audit/log-backend.ts';
import type { PostStartHook, PreShutdownHook } from '../../server/api-server.ts';
import type { OutgoingHeaders } from '../../server/http/response.ts';
import type { HealthCheck } from '../../server/routes/health.ts';
import type { ReplicaHost } from '../../storage/drivers/replica/replica-host.ts';
import type { ValueNotes } from '../../storage/drivers/replica/value-notes.ts';
import type { FirstThreadFunctions, FurtherThreadFunctions, PageRequest, PageResponse } from './protocol.ts';
import { isOfProcess } from './metrics-of-process.ts';
import type { FurtherThreadData } from './thread.ts';

interface WorkersContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

export interface WorkersOptions {
  /** threads beside this one */
  readonly further: number;
  readonly start: (data: FurtherThreadData) => Worker;
  /** of the store of this thread; undefined: each thread opens its own */
  readonly host: ReplicaHost | undefined;
}

interface Page {
  readonly status: number;
  readonly headers: Readonly<OutgoingHeaders>;
  /** whole, or in pieces; undefined: there is none */
  readonly body: Buffer | AsyncGenerator<Buffer> | undefined;
}

/** What the first thread does for the others, once it is assembled. */
export interface WorkerServices {
  /** paths that are about the process */
  readonly page: (request: PageRequest) => Promise<Page>;
  readonly auditLog: LineWriter | undefined;
}

const pingEveryMs = 5_000;
/** A thread that says nothing for so long is ended: no request holds one for a tenth of a second. */
const longestSilenceMs = 60_000;
/** how long a thread may take to say what it has counted */
const longestMetricsMs = 5_000;
const firstRestMs = 100;
const longestRestMs = 10_000;

/** The further threads of a process: starts them, starts them again when they end, and stops them. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #context: WorkersContext;
  readonly #threads = new Map<number, FurtherThread>();
  readonly #stopping = new AbortController();
  readonly #restarts: Counter;
  #services: WorkerServices | undefined;
  #running: Promise<void>[] = [];

  constructor(options: WorkersOptions, context: WorkersContext) {
    this.#options = options;
    this.#context = context;
    this.#restarts = context.metrics
      .counter({
        name: 'wheelhouse_worker_restarts_total',
        help: 'Threads that ended though the server did not stop, and were started again.',
      })
      .with();
  }

  serve(services: WorkerServices): void {
    this.#services = services;
  }

  /** `notes`: of the values of this thread */
  share(notes: ValueNotes): void {
    if (this.#options.host !== undefined) this.#options.host.notes = notes;
  }

  startHook(listening: Promise<AddressInfo>): PostStartHook {
    return {
      name: 'wheelhouse-workers',
      run: async () => {
        const { port } = await listening;
        const numbers = Array.from({ length: this.#options.further }, (_, index) => index + 1);
        await Promise.all(numbers.map((number) => this.#begin(number, port)));
      },
    };
  }

  /** They stop while the first thread does, with its delays. */
  get stopHook(): PreShutdownHook {
    return {
      name: 'wheelhouse-workers',
      run: async () => {
        this.#stopping.abort();
        for (const thread of this.#threads.values()) thread.stop();
      },
    };
  }

  get healthCheck(): HealthCheck {
    return {
      name: 'workers',
      check: () => {
        const missing =
          this.#options.further -
          this.#threads
            .values()
            .filter(({ isReady }) => isReady)
            .toArray().length;
        if (missing > 0) throw new Error(`${missing} of ${this.#options.further + 1} threads are not ready`);
      },
    };
  }

  /** Metrics of all threads; one that does not respond in time is left out. */
  async metrics(): Promise<MetricsRegistry> {
    const { clock, metrics } = this.#context;
    const { signal } = this.#stopping;
    const asked = [...this.#threads.values()].map((thread) => Promise.race([thread.metrics(), pause(clock, longestMetricsMs, signal)]));
    const copies = (await Promise.allSettled(asked)).flatMap((copy) =>
      copy.status === 'fulfilled' && copy.value !== undefined ? [copy.value] : [],
    );
    return mergeMetrics([copyMetrics(metrics), ...copies], isOfProcess, { native: metrics.isNative, since: metrics.since });
  }

  clear(): void {
    for (const thread of this.#threads.values()) thread.clearMetrics();
  }

  async stop(): Promise<void> {
    await this.stopHook.run();
    await Promise.all(this.#running);
  }

  /** Resolves when the thread is ready for the first time. */
  async #begin(number: number, port: number): Promise<void> {
    const ready = Promise.withResolvers<void>();
    this.#running.push(this.#keepRunning(number, port, ready.resolve));
    await ready.promise;
  }

  async #keepRunning(number: number, port: number, ready: () => void): Promise<void> {
    const { clock, log } = this.#context;
    const { signal } = this.#stopping;
    let restMs = firstRestMs;
    while (!signal.aborted) {
      const began = clock.elapsed();
      const thread = new FurtherThread(this.#data(port), this.#options.start, this.#services, ready);
      this.#threads.set(number, thread);
      const silence = this.#listen(thread, number);
      const reason = await thread.ended;
      silence[Symbol.dispose]();
      this.#threads.delete(number);
      if (signal.aborted) break;
      this.#restarts.inc();
      log.error('a thread of the server has ended and is started again', { thread: number, err: reason });
      restMs = clock.elapsed() - began > longestRestMs ? firstRestMs : Math.min(2 * restMs, longestRestMs);
      await pause(clock, restMs, signal);
    }
    // A start that is called off waits for nothing.
    ready();
  }

  #data(port: number): Omit<FurtherThreadData, 'port'> {
    const { further, host } = this.#options;
    const common = { listensOn: port, threads: further + 1 };
    if (host === undefined) return { ...common, store: undefined };
    const { port1, port2 } = new MessageChannel();
    host.serve(port1);
    return { ...common, store: { port: port2, revision: host.revision.memory } };
  }

  #listen(thread: FurtherThread, number: number): Disposable {
    const { clock, log } = this.#context;
    let heard = clock.elapsed();
    const timer = setInterval(() => {
      if (clock.elapsed() - heard > longestSilenceMs) {
        log.error('a thread of the server does not respond and is ended', { thread: number });
        thread.end();
      }
      void thread.ping().then(
        () => (heard = clock.elapsed()),
        () => {},
      );
    }, pingEveryMs).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }
}

class FurtherThread {
  readonly #worker: Worker;
  readonly #calls: Calls<FurtherThreadFunctions>;
  readonly #bodies = new Map<number, AsyncGenerator<Buffer>>();
  #lastBody = 0;
  isReady = false;
  /** resolves with the reason */
  readonly ended: Promise<Error | undefined>;

  constructor(
    data: Omit<FurtherThreadData, 'port'>,
    start: (data: FurtherThreadData) => Worker,
    services: WorkerServices | undefined,
    ready: () => void,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.#worker = start({ ...data, port: port2 });
    const functions: FirstThreadFunctions = {
      page: (request) => this.#page(request, services),
      read: async (body) => {
        const { done, value } = (await this.#bodies.get(body)?.next()) ?? { done: true, value: undefined };
        return done === true || value === undefined ? undefined : new Uint8Array(value);
      },
      discard: (body) => {
        void this.#bodies.get(body)?.return(undefined);
        this.#bodies.delete(body);
      },
      audit: async (line) => services?.auditLog?.write(line),
      ready: () => {
        this.isReady = true;
        ready();
      },
    };
    this.#calls = new Calls<FurtherThreadFunctions>(port1, functions);
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    this.ended = promise;
    let failure: Error | undefined;
    this.#worker.on('error', (error) => (failure = error as Error));
    this.#worker.on('exit', () => {
      this.#calls[Symbol.dispose]();
      for (const body of this.#bodies.values()) void body.return(undefined);
      resolve(failure);
    });
  }

  metrics(): Promise<readonly FamilyCopy[]> {
    return this.#calls.call('metrics', undefined);
  }

  clearMetrics(): void {
    this.#calls.notify('clearMetrics', undefined);
  }

  ping(): Promise<void> {
    return this.#calls.call('ping', undefined);
  }

  stop(): void {
    // A thread that ends before it has said so has stopped, too.
    this.#calls.call('stop', undefined).catch(() => {});
  }

  end(): void {
    void this.#worker.terminate();
  }

  async #page(request: PageRequest, services: WorkerServices | undefined): Promise<PageResponse> {
    if (services === undefined) return { status: 503, headers: { 'retry-after': '1' }, body: undefined };
    const { body, ...head } = await services.page(request);
    if (body === undefined) return { ...head, body };
    if (Buffer.isBuffer(body)) return { ...head, body: new Uint8Array(body) };
    this.#bodies.set(++this.#lastBody, body);
    return { ...head, body: this.#lastBody };
  }
}

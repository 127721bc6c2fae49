import type { MessagePort } from 'node:worker_threads';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { copyMetrics } from '../../base/exposition/merged-metrics.ts';
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import { Calls } from '../../base/threads/calls.ts';
import type { LineWriter } from '../../server/access/audit/log-backend.ts';
import type { PathMux } from '../../server/http/path-mux.ts';
import type { BodySink, Handler } from '../../server/http/response.ts';
import type { FirstThreadFunctions, FurtherThreadFunctions } from './protocol.ts';

/** The first thread of the process, as another of its threads sees it. */
export class FirstThread {
  readonly #calls: Calls<FirstThreadFunctions>;
  #metrics: MetricsRegistry | undefined;

  /** `stop`: called when the process stops, and when the first thread is gone */
  constructor(port: MessagePort, stop: () => Promise<void>) {
    const functions: FurtherThreadFunctions = {
      metrics: () => (this.#metrics === undefined ? [] : copyMetrics(this.#metrics)),
      clearMetrics: () => this.#metrics?.clear(),
      stop,
      ping: () => {},
    };
    this.#calls = new Calls<FirstThreadFunctions>(port, functions, { closed: () => void stop() });
  }

  /** `metrics`: part of what the process shows */
  ready(metrics: MetricsRegistry): void {
    this.#metrics = metrics;
    this.#calls.notify('ready', undefined);
  }

  close(): void {
    this.#calls[Symbol.dispose]();
  }

  /** The file has one writer. */
  get auditLog(): LineWriter {
    return { write: (line) => this.#calls.call('audit', line), close: async () => {} };
  }

  /** Paths that are about the process are served by the first thread. */
  takeOver(mux: PathMux): void {
    for (const path of ofProcess) mux.handlePrefix(`${path}/`, this.#page);
    // Those that this thread would serve itself, also as parts of longer paths.
    mux.replace((path) => indexes.has(path) || ofProcess.some((start) => path === start || path.startsWith(`${start}/`)), this.#page);
  }

  readonly #page: Handler = async ({ source }) => {
    const { method, target, headers } = source;
    const given = source.body === undefined ? undefined : await source.readBody(mostBytes);
    if (source.body !== undefined && given === undefined) throw requestEntityTooLarge(`the body is larger than ${mostBytes} bytes`);
    const question = { method, target, headers: { ...headers }, body: given && new Uint8Array(given) };
    const { status, headers: sent, body } = await this.#calls.call('page', question);
    if (body === undefined) return { status, headers: sent };
    if (typeof body !== 'number') return { status, headers: sent, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
    return { status, headers: sent, body: (sink) => this.#pass(body, sink) };
  };

  async #pass(body: number, sink: BodySink): Promise<void> {
    try {
      for (;;) {
        const piece = await this.#calls.call('read', body);
        if (piece === undefined) return;
        if (!sink.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))) await sink.drained();
        if (sink.closed) return;
      }
    } finally {
      this.#calls.notify('discard', body);
    }
  }
}

/** of a request; no page takes more */
const mostBytes = 4096;

const ofProcess: readonly string[] = ['/healthz', '/livez', '/readyz', '/metrics', '/debug', '/logs', '/statusz', '/wheelhouse'];
/** lists of paths, those above among them */
const indexes: ReadonlySet<string> = new Set(['/', '/index.html']);

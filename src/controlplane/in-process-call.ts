import { Readable } from 'node:stream';
import { Connection } from '../server/http/connection.ts';
import type { IncomingHeaders } from '../server/http/request.ts';
import { Request } from '../server/http/request.ts';
import type { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
import type { BodySink, Handler, Response } from '../server/http/response.ts';

export interface InProcessRequest {
  readonly method: string;
  /** path and query */
  readonly target: string;
  readonly headers: IncomingHeaders;
  readonly body?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to a server of the same process, through all its filters but the network. */
export class InProcessCaller {
  readonly #handler: Handler;
  readonly #userAgent: string;
  readonly #metrics: RestClientMetrics | undefined;
  readonly #connection = new Connection(undefined);

  /** `userAgent` also names who manages the fields that are written, up to its slash. */
  constructor(handler: Handler, userAgent: string, metrics?: RestClientMetrics) {
    this.#metrics = metrics;
    this.#handler = handler;
    this.#userAgent = userAgent;
  }

  async call({ method, target, headers, body, signal }: InProcessRequest): Promise<Response> {
    const source = {
      method,
      target,
      protocol: 'HTTP/1.1' as const,
      headers: { 'user-agent': this.#userAgent, ...headers },
      connection: this.#connection,
      readBody: async () => body ?? Buffer.alloc(0),
      body: body && Readable.from([body]),
      onClose: (callback: () => void) => signal?.addEventListener('abort', callback, { once: true }),
    };
    const counted = this.#metrics?.begin(method, 'in-process', body?.length ?? 0);
    const response = await this.#handler(new Request(source, performance.now()));
    counted?.ended(response.status, Buffer.isBuffer(response.body) ? response.body.length : undefined);
    return response;
  }
}

/** The body as it is produced. The producer sees a reader that stops early as a client that went away. */
export async function* chunksOf({ body }: Response, signal?: AbortSignal): AsyncGenerator<Buffer> {
  // Signals tell of themselves once, and not to those who come late.
  if (body === undefined || signal?.aborted) return;
  if (Buffer.isBuffer(body)) {
    yield body;
    return;
  }
  const sink = new QueueSink();
  signal?.addEventListener('abort', () => sink.close(), { once: true });
  const produced = body(sink).finally(() => sink.end());
  try {
    yield* sink.chunks();
  } finally {
    sink.close();
    await produced;
  }
}

/** What a reader has not taken yet; beyond this the producer waits for it. */
const mostPendingBytes = 1 << 20;

class QueueSink implements BodySink {
  closed = false;
  readonly #queue: Buffer[] = [];
  readonly #onClose: (() => void)[] = [];
  #pending = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  get pending(): number {
    return this.#pending;
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    if (!this.closed) {
      // The producer may use its buffer again.
      this.#queue.push(Buffer.from(chunk));
      this.#pending += chunk.length;
    }
    flushed?.();
    this.#wake?.();
    return this.#hasRoom;
  }

  drained(): Promise<void> {
    return this.#hasRoom ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  get #hasRoom(): boolean {
    return this.closed || this.#pending < mostPendingBytes;
  }

  onClose(callback: () => void): void {
    this.#onClose.push(callback);
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const callback of this.#onClose) callback();
    this.#wake?.();
    this.#goOn();
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk !== undefined) {
        this.#pending -= chunk.length;
        if (this.#hasRoom) this.#goOn();
        yield chunk;
      } else if (this.#ended || this.closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #goOn(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

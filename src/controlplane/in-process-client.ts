import type { Client, WatchEvent } from '../controllers/common/client.ts';
import { ApiError, failure } from '../machinery/errors.ts';
import type { Status } from '../machinery/errors.ts';
import { Connection } from '../server/http/connection.ts';
import type { IncomingHeaders } from '../server/http/request.ts';
import { Request } from '../server/http/request.ts';
import type { BodySink, Handler, Response } from '../server/http/response.ts';
import type { KubeObject } from '../server/registry/definition.ts';

/** Asks the server that it is part of, through all its filters but the network. */
export class InProcessClient implements Client {
  readonly #handler: Handler;
  readonly #connection = new Connection(undefined);

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  async get(path: string, accept = 'application/json'): Promise<unknown> {
    return JSON.parse(await this.#text('GET', path, { accept }));
  }

  async apply(path: string, object: KubeObject, fieldManager: string): Promise<void> {
    const query = new URLSearchParams({ fieldManager, force: 'true' });
    const headers = { accept: 'application/json', 'content-type': 'application/apply-patch+yaml' };
    await this.#text('PATCH', `${path}?${query}`, headers, Buffer.from(JSON.stringify(object)));
  }

  async *watch(path: string, resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const query = new URLSearchParams({ watch: 'true', resourceVersion, allowWatchBookmarks: 'true' });
    // One per watch: the caller's signal outlives many of them.
    const closing = new AbortController();
    const close = (): void => closing.abort();
    signal.addEventListener('abort', close, { once: true });
    try {
      const response = await this.#send('GET', `${path}?${query}`, { accept: 'application/json' }, undefined, closing.signal);
      if (response.status >= 400) throw await failureOf(response);
      yield* eventsOf(response, closing.signal);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  async #text(method: string, target: string, headers: IncomingHeaders, body?: Buffer): Promise<string> {
    const response = await this.#send(method, target, headers, body);
    if (response.status >= 400) throw await failureOf(response);
    return textOf(response);
  }

  async #send(method: string, target: string, headers: IncomingHeaders, body?: Buffer, signal?: AbortSignal): Promise<Response> {
    const source = {
      method,
      target,
      protocol: 'HTTP/1.1' as const,
      headers,
      connection: this.#connection,
      readBody: async () => body ?? Buffer.alloc(0),
      onClose: (callback: () => void) => signal?.addEventListener('abort', callback, { once: true }),
    };
    return this.#handler(new Request(source, performance.now()));
  }
}

async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<WatchEvent> {
  let rest = '';
  for await (const chunk of chunksOf(response, signal)) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Answers of resources are a Status; those of other paths are text. */
async function failureOf(response: Response): Promise<ApiError> {
  const text = await textOf(response);
  const status: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
  if ((status as Partial<Status> | undefined)?.kind === 'Status') return new ApiError(status as Status);
  return new ApiError(failure(response.status, response.status === 404 ? 'NotFound' : 'Unknown', text));
}

/** The body as it is produced. A reader that stops early is told to the producer as a client that went away. */
async function* chunksOf({ body }: Response, signal?: AbortSignal): AsyncGenerator<Buffer> {
  if (body === undefined) return;
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

class QueueSink implements BodySink {
  closed = false;
  readonly #queue: Buffer[] = [];
  readonly #onClose: (() => void)[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  get pending(): number {
    return this.#queue.reduce((sum, { length }) => sum + length, 0);
  }

  write(chunk: Buffer, flushed?: () => void): boolean {
    // The producer may use its buffer again.
    if (!this.closed) this.#queue.push(Buffer.from(chunk));
    flushed?.();
    this.#wake?.();
    return true;
  }

  async drained(): Promise<void> {}

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
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#ended || this.closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

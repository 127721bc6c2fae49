import { stringify } from '../machinery/codec/json/write.ts';
import { parseJson } from '../machinery/codec/json/parse.ts';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Client, DeleteOptions, WatchEvent, WatchOptions } from '../controllers/common/client.ts';
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
  readonly #userAgent: string;
  readonly #connection = new Connection(undefined);

  /** `userAgent` also names who manages the fields that are written, up to its slash. */
  constructor(handler: Handler, userAgent: string) {
    this.#handler = handler;
    this.#userAgent = userAgent;
  }

  async get(path: string, accept = 'application/json'): Promise<unknown> {
    return parseJson(await this.#text('GET', path, { accept }));
  }

  create(path: string, object: KubeObject): Promise<KubeObject> {
    return this.#write('POST', path, 'application/json', object);
  }

  update(path: string, object: KubeObject): Promise<KubeObject> {
    return this.#write('PUT', path, 'application/json', object);
  }

  async patch(path: string, patch: unknown): Promise<void> {
    await this.#write('PATCH', path, 'application/merge-patch+json', patch);
  }

  async apply(path: string, object: KubeObject, fieldManager: string): Promise<void> {
    const query = new URLSearchParams({ fieldManager, force: 'true' });
    await this.#write('PATCH', `${path}?${query}`, 'application/apply-patch+yaml', object);
  }

  async delete(path: string, options: DeleteOptions): Promise<void> {
    await this.#write('DELETE', path, 'application/json', { apiVersion: 'v1', kind: 'DeleteOptions', ...options });
  }

  async *watch(path: string, { resourceVersion, accept = 'application/json', signal }: WatchOptions): AsyncGenerator<WatchEvent> {
    const query = new URLSearchParams({ watch: 'true', resourceVersion });
    // One per watch: the caller's signal outlives many of them.
    const closing = new AbortController();
    const close = (): void => closing.abort();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    try {
      const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const response = await this.#send('GET', target, { accept }, undefined, closing.signal);
      if (response.status >= 400) throw await failureOf(response);
      yield* eventsOf(response, closing.signal);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  async #write(method: string, path: string, contentType: string, body: unknown): Promise<KubeObject> {
    const headers = { accept: 'application/json', 'content-type': contentType };
    return parseJson(await this.#text(method, path, headers, Buffer.from(stringify(body)))) as KubeObject;
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
      headers: { ...headers, 'user-agent': this.#userAgent },
      connection: this.#connection,
      readBody: async () => body ?? Buffer.alloc(0),
      body: body && Readable.from([body]),
      onClose: (callback: () => void) => signal?.addEventListener('abort', callback, { once: true }),
    };
    return this.#handler(new Request(source, performance.now()));
  }
}

async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<WatchEvent> {
  const decoder = new StringDecoder();
  let rest = '';
  for await (const chunk of chunksOf(response, signal)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parseJson(line) as WatchEvent;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Error responses of resources are a Status; those of other paths are text. */
async function failureOf(response: Response): Promise<ApiError> {
  const text = await textOf(response);
  const status: unknown = text.startsWith('{') ? parseJson(text) : undefined;
  if ((status as Partial<Status> | undefined)?.kind === 'Status') return new ApiError(status as Status);
  return new ApiError(failure(response.status, response.status === 404 ? 'NotFound' : 'Unknown', text));
}

/** The body as it is produced. The producer sees a reader that stops early as a client that went away. */
async function* chunksOf({ body }: Response, signal?: AbortSignal): AsyncGenerator<Buffer> {
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

class QueueSink implements BodySink {
  closed = false;
  readonly #queue: Buffer[] = [];
  readonly #onClose: (() => void)[] = [];
  #pending = 0;
  #ended = false;
  #wake: (() => void) | undefined;

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
      if (chunk !== undefined) {
        this.#pending -= chunk.length;
        yield chunk;
      } else if (this.#ended || this.closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

import { stringify } from '../machinery/codec/json/write.ts';
import { parseJson } from '../machinery/codec/json/parse.ts';
import { StringDecoder } from 'node:string_decoder';
import type { Client, DeleteOptions, WatchEvent, WatchOptions } from '../controllers/common/client.ts';
import { ApiError, failure } from '../machinery/errors.ts';
import type { Status } from '../machinery/errors.ts';
import type { IncomingHeaders } from '../server/http/request.ts';
import type { Response } from '../server/http/response.ts';
import type { KubeObject } from '../server/registry/definition.ts';
import type { InProcessCaller } from './in-process-call.ts';
import { chunksOf } from './in-process-call.ts';

/** Asks the server that it is part of, through all its filters but the network. */
export class InProcessClient implements Client {
  readonly #caller: InProcessCaller;

  constructor(caller: InProcessCaller) {
    this.#caller = caller;
  }

  async get(path: string, accept = 'application/json'): Promise<unknown> {
    return parseJson(await textOf(await this.#call('GET', path, { accept })));
  }

  create(path: string, object: KubeObject): Promise<KubeObject> {
    return this.write('POST', path, 'application/json', object);
  }

  update(path: string, object: KubeObject): Promise<KubeObject> {
    return this.write('PUT', path, 'application/json', object);
  }

  async patch(path: string, patch: unknown): Promise<void> {
    await drain(await this.#send('PATCH', path, 'application/merge-patch+json', patch));
  }

  async apply(path: string, object: KubeObject, fieldManager: string): Promise<void> {
    const query = new URLSearchParams({ fieldManager, force: 'true' });
    await drain(await this.#send('PATCH', `${path}?${query}`, 'application/apply-patch+yaml', object));
  }

  async delete(path: string, options: DeleteOptions): Promise<void> {
    await drain(await this.#send('DELETE', path, 'application/json', { apiVersion: 'v1', kind: 'DeleteOptions', ...options }));
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
      const response = await this.#caller.call({ method: 'GET', target, headers: { accept }, signal: closing.signal });
      if (response.status >= 400) throw await failureOf(response);
      yield* eventsOf(response, closing.signal);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  /** Sends an object, a patch or options; returns what the server responds. */
  async write(method: string, path: string, contentType: string, body: unknown): Promise<KubeObject> {
    return parseJson(await textOf(await this.#send(method, path, contentType, body))) as KubeObject;
  }

  #send(method: string, path: string, contentType: string, body: unknown): Promise<Response> {
    const headers = { accept: 'application/json', 'content-type': contentType };
    return this.#call(method, path, headers, Buffer.from(stringify(body)));
  }

  async #call(method: string, target: string, headers: IncomingHeaders, body?: Buffer): Promise<Response> {
    const response = await this.#caller.call({ method, target, headers, body });
    if (response.status >= 400) throw await failureOf(response);
    return response;
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

/** A response that is not looked at: that to the deletion of a collection has all of its objects. */
async function drain(response: Response): Promise<void> {
  for await (const chunk of chunksOf(response)) void chunk;
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

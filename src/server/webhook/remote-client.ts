// Upstream: k8s.io/apiserver/pkg/util/webhook/webhook.go, k8s.io/client-go/rest/request.go
import { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { HttpsRequest, HttpsResponse } from '../../base/https/https-client.ts';
import { readBounded } from '../../base/https/bounded-body.ts';
import { HttpsClient, NoResponseError } from '../../base/https/https-client.ts';
import { pause } from '../../base/pause.ts';
import { formatDuration } from '../../machinery/duration.ts';
import type { RestClientMetrics } from './rest-client-metrics.ts';
import type { RemoteServer } from './kubeconfig.ts';
import { requireSuccess, secondsToWait } from './response-body.ts';

export const defaultTimeoutMs = 30_000;

export interface RemoteClientOptions {
  readonly timeoutMs?: number | undefined;
  readonly metrics?: RestClientMetrics | undefined;
}

/** Sends JSON to the server that a kubeconfig names. */
export class RemoteClient implements Disposable {
  readonly #server: RemoteServer;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #https: HttpsClient;
  readonly #metrics: RestClientMetrics | undefined;
  readonly #closing = new AbortController();
  /** as text, since errors show it */
  readonly #url: string;

  constructor(server: RemoteServer, clock: Clock, { timeoutMs = defaultTimeoutMs, metrics }: RemoteClientOptions = {}) {
    this.#metrics = metrics;
    this.#server = server;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#https = new HttpsClient(clock, { dial: server.dial });
    const url = new URL(server.url);
    url.searchParams.set('timeout', formatDuration(BigInt(Math.round(timeoutMs * 1e6))));
    this.#url = url.href;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    this.#https[Symbol.dispose]();
  }

  /** The server's response; a busy one is asked again when it says so. Throws when there is no response, or one that says it failed. */
  async post(body: string | Buffer): Promise<HttpsResponse> {
    const call = this.#metrics?.begin('POST', new URL(this.#url).host, Buffer.byteLength(body));
    let response: HttpsResponse | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        response = undefined;
        response = await this.#send(body);
        const wait = secondsToWait(response, attempt);
        if (wait === undefined || this.isClosed) {
          requireSuccess(response);
          return response;
        }
        call?.retried(response.status);
        await this.sleep(wait * 1000);
      }
    } finally {
      call?.ended(response?.status, response?.body.length);
    }
  }

  /** Until the time has passed, or the client is closed. */
  sleep(ms: number): Promise<void> {
    return pause(this.#clock, ms, this.#closing.signal);
  }

  async #send(body: string | Buffer): Promise<HttpsResponse> {
    const url = new URL(this.#url);
    const headers = { accept: 'application/json, */*', 'content-type': 'application/json', ...(await this.#server.headers()) };
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#timeoutMs)]);
    const request = { ...this.#server, url, method: 'POST', headers, body, signal } as const;
    try {
      return await (url.protocol === 'http:' ? sendPlainly(request) : this.#https.send(request));
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof NoResponseError && error.whileReading) {
        throw new Error(`unexpected error when reading response body. Please retry. Original error: ${message}`, { cause: error });
      }
      throw new Error(`Post ${JSON.stringify(this.#url)}: ${message}`, { cause: error });
    }
  }
}

/** A server that runs beside ours may do without TLS. */
async function sendPlainly({ url, method, headers = {}, body, signal }: HttpsRequest): Promise<HttpsResponse> {
  const answer = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  const read = answer.body === null ? Buffer.alloc(0) : await readBounded(Readable.fromWeb(answer.body));
  return { version: '1.1', status: answer.status, headers: Object.fromEntries(answer.headers), body: read };
}

// Upstream: apiserver/plugin/pkg/audit/webhook/webhook.go, apiserver/pkg/util/webhook/webhook.go
import type { Clock } from '../../base/clock.ts';
import type { HttpsRequest, HttpsResponse } from '../../base/https/https-client.ts';
import { HttpsClient } from '../../base/https/https-client.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { statedFailure } from '../webhook/stated-failure.ts';
import type { RemoteServer } from '../webhook/kubeconfig.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { eventListJson } from './event.ts';
import type { AuditReports } from './reports.ts';

const attempts = 5;
const factor = 1.5;
const jitter = 0.2;
const timeoutSeconds = 30;

export interface WebhookBackendOptions {
  readonly server: RemoteServer;
  /** milliseconds after the first failure; each time longer */
  readonly initialBackoff: number;
}

/** Sends events, in lists, to another server. */
export class WebhookBackend implements AuditBackend {
  readonly #options: WebhookBackendOptions;
  readonly #reports: AuditReports;
  readonly #clock: Clock;
  readonly #https: HttpsClient;
  readonly #closing = new AbortController();

  constructor(options: WebhookBackendOptions, reports: AuditReports, clock: Clock) {
    this.#options = options;
    this.#reports = reports;
    this.#clock = clock;
    this.#https = new HttpsClient(clock);
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const body = eventListJson(events);
    let pause = this.#options.initialBackoff;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#send(body);
        return true;
      } catch (error) {
        if (attempt === attempts || this.#closing.signal.aborted) {
          this.#reports.failed('webhook', (error as Error).message, events);
          return false;
        }
      }
      await this.#sleep(pause * (1 + Math.random() * jitter));
      pause *= factor;
    }
  }

  /** Whoever closes has waited for what is under way, or does not want to. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#https[Symbol.dispose]();
  }

  async #send(body: string): Promise<void> {
    const { server } = this.#options;
    const url = new URL(server.url);
    url.searchParams.set('timeout', `${timeoutSeconds}s`);
    const headers = { accept: 'application/json, */*', 'content-type': 'application/json', ...(await server.headers()) };
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
    const request = { ...server, url, method: 'POST', headers, body, signal } as const;
    const { status, body: answer } = await (url.protocol === 'http:' ? sendPlainly(request) : this.#https.send(request)).catch(
      (error: unknown) => {
        throw new Error(`Post ${JSON.stringify(url.href)}: ${(error as Error).message}`, { cause: error });
      },
    );
    if (status >= 200 && status <= 206) return;
    const serverMessage = answer.toString().trim() || 'unknown';
    throw statedFailure(answer) ?? serverResponseError({ code: status, verb: 'POST', serverMessage });
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    using _timer = this.#clock.setTimeout(resolve, ms);
    this.#closing.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }
}

/** A server that runs beside ours may do without TLS. */
async function sendPlainly({ url, method, headers = {}, body, signal }: HttpsRequest): Promise<Pick<HttpsResponse, 'status' | 'body'>> {
  const answer = await fetch(url, { method, headers, signal, ...(body !== undefined && { body: String(body) }) });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}

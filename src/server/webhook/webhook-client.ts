// Upstream: k8s.io/apiserver/pkg/util/webhook/client.go, k8s.io/client-go/rest/{request,with_retry}.go
import type { RestClientMetrics } from './rest-client-metrics.ts';
import type { CertificateMetrics } from './certificate-metrics.ts';
import type { Clock } from '../../base/clock.ts';
import type { Dial } from '../../base/https/dial.ts';
import type { HttpsResponse } from '../../base/https/https-client.ts';
import { HttpsClient, NoResponseError } from '../../base/https/https-client.ts';
import type { Logger } from '../../base/log.ts';
import { silentLogger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import type { WebhookCredentials } from './credentials.ts';
import { bodyOf, secondsToWait } from './response-body.ts';
import type { ServiceResolver } from './service-resolver.ts';

/** Where a webhook is: a URL, or a service of the cluster. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: ServiceTarget;
  /** PEM in base64 */
  readonly caBundle?: string;
}

export interface ServiceTarget {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

export interface WebhookCall {
  readonly body: string | Buffer;
  /** seconds, from the configuration */
  readonly timeoutSeconds?: number | undefined;
  /** how long the client on whose behalf the webhook is called waits */
  readonly timeLimit?: TimeLimit | undefined;
  /** our credentials for it; undefined: none for all of them */
  readonly credentials?: WebhookCredentials | undefined;
}

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** milliseconds, monotonic */
  readonly deadline?: number | undefined;
}

const defaultPort = 443;
const headers = Object.freeze({
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'user-agent': 'kube-apiserver-admission',
});

export interface WebhookClientOptions {
  readonly metrics?: CertificateMetrics;
  readonly requests?: RestClientMetrics;
  readonly log?: Logger;
  /** how webhooks that are services are reached, when not directly */
  readonly services?: Dial | undefined;
  /** how those that are URLs are */
  readonly urls?: Dial | undefined;
}

/** Calls webhooks that objects of the cluster name: of admission, and of custom resources that want to be converted. */
export class WebhookClient implements Disposable {
  readonly #resolve: ServiceResolver;
  readonly #clock: Clock;
  readonly #services: HttpsClient;
  readonly #urls: HttpsClient;
  readonly #metrics: CertificateMetrics | undefined;
  readonly #requests: RestClientMetrics | undefined;

  constructor(
    resolve: ServiceResolver,
    clock: Clock,
    { log = silentLogger, services, urls, metrics, requests }: WebhookClientOptions = {},
  ) {
    this.#metrics = metrics;
    this.#requests = requests;
    this.#resolve = resolve;
    this.#clock = clock;
    this.#services = new HttpsClient(clock, { log, dial: services });
    // Services are reached by a connection for each request at a time, so that their endpoints share the load.
    this.#urls = new HttpsClient(clock, { log, dial: urls, http2: true });
  }

  [Symbol.dispose](): void {
    this.#services[Symbol.dispose]();
    this.#urls[Symbol.dispose]();
  }

  /** The webhook's response. Throws when there is no response, or one that says it failed. */
  async post(target: WebhookTarget, call: WebhookCall): Promise<Buffer> {
    using limit = new Limit(call, this.#clock);
    const url = urlOf(target) + (limit.seconds === undefined ? '' : `?timeout=${goSeconds(limit.seconds)}`);
    const counted = this.#requests?.begin('POST', hostPortOf(url), Buffer.byteLength(call.body));
    let response: HttpsResponse | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        response = undefined;
        response = await this.#send(url, target, call, limit.signal);
        const wait = secondsToWait(response, attempt);
        if (wait === undefined) return bodyOf(response);
        counted?.retried(response.status);
        await limit.sleep(wait * 1000);
      }
    } finally {
      counted?.ended(response?.status, response?.body.length);
    }
  }

  async #send(
    url: string,
    { service, caBundle }: WebhookTarget,
    { body, credentials }: WebhookCall,
    signal: AbortSignal,
  ): Promise<HttpsResponse> {
    try {
      const { namespace = '', name = '', port = defaultPort } = service ?? {};
      const address = service && (await this.#resolve(namespace, name, port));
      const authorities = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined;
      const user = credentials?.(hostPortOf(url));
      return await (service === undefined ? this.#urls : this.#services).send({
        url: new URL(url),
        method: 'POST',
        headers: user === undefined ? headers : { ...headers, ...(await user.headers()) },
        client: user?.client,
        body,
        authorities,
        signal,
        ...(address && { address }),
      });
    } catch (error) {
      const { message } = error as Error;
      if (message.includes('relies on legacy Common Name field')) this.#metrics?.missingSan.inc();
      if (message.includes('SHA1')) this.#metrics?.insecureSha1.inc();
      if (error instanceof NoResponseError && error.whileReading) {
        throw new Error(`unexpected error when reading response body. Please retry. Original error: ${message}`, { cause: error });
      }
      throw new Error(`Post ${JSON.stringify(url)}: ${message}`, { cause: error });
    }
  }
}

/** As text, since messages show it: a port is there where it was stated, also when it is the usual one. */
function urlOf({ url: stated, service }: WebhookTarget): string {
  if (service !== undefined) {
    const { namespace, name, path = '', port = defaultPort } = service;
    return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}`;
  }
  const [, origin, path] = /^([^:]*:\/\/[^/?#]*)([^?#]*)/.exec(stated ?? '') ?? [];
  if (origin === undefined) throw new Error('webhook configuration must have either service or URL');
  return origin + cleanPath(path ?? '');
}

/** With the port, also where it is the usual one. */
function hostPortOf(url: string): string {
  const { host, port } = new URL(url);
  return port === '' ? `${host}:${defaultPort}` : host;
}

function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((step) => step !== '')
    .join('/')}`;
}

/** When a call is over: its own timeout, the client's time limit, or that the client has gone. */
class Limit implements Disposable {
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #timer: Disposable | undefined;
  readonly #timeLimit: TimeLimit | undefined;
  readonly #leave = (): void => this.#abort.abort();
  readonly signal = this.#abort.signal;
  /** the timeout that the webhook is given; undefined: no limit */
  readonly seconds: number | undefined;

  constructor({ timeoutSeconds, timeLimit }: WebhookCall, clock: Clock) {
    this.#clock = clock;
    this.#timeLimit = timeLimit;
    const own = timeoutSeconds === undefined ? Infinity : timeoutSeconds * 1000;
    const ms = Math.min(own, timeLimit?.deadline === undefined ? Infinity : timeLimit.deadline - performance.now());
    if (ms !== Infinity) {
      this.seconds = Math.ceil(ms / 1000);
      this.#timer = clock.setTimeout(() => this.#abort.abort(new DOMException('too late', 'TimeoutError')), Math.max(0, ms));
    }
    if (timeLimit?.signal.aborted) this.#leave();
    timeLimit?.signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** Until the time has passed, or there is none left. */
  sleep(ms: number): Promise<void> {
    return pause(this.#clock, ms, this.signal);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timeLimit?.signal.removeEventListener('abort', this.#leave);
  }
}

/** `1m30s` */
function goSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

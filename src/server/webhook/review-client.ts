// Upstream: k8s.io/apiserver/pkg/util/webhook/webhook.go#WithExponentialBackoff, #DefaultShouldRetry
import type { Clock } from '../../base/clock.ts';
import { ApiError } from '../../machinery/errors.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { isObject } from '../../patch/json/json-object.ts';
import type { RestClientMetrics } from './rest-client-metrics.ts';
import type { RemoteServer } from './kubeconfig.ts';
import { RemoteClient } from './remote-client.ts';
import { bodyOf } from './response-body.ts';

const attempts = 5;
const initialPauseMs = 500;
const factor = 1.5;
const jitter = 0.2;
const passingReasons: ReadonlySet<string> = new Set(['InternalError', 'Timeout', 'TooManyRequests']);

export interface ReviewClientOptions {
  readonly server: RemoteServer;
  readonly apiVersion: string;
  readonly kind: string;
  readonly timeoutMs?: number;
  readonly metrics?: RestClientMetrics;
  readonly initialPauseMs?: number;
  /** after each try, with what it failed for */
  readonly onAttempt?: (seconds: number, failure: unknown) => void;
}

/** Sends reviews (of tokens, of access) to another server, which gets a few tries when it stumbles. */
export class ReviewClient implements Disposable {
  readonly #options: ReviewClientOptions;
  readonly #remote: RemoteClient;

  constructor(options: ReviewClientOptions, clock: Clock) {
    this.#options = options;
    this.#remote = new RemoteClient(options.server, clock, options);
  }

  [Symbol.dispose](): void {
    this.#remote[Symbol.dispose]();
  }

  get isClosed(): boolean {
    return this.#remote.isClosed;
  }

  /** The status that the server gives to a review with this spec. */
  async review<Status extends object>(spec: object, emptyStatus: object): Promise<Partial<Status>> {
    const { apiVersion, kind } = this.#options;
    const body = JSON.stringify({ kind, apiVersion, metadata: {}, spec, status: emptyStatus });
    let pause = this.#options.initialPauseMs ?? initialPauseMs;
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      let failure: unknown;
      try {
        return await this.#attempt<Status>(body);
      } catch (error) {
        failure = error;
        if (attempt === attempts || this.#remote.isClosed || !mayPass(error)) throw error;
      } finally {
        this.#options.onAttempt?.((performance.now() - began) / 1000, failure);
      }
      await this.#remote.sleep(pause * (1 + Math.random() * jitter));
      pause *= factor;
    }
  }

  async #attempt<Status extends object>(body: string): Promise<Partial<Status>> {
    const { apiVersion, kind } = this.#options;
    const answer = parse(bodyOf(await this.#remote.post(body)));
    const { kind: answeredKind = kind, apiVersion: answeredVersion = apiVersion, status } = answer;
    if (answeredKind !== kind || answeredVersion !== apiVersion) {
      const given = `${lastPart(String(answeredVersion))}.${String(answeredKind)}`;
      throw new Error(`converting (${given}) to (${lastPart(apiVersion)}.${kind}): unknown conversion`);
    }
    return isObject(status) ? (status as Partial<Status>) : {};
  }
}

function parse(body: Buffer): JsonObject {
  let why = 'not an object';
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isObject(value)) return value;
  } catch (error) {
    why = (error as Error).message;
  }
  throw new Error(`couldn't get version/kind; json parse error: ${why}`);
}

function lastPart(apiVersion: string): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) {
    const { reason = '', details } = error.status;
    return passingReasons.has(reason) || (reason === 'ServerTimeout' && details?.retryAfterSeconds !== undefined);
  }
  return error instanceof Error && error.message.endsWith('connection reset by peer');
}

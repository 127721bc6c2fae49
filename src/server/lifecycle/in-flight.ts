// Upstream: k8s.io/apiserver/pkg/server/filters/{waitgroup,timeout,with_retry_after}.go, k8s.io/apiserver/pkg/endpoints/filters/request_deadline.go
import { badRequest, serviceUnavailable, timeout } from '../../machinery/errors.ts';
import { parseDuration } from '../../machinery/duration.ts';
import { TimeError } from '../../machinery/time-error.ts';
import type { Request, RequestPlace } from '../http/request.ts';
import type { Filter, Response } from '../http/response.ts';
import { isExemptFromRetryAfter } from './retry-after.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ParsedRequest } from '../request/stages.ts';

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Requests that stay open for as long as the client likes: no deadline, no waiting for them on shutdown. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (isResource) return longRunningVerbs.has(verb) || longRunningSubresources.has(subresource);
  return path.startsWith('/debug/pprof/') || path === '/wheelhouse/v1/backup';
}

export interface InFlightOptions {
  /** --request-timeout */
  readonly timeoutMs: number;
  /** whether a new watch would be ended as soon as it has begun */
  readonly refusesWatch: () => boolean;
  /** The deadline of a request has passed; `place` says what it was waiting for. */
  readonly timedOut: (request: Request, place: RequestPlace) => void;
  /** What was done for a request that had timed out is over. */
  readonly endedLate?: (request: ParsedRequest, failed: boolean) => void;
}

/**
 * Requests under way. One timer looks after the deadlines of all: a timer per request would cost more than many requests do.
 */
export class InFlight {
  readonly #waiting = new Map<Request, (response: Response) => void>();
  readonly #options: InFlightOptions;
  /** have had their response, and are still worked on */
  readonly #late = new WeakSet<Request>();
  #closed = false;
  #drained: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** when the timer is due */
  #due = Infinity;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Counts the request, gives it its deadline and responds with 504 when that passes. */
  filter(): Filter<ParsedRequest> {
    return (next) => (request) => {
      if (isLongRunning(request.info)) {
        request.deadline = undefined;
        if (request.info.verb === 'watch' && this.#options.refusesWatch()) throw serviceUnavailable('apiserver is shutting down', 1);
        return next(request);
      }
      if (this.#closed) {
        if (isExemptFromRetryAfter(request)) return next(request);
        throw serviceUnavailable('apiserver is shutting down', 1);
      }
      request.deadline = request.receivedAt + this.#timeoutOf(request);
      const answer = next(request);
      if (!(answer instanceof Promise)) return answer;
      return new Promise<Response>((resolve, reject) => {
        this.#waiting.set(request, resolve);
        this.#watchDeadline(request.deadline ?? Infinity);
        answer.then(
          (response) => {
            resolve(response);
            this.#ended(request, response.status >= 400);
          },
          (error: unknown) => {
            reject(error);
            this.#ended(request, true);
          },
        );
      });
    };
  }

  /** A client may want a response sooner, not later. */
  #timeoutOf(request: Request): number {
    const asked = request.rawQuery.includes('timeout=') ? (request.query.get('timeout') ?? '') : '';
    const { timeoutMs } = this.#options;
    if (asked === '') return timeoutMs;
    try {
      const milliseconds = Number(parseDuration(asked)) / 1e6;
      return milliseconds > 0 ? Math.min(milliseconds, timeoutMs) : timeoutMs;
    } catch (error) {
      if (!(error instanceof TimeError)) throw error;
      throw badRequest(`invalid timeout specified in the request URL - ${error.message}`, { cause: error });
    }
  }

  /** No new requests from now on; resolves when those under way have ended. */
  async drain(): Promise<void> {
    this.#closed = true;
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#stopTimer();
  }

  #done(request: Request): void {
    this.#waiting.delete(request);
    // The timer stays for the requests to come: to set one for each would cost more than to let one find nothing to do now and then.
    if (this.#waiting.size === 0) this.#drained?.();
  }

  #ended(request: ParsedRequest, failed: boolean): void {
    if (this.#late.delete(request)) this.#options.endedLate?.(request, failed);
    else this.#done(request);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = Infinity;
  }

  /** The timer is for the earliest deadline that it has heard of. Most are as far away as the timeout, so that it is rarely set anew. */
  #watchDeadline(deadline: number): void {
    if (deadline >= this.#due) return;
    this.#stopTimer();
    this.#due = deadline;
    // Timers count whole milliseconds, and must not come too early.
    this.#timer = setTimeout(() => this.#endLate(), Math.max(0, Math.ceil(deadline - performance.now()))).unref();
  }

  #endLate(): void {
    this.#stopTimer();
    const now = performance.now();
    let earliest = Infinity;
    for (const [request, resolve] of this.#waiting) {
      const { deadline = Infinity, place } = request;
      if (now < deadline) {
        earliest = Math.min(earliest, deadline);
        continue;
      }
      this.#late.add(request);
      this.#options.timedOut(request, place);
      resolve(timeoutResponse(request));
      request.abort(new Error('request timed out'));
      this.#done(request);
    }
    if (earliest < Infinity) this.#watchDeadline(earliest);
  }
}

/**
 * Where upstream gives up on a handler, it writes a Status without kind and apiVersion, whatever the client accepts, and nothing that
 * the handler had put into the headers: a quirk kept, by which clients take it for a response of no API server.
 */
function timeoutResponse(request: Request): Response {
  const { kind: _, apiVersion: __, ...status } = timeout('request did not complete within the allotted timeout', 0).status;
  for (const name of Object.keys(request.responseHeaders)) if (name.startsWith('x-kubernetes-pf-')) delete request.responseHeaders[name];
  request.forgetWarnings();
  return { status: 504, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${JSON.stringify(status)}\n`) };
}

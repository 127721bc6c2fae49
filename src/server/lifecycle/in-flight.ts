// Upstream: apiserver/pkg/server/filters/{waitgroup,timeout,with_retry_after}.go
import { serviceUnavailable, timeout } from '../../machinery/errors.ts';
import type { Request } from '../http/request.ts';
import type { Filter, Response } from '../http/response.ts';
import type { RequestInfo } from '../request-info.ts';

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Requests that stay open for as long as the client likes: no deadline, no waiting for them on shutdown. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (isResource) return longRunningVerbs.has(verb) || longRunningSubresources.has(subresource);
  return path.startsWith('/debug/pprof/');
}

/**
 * Requests under way. One timer looks after the deadlines of all: a timer per request would cost more than many requests do.
 */
export class InFlight {
  readonly #timeoutMs: number;
  readonly #waiting = new Map<Request, (response: Response) => void>();
  readonly #render: (request: Request, error: unknown) => Response;
  #closed = false;
  #drained: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, render: (request: Request, error: unknown) => Response) {
    this.#timeoutMs = timeoutMs;
    this.#render = render;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Counts the request, gives it its deadline and answers 504 when that passes. */
  filter(): Filter {
    return (next) => (request) => {
      if (isLongRunning(request.info as RequestInfo)) return next(request);
      if (this.#closed) throw serviceUnavailable('apiserver is shutting down.');
      request.deadline = request.receivedAt + this.#timeoutMs;
      const answer = next(request);
      if (!(answer instanceof Promise)) return answer;
      return new Promise<Response>((resolve, reject) => {
        this.#waiting.set(request, resolve);
        this.#watchDeadlines();
        answer.then(resolve, reject).finally(() => this.#done(request));
      });
    };
  }

  /** No new requests from now on; resolves when those under way are answered. */
  async drain(): Promise<void> {
    this.#closed = true;
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  #done(request: Request): void {
    this.#waiting.delete(request);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#drained?.();
  }

  #watchDeadlines(): void {
    this.#timer ??= setInterval(() => {
      const now = performance.now();
      for (const [request, resolve] of this.#waiting) {
        if (request.deadline === undefined || now < request.deadline) continue;
        resolve(this.#render(request, timeout(`request did not complete within the allotted timeout`, 0)));
        request.abort(new Error('request timed out'));
        this.#done(request);
      }
    }, 1000).unref();
  }
}

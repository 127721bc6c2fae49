import type { Readable } from 'node:stream';
import type { Span } from '../../base/tracing/span.ts';
import type { OutgoingHeaders } from './response.ts';
import type { Connection } from './connection.ts';
import type { RequestTarget } from './request-target.ts';
import { parseQuery, parseTarget } from './request-target.ts';

export type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How a protocol (HTTP/2, HTTP/1.1, an in-process call) brings a request in. */
export interface RequestSource {
  readonly method: string;
  /** path and query as they came, e.g. `/api/v1/pods?limit=5` */
  readonly target: string;
  readonly protocol: 'HTTP/2.0' | 'HTTP/1.1';
  readonly headers: IncomingHeaders;
  /** the header lines behind `headers`, where a protocol has lines: name, value, name, value, as they came */
  readonly lines?: readonly string[];
  readonly connection: Connection;
  /** Whole body; `undefined` when it is larger than `limit`. */
  readBody(limit: number): Promise<Buffer | undefined>;
  /** The body as it arrives, for those who pass it on instead of reading it; undefined when there is none. */
  readonly body: Readable | undefined;
  /** Calls back once if the client goes away before the response is complete. */
  onClose(callback: () => void): void;
}

/** Says what AbortController would. Made once: every stream closes in the end, and the stack of an error costs as much as a small request. */
const gone = new DOMException('This operation was aborted', 'AbortError');

/** Where a request is on its way, so that log and metrics can tell why it takes so long. `waiting`: for a seat of its priority level. */
export type RequestPlace = 'authentication' | 'waiting' | 'authorization' | 'handling' | 'body' | 'admission' | 'storage';

/** One request as it came; what the chain finds out about it is in `request/stages.ts`. */
export class Request {
  readonly source: RequestSource;
  readonly path: string;
  readonly rawQuery: string;
  readonly receivedAt: number;
  /** lower-case names of headers that said who the client is, beyond the usual ones; they are not passed on to other servers */
  isIdentityHeader: ((name: string) => boolean) | undefined;
  /** headers that filters add to whatever the response will be; the response's own win */
  readonly responseHeaders: OutgoingHeaders = {};
  /** when the response must be there (milliseconds, monotonic); long-running requests have none */
  deadline: number | undefined;
  /** what the line about this request in the log says besides; undefined: there will be none */
  logFields: Record<string, unknown> | undefined;
  /** milliseconds that others kept it waiting: queues and admission webhooks */
  waitedMs = 0;
  /** when it came to the filter that it is in; by the clock of performance.now() */
  filterBegan: number;
  place: RequestPlace = 'authentication';
  /** what is recorded of its handler; undefined: nothing is */
  span: Span | undefined;
  #query: URLSearchParams | undefined;
  #abort: AbortController | undefined;
  #warnings: Set<string> | undefined;

  constructor(source: RequestSource, receivedAt: number, target = targetOf(source)) {
    this.source = source;
    this.receivedAt = receivedAt;
    this.filterBegan = receivedAt;
    this.path = target.path;
    this.rawQuery = target.rawQuery;
  }

  get method(): string {
    return this.source.method;
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.rawQuery));
  }

  header(name: string): string | undefined {
    const value = this.source.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Aborted when the client goes away or the deadline passes. Made on demand: most requests never look. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      this.source.onClose(() => abort.abort(gone));
    }
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort ??= new AbortController();
    this.#abort.abort(reason);
  }

  /** Texts for `Warning` headers, in order, each once. */
  /** For a response that says nothing of what the handler had to say. */
  forgetWarnings(): void {
    this.#warnings = undefined;
  }

  get warnings(): readonly string[] {
    return this.#warnings === undefined ? [] : [...this.#warnings];
  }

  warn(text: string): void {
    (this.#warnings ??= new Set()).add(text);
  }
}

/** For callers that do not know it yet, and whose targets are good: those of this process. */
function targetOf({ method, target }: RequestSource): RequestTarget {
  const parsed = parseTarget(method, target);
  if (parsed === undefined) throw new Error(`not the target of a request: ${target}`);
  return parsed;
}

import type { FamilyCopy } from '../../base/exposition/merged-metrics.ts';
import type { IncomingHeaders } from '../../server/http/request.ts';
import type { OutgoingHeaders } from '../../server/http/response.ts';

export interface PageRequest {
  readonly method: string;
  /** path and query */
  readonly target: string;
  readonly headers: IncomingHeaders;
  readonly body: Uint8Array | undefined;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<OutgoingHeaders>;
  /** a number: by which the body is asked for, piece by piece; undefined: there is none */
  readonly body: Uint8Array | number | undefined;
}

/** What the first thread does for the others. */
export type FirstThreadFunctions = {
  /** a path that is about the process */
  page(request: PageRequest): Promise<PageResponse>;
  /** the next piece of a body; undefined: that was all */
  read(body: number): Promise<Uint8Array | undefined>;
  /** the rest of a body is not wanted */
  discard(body: number): void;
  /** a line of the audit log */
  audit(line: string | Uint8Array): Promise<void>;
  ready(nothing: undefined): void;
};

/** What the first thread asks of another. */
export type FurtherThreadFunctions = {
  metrics(nothing: undefined): readonly FamilyCopy[];
  clearMetrics(nothing: undefined): void;
  /** Resolves when it has stopped. */
  stop(nothing: undefined): Promise<void>;
  ping(nothing: undefined): void;
};

import type { RequestSource } from './request.ts';
import type { OutgoingHeaders, Response } from './response.ts';

/** One request that came over a socket, and the place to send its response to. */
export interface Exchange extends RequestSource {
  /** when the response must be sent, if it must; by the clock of performance.now() */
  sendBy: number | undefined;
  readonly closed: boolean;
  /** its headers are larger than a request's may be */
  readonly oversized: boolean;
  send(response: Response, headers: OutgoingHeaders): Promise<void>;
  /** Ends it hard: the response cannot be completed. */
  fail(): void;
  /** It is no request, though it has the form of one. */
  refuse(): void;
}

/** Clients of one user that ask the same again and again, all in one process. */
export interface CrowdPlan {
  readonly name: string;
  readonly token: string;
  readonly clients: number;
  /** HTTP/2 connections that the clients share */
  readonly connections: number;
  readonly path: string;
  readonly accept?: string;
  /** a request begins so long after the one before it began, whatever became of that; without it, as soon as that has ended */
  readonly everyMs?: number;
  /** between the end of a request and the next of the same client */
  readonly pauseMs?: number;
  /** what a client does that was turned away: waits as long as it was asked to, or so many milliseconds */
  readonly afterRefusal: 'obey' | number;
  /** requests of an open crowd that may be under way; what would be more is not sent */
  readonly mostUnderWay?: number;
}

/** What one process is asked to do. */
export interface CrowdTask {
  readonly url: string;
  readonly authority: string;
  readonly crowds: readonly CrowdPlan[];
  /** of the process, as nice(1) counts, beside that of the one that starts it */
  readonly niceness: number;
}

/** Seen by one crowd from the start signal to the end. */
export interface CrowdReport {
  readonly name: string;
  readonly seconds: number;
  /** responses by status; 0: none came */
  readonly statuses: Readonly<Record<string, number>>;
  /** milliseconds of each request that got a status below 300, in order */
  readonly latencies: readonly number[];
  /** the same, by the second in which the response was complete */
  readonly goodBySecond: readonly number[];
  readonly bytes: number;
  /** responses 429 that did not say when to come back */
  readonly withoutRetryAfter: number;
  /** requests that were due and not sent, as too many were under way */
  readonly unsent: number;
  readonly failures: readonly string[];
}

export type CrowdMessage = { readonly type: 'ready' } | { readonly type: 'reports'; readonly reports: readonly CrowdReport[] };
export type CrowdCommand = { readonly type: 'task'; readonly task: CrowdTask } | { readonly type: 'go' } | { readonly type: 'stop' };

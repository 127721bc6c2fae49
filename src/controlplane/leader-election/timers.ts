/** Of a Lease that candidates compete for. */
export interface LeaderElectionTimers {
  readonly leaseDurationMs: number;
  /** a holder that could not renew for so long gives up */
  readonly renewDeadlineMs: number;
  /** between two attempts to acquire or renew */
  readonly retryMs: number;
}

export const defaultTimers: LeaderElectionTimers = Object.freeze({ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000 });

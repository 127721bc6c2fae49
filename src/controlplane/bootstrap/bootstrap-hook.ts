import type { PostStartHook } from '../../server/api-server.ts';

/** A hook in two parts: what a cluster has from its first moment on, and how that is kept. */
export interface BootstrapHook extends PostStartHook {
  /** Comes before `run`, unless the store is a copy of one where it was done. */
  readonly begin: (signal: AbortSignal) => Promise<void>;
}

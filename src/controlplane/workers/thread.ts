import type { MessagePort, Worker } from 'node:worker_threads';
import type { ReplicaStorage } from '../../storage/drivers/replica/replica-storage.ts';
import type { FirstThread } from './first-thread.ts';

/** What a further thread is started with. */
export interface FurtherThreadData {
  /** to the first thread */
  readonly port: MessagePort;
  /** of the store that the first thread has; undefined: each thread speaks to an etcd for itself */
  readonly store: { readonly port: MessagePort; readonly revision: SharedArrayBuffer } | undefined;
  /** where all threads listen */
  readonly listensOn: number;
  /** how many threads there are */
  readonly threads: number;
}

/**
 * Which part this thread has in a process whose threads serve one port together. Each is a whole server. The first has the store, runs what
 * one server of a cluster runs, and speaks for the process: health, metrics, pages for people.
 */
export type ThreadRole =
  | { readonly role: 'only' }
  | { readonly role: 'first'; readonly further: number; readonly start: (data: FurtherThreadData) => Worker }
  | {
      readonly role: 'further';
      readonly threads: number;
      readonly first: FirstThread;
      readonly listensOn: number;
      /** undefined: the thread opens its own */
      readonly storage: ReplicaStorage | undefined;
    };

/** The share of a limit of the process that one of its threads has. */
export function shareOf(limit: number, role: ThreadRole): number {
  const threads = role.role === 'only' ? 1 : role.role === 'first' ? role.further + 1 : role.threads;
  return Math.ceil(limit / threads);
}

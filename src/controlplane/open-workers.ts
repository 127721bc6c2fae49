import type { Handler } from '../server/http/response.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import { EntryNotes } from '../server/registry/entry-notes.ts';
import type { FollowedStorage } from '../storage/drivers/replica/replica-host.ts';
import type { Storage } from '../storage/storage.ts';
import { chunksOf, InProcessCaller } from './in-process-call.ts';
import type { ServerContext } from './server-context.ts';
import type { ThreadRole } from './workers/thread.ts';
import type { WorkerServices, Workers } from './workers/workers.ts';

/** undefined: this thread starts no others. Loaded only when asked for. */
export async function openWorkers(thread: ThreadRole, storage: Storage, context: ServerContext): Promise<Workers | undefined> {
  if (thread.role !== 'first') return undefined;
  const { Workers: Opened } = await import('./workers/workers.ts');
  const { ReplicaHost } = await import('../storage/drivers/replica/replica-host.ts');
  // Threads on an etcd are as servers on one: each speaks to it for itself.
  const host = isFollowed(storage) ? context.owned.use(new ReplicaHost(storage)) : undefined;
  const workers = new Opened({ ...thread, host }, context);
  context.owned.defer(() => workers.stop());
  return workers;
}

/** Entries that one thread has made of values are known to the others. `written`: those of this thread */
export function shareEntries(thread: ThreadRole, workers: Workers | undefined, written: WeakMap<Buffer, StoredEntry>): void {
  if (thread.role === 'first') workers?.share(new EntryNotes(written));
  else if (thread.role === 'further' && thread.storage !== undefined) thread.storage.notes = new EntryNotes(written);
}

function isFollowed(storage: Storage): storage is FollowedStorage {
  return 'follow' in storage && 'since' in storage && 'snapshot' in storage;
}

/** Paths that are about the process, for its other threads. */
export function pagesOf(handler: Handler): WorkerServices['page'] {
  const caller = new InProcessCaller(handler, 'wheelhouse-worker');
  return async ({ body: sent, ...request }) => {
    const response = await caller.call({ ...request, body: sent && Buffer.from(sent) });
    const { status, headers, body } = response;
    return { status, headers, body: typeof body === 'function' ? chunksOf(response) : body };
  };
}

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, failure } from '../machinery/errors.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import type { SnapshotActions } from '../server/routes/snapshots.ts';
import type { WatchCache } from '../storage/cache/types.ts';
import { CacheClosedError } from '../storage/cache/types.ts';
import type { Snapshot, SnapshotStorage } from '../storage/mvcc/snapshot.ts';
import { isSnapshotStorage } from '../storage/mvcc/snapshot.ts';
import type { Storage } from '../storage/storage.ts';
import { FutureRevisionError } from '../storage/storage.ts';

interface SnapshotParts {
  readonly storage: Storage;
  readonly storagePrefix: string;
  readonly caches: () => readonly WatchCache<StoredEntry>[];
  /** resolves when every CustomResourceDefinition that is stored is served, and no other */
  readonly definitionsServed: () => Promise<void>;
}

/** Older ones are forgotten. The bytes are those of values that have been replaced or deleted since the oldest was taken. */
const mostKept = { number: 1000, bytes: 256 * 2 ** 20 };
const furnishedWithinMs = 10_000;

/** Takes a server back to earlier states of its store. */
export class Snapshots implements SnapshotActions {
  readonly #parts: SnapshotParts;
  readonly #most: typeof mostKept;
  /** those of another server, or of this one before it was started anew, have another */
  readonly #origin = randomBytes(6).toString('hex');
  readonly #kept = new Map<string, Snapshot>();
  #taken = 0;
  #initial: Snapshot | undefined;

  constructor(parts: SnapshotParts, most = mostKept) {
    this.#parts = parts;
    this.#most = most;
  }

  take(): Snapshot {
    return this.#storage().snapshot();
  }

  /** Resolves when everything that this server remembers has followed. */
  async restore(to: Snapshot): Promise<number> {
    // Leases of servers say who is there now, and are renewed by those who are.
    const leases = `${this.#parts.storagePrefix}/masterleases/`;
    const revision = await this.#storage().restore(to, { keeps: (key) => key.startsWith(leases) });
    await Promise.all(this.#parts.caches().map((cache) => followed(cache, revision)));
    await this.#parts.definitionsServed();
    return revision;
  }

  /** What `reset` goes back to. With `controllers`, what they put into every namespace belongs to it, though they come a moment later. */
  async rememberInitial(controllers: boolean): Promise<void> {
    const initial = this.take();
    this.#initial = initial;
    const end = performance.now() + furnishedWithinMs;
    for (const key of controllers ? furniture(this.#parts.storagePrefix) : []) {
      if (initial.keyspace.get(key) !== undefined) continue;
      let { kv } = await this.#parts.storage.get(key);
      while (kv === undefined && performance.now() < end) {
        await sleep(5, undefined, { ref: false });
        ({ kv } = await this.#parts.storage.get(key));
      }
      if (kv !== undefined) initial.keyspace.commit([{ type: 'put', kv, previous: undefined }], initial.keyspace.revision);
    }
  }

  takeNamed(): string {
    const snapshot = this.take();
    const id = `${this.#origin}-${++this.#taken}`;
    this.#kept.set(id, snapshot);
    const now = snapshot.keyspace.displacedBytes;
    for (const [oldest, { keyspace }] of this.#kept) {
      if (this.#kept.size <= this.#most.number && now - keyspace.displacedBytes <= this.#most.bytes) break;
      this.#kept.delete(oldest);
    }
    return id;
  }

  async restoreNamed(id: string): Promise<number> {
    const snapshot = this.#kept.get(id);
    if (snapshot !== undefined) return this.restore(snapshot);
    const why = id.startsWith(`${this.#origin}-`)
      ? `only the last ${this.#most.number} are kept, and ${Math.round(this.#most.bytes / 2 ** 20)} MiB of what has changed since`
      : 'it was taken by another server, or by this one before it was started anew';
    throw new ApiError(failure(404, 'NotFound', `snapshot ${JSON.stringify(id)} is not known: ${why}`));
  }

  async reset(): Promise<number> {
    if (this.#initial === undefined) throw new ApiError(failure(503, 'ServiceUnavailable', 'the server is not ready yet'));
    return this.restore(this.#initial);
  }

  #storage(): SnapshotStorage {
    const { storage } = this.#parts;
    if (isSnapshotStorage(storage)) return storage;
    throw new ApiError(failure(501, 'NotImplemented', 'the store of this server has no snapshots; memory and a data directory have'));
  }
}

/** What controllers put into every namespace: a pod that is created next finds its service account. */
export function furniture(storagePrefix: string): string[] {
  return ['default', 'kube-node-lease', 'kube-public', 'kube-system'].flatMap((namespace) => [
    `${storagePrefix}/serviceaccounts/${namespace}/default`,
    `${storagePrefix}/configmaps/${namespace}/kube-root-ca.crt`,
  ]);
}

async function followed(cache: WatchCache<StoredEntry>, revision: number): Promise<void> {
  while (cache.isReady) {
    try {
      return await cache.waitFor(revision);
    } catch (error) {
      // Its resource went away with its definition.
      if (error instanceof CacheClosedError) return;
      if (!(error instanceof FutureRevisionError)) throw error;
    }
  }
}

/** API servers for tests: in the test's process, in memory or in a folder, taken back or copied in an instant. */
import type { ApiServerOptions, RunningApiServer } from '../index.ts';
import type { Clock } from '../base/clock.ts';
import type { ForkableServer } from '../client/start-server.ts';
import { startServer } from '../client/start-server.ts';
import { furniture } from '../controlplane/snapshots.ts';
import { storageDefaults } from '../controlplane/storage.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Snapshot, SnapshotStorage } from '../storage/mvcc/snapshot.ts';

export { ManualClock } from '../base/clock.ts';
export type { Snapshot } from '../storage/mvcc/snapshot.ts';

/** As those of a server, but that its controllers are on unless said otherwise: what a test makes should come to life and go away. */
export interface TestServerOptions extends Omit<ApiServerOptions, 'storage'> {
  /** where state is kept: nowhere beyond the process (default), or in a folder, from which the next server goes on */
  readonly storage?: 'memory' | { readonly directory: string };
}

export interface TestServer extends RunningApiServer {
  /** Goes back to a snapshot, by default to the moment when the server had become ready. Watches see it as one write of all that is different. */
  reset(to?: Snapshot): Promise<void>;
  /** Another server with its own copy of the state, in memory; clients of this one may use it with the same certificates. */
  fork(): Promise<TestServer>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return startOn(await openStore(options), options);
}

async function openStore({ storage = 'memory', clock }: TestServerOptions): Promise<SnapshotStorage> {
  const timed = clock === undefined ? {} : { clock };
  if (storage === 'memory') return createMemoryStorage(timed);
  if (typeof storage.directory !== 'string')
    throw new TypeError(`storage is 'memory' or { directory: '...' } in a test server, not ${JSON.stringify(storage)}`);
  const { openEmbeddedStorage } = await import('../storage/drivers/embedded/open.ts');
  return openEmbeddedStorage({ directory: storage.directory, ...timed });
}

async function startOn(storage: SnapshotStorage, options: TestServerOptions): Promise<TestServer> {
  const { controllers = true } = options;
  let server: ForkableServer | undefined;
  try {
    server = await startServer({ ...options, controllers, storage });
    // Controllers beside a clock that stands still may wait for it.
    if (controllers === true && options.clock === undefined) await furnished(storage);
  } catch (error) {
    await server?.stop();
    await storage[Symbol.asyncDispose]();
    throw error;
  }
  return testServer(server, storage, options.clock);
}

function testServer({ forkOn, ...server }: ForkableServer, storage: SnapshotStorage, clock: Clock | undefined): TestServer {
  const initial = storage.snapshot();
  const stop = async (): Promise<void> => {
    await server.stop();
    await storage[Symbol.asyncDispose]();
  };
  return {
    ...server,
    stop,
    [Symbol.asyncDispose]: stop,
    reset: (to = initial) => server.restore(to),
    fork: async () => {
      const copy = createMemoryStorage({ ...(clock && { clock }), from: storage.snapshot() });
      try {
        return testServer(await forkOn(copy), copy, clock);
      } catch (error) {
        await copy[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

/** Resolves when namespaces have what controllers put into every one: a pod that is created next finds its service account. */
async function furnished(storage: SnapshotStorage): Promise<void> {
  const late = AbortSignal.timeout(longestFurnishingMs);
  for (const key of furniture(storageDefaults.prefix)) {
    while ((await storage.get(key)).kv === undefined) {
      if (late.aborted)
        throw new Error(
          `controllers have not made ${key} in ${longestFurnishingMs / 1000} s; does a plugin of yours refuse it? \`log\` tells`,
        );
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

const longestFurnishingMs = 30_000;

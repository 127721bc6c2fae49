/** API servers for tests: in the test's process, in memory, taken back or copied in an instant. */
import type { ApiServerOptions, RunningApiServer } from '../index.ts';
import { startApiServer } from '../index.ts';
import type { MemorySnapshot, MemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';

export { ManualClock } from '../base/clock.ts';
export type { MemorySnapshot } from '../storage/drivers/memory/memory-storage.ts';

/** As those of a server, but that its controllers are on unless said otherwise: what a test makes should come to life and go away. */
export type TestServerOptions = Omit<ApiServerOptions, 'storage'>;

export interface TestServer extends RunningApiServer {
  /** Everything the server holds now. Costs the same whatever that is. */
  snapshot(): MemorySnapshot;
  /** Goes back to a snapshot, by default to the moment when the server had become ready. Open watches end with 410, so that clients list again. */
  reset(to?: MemorySnapshot): Promise<void>;
  /** Another server with its own copy of the state; clients of this one may use it with the same certificates. */
  fork(): Promise<TestServer>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return startOn(createMemoryStorage(options.clock === undefined ? {} : { clock: options.clock }), options, 'new');
}

async function startOn(storage: MemoryStorage, options: TestServerOptions, state: 'new' | 'copied'): Promise<TestServer> {
  const { controllers = true } = options;
  const server = await startApiServer({ ...options, controllers, storage });
  // Controllers beside a clock that stands still may wait for it.
  if (state === 'new' && controllers === true && options.clock === undefined) await furnished(storage);
  const initial = storage.snapshot();
  const stop = async (): Promise<void> => {
    await server.stop();
    await storage[Symbol.asyncDispose]();
  };
  return {
    ...server,
    stop,
    [Symbol.asyncDispose]: stop,
    snapshot: () => storage.snapshot(),
    reset: (to = initial) => server.restore(() => storage.restore(to)),
    fork: () => startOn(storage.fork(), { ...options, authority: server.authority, port: 0 }, 'copied'),
  };
}

const furniture = ['default', 'kube-node-lease', 'kube-public', 'kube-system'].flatMap((namespace) => [
  `/registry/serviceaccounts/${namespace}/default`,
  `/registry/configmaps/${namespace}/kube-root-ca.crt`,
]);

/** Resolves when namespaces have what controllers put into every one: a pod that is created next finds its service account. */
async function furnished(storage: MemoryStorage): Promise<void> {
  for (const key of furniture) {
    while ((await storage.get(key)).kv === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

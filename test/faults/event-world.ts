import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { EtcdServer } from '../../src/etcd/server.ts';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import type { Storage, WatchItem, WatchOptions } from '../../src/storage/storage.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ChaoticProxy } from '../support/chaotic-proxy.ts';
import type { Chance } from '../support/chaotic-proxy.ts';

/** A store as it is, for those who write, and as servers reach it, with delays and losses on the way. */
export interface World extends AsyncDisposable {
  readonly store: Storage;
  /** of one server, which disposes of it */
  connect(): Promise<Storage>;
  /** Breaks the connections of all servers. */
  cut(): void;
  /** Stops the store and starts it again with what it holds. There are no writes meanwhile. */
  restart?(): Promise<void>;
}

export const worlds = {
  memory: async (chance: Chance) => new InProcessWorld(createMemoryStorage(), chance),
  embedded: async (chance: Chance): Promise<World> => {
    const directory = await mkdtemp(join(tmpdir(), 'wheelhouse-events-'));
    return new InProcessWorld(await openEmbeddedStorage({ directory }), chance, () => rm(directory, { recursive: true }));
  },
  'our etcd': async (chance: Chance) => EtcdWorld.start(await OurEtcd.start(), chance),
  'real etcd': async (chance: Chance) => EtcdWorld.start(await EtcdProcess.start(), chance),
} satisfies Record<string, (chance: Chance) => Promise<World>>;

class InProcessWorld implements World {
  readonly store: Storage;
  readonly #chance: Chance;
  readonly #clean: (() => Promise<void>) | undefined;
  #breaks = new AbortController();

  constructor(store: Storage, chance: Chance, clean?: () => Promise<void>) {
    this.store = store;
    this.#chance = chance;
    this.#clean = clean;
  }

  async connect(): Promise<Storage> {
    return hesitant(this.store, this.#chance, () => this.#breaks.signal);
  }

  cut(): void {
    this.#breaks.abort();
    this.#breaks = new AbortController();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await this.#clean?.();
  }
}

interface Member extends AsyncDisposable {
  readonly clientPort: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

class EtcdWorld implements World {
  readonly store: Storage;
  readonly #member: Member;
  readonly #proxy: ChaoticProxy;
  readonly #chance: Chance;

  private constructor(store: Storage, member: Member, proxy: ChaoticProxy, chance: Chance) {
    this.store = store;
    this.#member = member;
    this.#proxy = proxy;
    this.#chance = chance;
  }

  static async start(member: Member, chance: Chance): Promise<EtcdWorld> {
    const proxy = await ChaoticProxy.start(member.clientPort, chance);
    const store = await openEtcdStorage({ endpoints: [`http://127.0.0.1:${member.clientPort}`], compactionIntervalMs: 0 });
    return new EtcdWorld(store, member, proxy, chance);
  }

  async connect(): Promise<Storage> {
    const storage = await openEtcdStorage({ endpoints: [`http://127.0.0.1:${this.#proxy.port}`], compactionIntervalMs: 0 });
    return hesitant(storage, this.#chance, undefined);
  }

  cut(): void {
    this.#proxy.cut();
  }

  async restart(): Promise<void> {
    await this.#member.stop();
    await this.#member.start();
    this.#proxy.target = this.#member.clientPort;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await this.#member[Symbol.asyncDispose]();
  }
}

/** Our own etcd in this process, at one port across restarts. */
class OurEtcd implements Member {
  readonly #directory: string;
  #server: EtcdServer;

  private constructor(directory: string, server: EtcdServer) {
    this.#directory = directory;
    this.#server = server;
  }

  static async start(): Promise<OurEtcd> {
    const directory = await mkdtemp(join(tmpdir(), 'wheelhouse-events-'));
    return new OurEtcd(directory, await OurEtcd.#open(directory, 0));
  }

  static #open(directory: string, port: number): Promise<EtcdServer> {
    return EtcdServer.start({
      name: 'default',
      directory,
      clientAddresses: [{ host: '127.0.0.1', port, secure: false }],
      metricsAddresses: [],
      advertisedClientUrls: [],
      peerUrls: [],
      tls: undefined,
      sync: false,
      progressIntervalMs: 200,
      maxRequestBytes: 1_572_864,
      maxTxnOperations: 128,
      quotaBytes: 2 ** 31,
      log: silentLogger,
    });
  }

  get clientPort(): number {
    return this.#server.ports[0] as number;
  }

  async stop(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async start(): Promise<void> {
    this.#server = await OurEtcd.#open(this.#directory, this.clientPort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true });
  }
}

/** The storage with a pause of any length before and after each of its calls, and between what its watches yield. */
function hesitant(storage: Storage, chance: Chance, breaks: (() => AbortSignal) | undefined): Storage {
  const pause = async (): Promise<void> => {
    if (chance() < 0.5) return;
    if (chance() < 0.5) await new Promise((resolve) => setImmediate(resolve));
    else await sleep(chance() * 8);
  };
  const slowly = async <R>(call: () => Promise<R>): Promise<R> => {
    await pause();
    const result = await call();
    await pause();
    return result;
  };
  return {
    get: (key, options) => slowly(() => storage.get(key, options)),
    list: (prefix, options) => slowly(() => storage.list(prefix, options)),
    count: (prefix, options) => slowly(() => storage.count(prefix, options)),
    transact: (operations, options) => slowly(() => storage.transact(operations, options)),
    currentRevision: (options) => slowly(() => storage.currentRevision(options)),
    compact: (revision) => slowly(() => storage.compact(revision)),
    health: (options) => storage.health(options),
    requestProgress: (prefix) => storage.requestProgress?.(prefix),
    async *watch(prefix: string, options: WatchOptions): AsyncGenerator<readonly WatchItem[], void, undefined> {
      const broken = breaks?.();
      const signal = broken === undefined ? options.signal : AbortSignal.any([options.signal, broken]);
      await pause();
      for await (const batch of storage.watch(prefix, { ...options, signal })) {
        await pause();
        if (broken?.aborted) break;
        yield batch;
        await pause();
      }
      if (broken?.aborted) throw new StorageUnavailableError('cut', { outcomeUnknown: false });
    },
    // A store in this process belongs to the world.
    [Symbol.asyncDispose]: async () => (breaks === undefined ? storage[Symbol.asyncDispose]() : undefined),
  };
}

/** Time that runs so many times as fast: a minute between bookmarks is a matter of seconds. */
export function fastClock(times: number): Clock {
  return {
    now: () => systemClock.now() * times,
    elapsed: () => systemClock.elapsed() * times,
    setTimeout: (fn, ms) => systemClock.setTimeout(fn, ms / times),
  };
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { GrpcMethod, GrpcService } from '../base/grpc/server.ts';
import type { Logger } from '../base/log.ts';
import { diskFiles } from '../storage/drivers/embedded/files.ts';
import type { Files } from '../storage/drivers/embedded/files.ts';
import { openEmbeddedStorage } from '../storage/drivers/embedded/open.ts';
import { kvMethods } from './kv-service.ts';
import { leaseMethods } from './lease-service.ts';
import { Listener } from './listener.ts';
import type { ServingTls } from './listener.ts';
import { maintenanceMethods } from './maintenance-service.ts';
import { plainPaths } from './plain-paths.ts';
import type { Identity } from './responses.ts';
import { Responses } from './responses.ts';
import { sendSnapshot } from './snapshot.ts';
import { EtcdStore } from './store.ts';
import { WatchStream } from './watch.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export interface EtcdServerConfig {
  readonly name: string;
  readonly directory: string;
  readonly clientAddresses: readonly ListenAddress[];
  /** only health and metrics are served there */
  readonly metricsAddresses: readonly ListenAddress[];
  readonly advertisedClientUrls: readonly string[];
  readonly peerUrls: readonly string[];
  readonly tls: ServingTls | undefined;
  /** false: a write is acknowledged before it is on the disk, and may be lost when the machine stops */
  readonly sync: boolean;
  readonly progressIntervalMs: number;
  readonly maxRequestBytes: number;
  readonly maxTxnOperations: number;
  readonly quotaBytes: number;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** What a request may be longer than a write: envelopes, and reads with long keys. */
const requestOverhead = 512 * 1024;
const graceMs = 1000;
/** There are no elections; a new cluster of etcd's is in this term as well. */
const term = 2;

const unsyncedFiles: Files = {
  create: async (path) => ({ ...(await diskFiles.create(path)), sync: async () => {} }),
};

/** One member of etcd, alone, on the embedded store. */
export class EtcdServer implements AsyncDisposable {
  readonly store: EtcdStore;
  /** where clients are served, in the order of the configuration */
  readonly ports: readonly number[];
  readonly #listeners: readonly Listener[];
  readonly #stopping: { value: boolean };
  readonly #log: Logger;

  private constructor(
    store: EtcdStore,
    listeners: readonly Listener[],
    ports: readonly number[],
    stopping: { value: boolean },
    log: Logger,
  ) {
    this.store = store;
    this.#listeners = listeners;
    this.ports = ports;
    this.#stopping = stopping;
    this.#log = log;
  }

  static async start(config: EtcdServerConfig): Promise<EtcdServer> {
    const { log, clock = systemClock } = config;
    const store = await openStore(config, clock);
    const stopping = { value: false };
    const listeners: Listener[] = [];
    try {
      const identity = identityOf(config);
      const grpc = grpcService(config, store, identity, clock, stopping);
      const plain = plainPaths(store);
      const ports: number[] = [];
      for (const { host, port, secure } of config.clientAddresses) {
        const listener = await Listener.create({ grpc, plain, tls: secure ? config.tls : undefined });
        ports.push(await listener.listen(host, port));
        listeners.push(listener);
      }
      for (const { host, port, secure } of config.metricsAddresses) {
        const listener = await Listener.create({ plain, tls: secure ? config.tls : undefined });
        await listener.listen(host, port);
        listeners.push(listener);
      }
      log.info('serving client requests', { ports: ports.join(','), revision: store.revision, sync: config.sync });
      return new EtcdServer(store, listeners, ports, stopping, log);
    } catch (error) {
      await Promise.all(listeners.map((listener) => listener.close(0)));
      await store[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Calls under way end, watches too; what was acknowledged is on the disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.value = true;
    // Watches end when the store does.
    await this.store[Symbol.asyncDispose]();
    await Promise.all(this.#listeners.map((listener) => listener.close(graceMs)));
    this.#log.info('stopped');
  }
}

async function openStore(config: EtcdServerConfig, clock: Clock): Promise<EtcdStore> {
  const { log } = config;
  const files = config.sync ? diskFiles : unsyncedFiles;
  const observer = {
    failed: (error: Error) => log.error('the store takes no writes', { err: error }),
    recovered: () => log.info('the store takes writes again'),
    compactionFailed: (error: Error) => log.error('the store could not be compacted', { err: error }),
    damagedValue: (key: string, revision: number) => log.error('a value is damaged on the disk and reads as empty', { key, revision }),
  };
  const open = (name: string): ReturnType<typeof openEmbeddedStorage> =>
    openEmbeddedStorage({ directory: join(config.directory, 'member', name), files, clock, observer });
  const storage = await open('keys');
  const leaseStorage = await open('leases').catch(async (error: unknown) => {
    await storage[Symbol.asyncDispose]();
    throw error;
  });
  const { maxTxnOperations } = config;
  const onLeaseError = (error: Error): void => log.error('keys of an expired lease could not be deleted', { err: error });
  return EtcdStore.open({ storage, leaseStorage, clock, maxTxnOperations, onLeaseError });
}

function grpcService(
  config: EtcdServerConfig,
  store: EtcdStore,
  identity: Identity,
  clock: Clock,
  stopping: { readonly value: boolean },
): GrpcService {
  const { log, maxRequestBytes, progressIntervalMs, quotaBytes } = config;
  const responses = new Responses(identity);
  const member = { name: config.name, peerUrls: config.peerUrls, clientUrls: config.advertisedClientUrls };
  const watchOptions = { store, responses, clock, progressIntervalMs, maxMessageBytes: maxRequestBytes };
  const methods: Record<string, GrpcMethod> = {
    ...kvMethods(store, responses, maxRequestBytes),
    ...leaseMethods(store, responses, clock),
    ...maintenanceMethods({
      store,
      responses,
      identity,
      member,
      quotaBytes,
      sendSnapshot: (stream) => sendSnapshot(stream, store, term),
    }),
    '/etcdserverpb.Watch/Watch': { stream: (stream) => new WatchStream(stream, watchOptions).serve() },
  };
  return {
    methods: new Map(Object.entries(methods)),
    maxReceiveBytes: maxRequestBytes + requestOverhead,
    onError: (path, error) => log.error('a call failed', { path, err: error }),
    isStopping: () => stopping.value,
  };
}

/** The same whenever the server is started with the same name and peers. */
function identityOf({ name, peerUrls }: EtcdServerConfig): Identity {
  const hash = createHash('sha256')
    .update([name, ...peerUrls].join('\n'))
    .digest();
  return { memberId: hash.readBigUInt64BE(0), clusterId: hash.readBigUInt64BE(8), term };
}

// Upstream: k8s.io/apiserver/pkg/storage/etcd3/store.go, k8s.io/apiserver/pkg/storage/storagebackend/factory/etcd3.go
import type { ClientTls } from '../../../base/grpc/endpoint.ts';
import type { Dial } from '../../../base/https/dial.ts';
import { GrpcError, statusCode } from '../../../base/grpc/status.ts';
import type {
  GetResult,
  HealthOptions,
  KeyValue,
  ListOptions,
  ListResult,
  Operation,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from '../../storage.ts';
import { CompactedError, FutureRevisionError, StorageUnavailableError } from '../../storage.ts';
import { EtcdClient } from './client.ts';
import type { EtcdRequestRecord } from './client.ts';
import { runCompactor } from './compactor.ts';
import { isCompacted, isFutureRevision, isLeaseNotFound, storageError } from './errors.ts';
import { everything, keyCodec, prefixEnd } from './keys.ts';
import type { KeyCodec } from './keys.ts';
import { LeaseManager } from './lease-manager.ts';
import type { RangeRequest, TxnOperation } from './requests.ts';
import { encodeWatchCreate } from './requests.ts';
import type { RangeResponse, StatusResponse, TxnResponse } from './responses.ts';
import { decodeWatch } from './responses.ts';
import { EtcdWatch } from './watch.ts';

export interface EtcdStorageOptions {
  readonly endpoints: readonly string[];
  /** `--etcd-cafile`, `--etcd-certfile`, `--etcd-keyfile` */
  readonly tls?: ClientTls;
  /** how members are reached, when not directly */
  readonly dial?: Dial | undefined;
  /** put before every key and taken off again; keys are used as they are without it */
  readonly keyPrefix?: string;
  /** 0: never; default 5 minutes (`--etcd-compaction-interval`) */
  readonly compactionIntervalMs?: number;
  readonly leaseReuseDurationSeconds?: number;
  readonly leaseMaxObjectCount?: number;
  /** how long opening waits for an etcd that responds (`--storage-initialization-timeout`) */
  readonly initializationTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly onRequest?: (record: EtcdRequestRecord) => void;
  readonly onConnectivity?: (endpoint: string, up: boolean, reason: Error | undefined) => void;
  readonly onCompacted?: (revision: number) => void;
  readonly onCompactionError?: (error: unknown) => void;
  readonly onLeaseRetired?: (objectCount: number) => void;
}

/** Where a list without a limit is cut into pages, for servers that cannot stream it. */
const pageSize = 10_000;
const healthTimeoutMs = 2000;

/** Opens an etcd cluster as a Storage. Rejects with one clear line when none of the endpoints responds in time. */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<EtcdStorage> {
  const storage = new EtcdStorage(options);
  const timeoutMs = options.initializationTimeoutMs ?? 60_000;
  try {
    await storage.currentRevision({ timeoutMs });
  } catch (error) {
    await storage[Symbol.asyncDispose]();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageUnavailableError(`etcd at ${options.endpoints.join(', ')} did not answer within ${timeoutMs / 1000}s: ${reason}`, {
      outcomeUnknown: false,
      cause: error,
    });
  }
  return storage;
}

interface TimedOptions extends ReadOptions {
  readonly timeoutMs?: number;
}

/**
 * Values in results are views of the responses they came in: copy one that is kept for long.
 * Revisions are the cluster's, so other users of the same etcd move them too.
 */
export class EtcdStorage implements Storage {
  readonly #client: EtcdClient;
  readonly #keys: KeyCodec;
  readonly #leases: LeaseManager;
  readonly #closing = new AbortController();
  readonly #background: Promise<void>[] = [];
  readonly #watches = new Set<EtcdWatch>();
  /** watches from "now" that do not know yet which revision that is: later writes wait, to come after it */
  readonly #pendingStarts = new Set<Promise<unknown>>();
  #canStreamRanges = true;

  constructor(options: EtcdStorageOptions) {
    this.#keys = keyCodec(options.keyPrefix ?? '');
    this.#client = new EtcdClient({
      endpoints: options.endpoints,
      ...(options.tls && { tls: options.tls }),
      dial: options.dial,
      ...(options.onConnectivity && { onConnectivity: options.onConnectivity }),
      requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
      decodeKey: this.#keys.decode,
      onRequest: options.onRequest,
    });
    this.#leases = new LeaseManager({
      reuseDurationSeconds: options.leaseReuseDurationSeconds ?? 60,
      maxObjectCount: options.leaseMaxObjectCount || 1000,
      grant: (ttlSeconds, signal) => this.#client.grantLease(ttlSeconds, { signal }),
      now: () => performance.now(),
      ...(options.onLeaseRetired && { onRetired: options.onLeaseRetired }),
    });
    const compactionIntervalMs = options.compactionIntervalMs ?? 300_000;
    if (compactionIntervalMs > 0) {
      this.#background.push(
        runCompactor({
          client: this.#client,
          intervalMs: compactionIntervalMs,
          signal: this.#closing.signal,
          onCompacted: options.onCompacted,
          onError: (error) => options.onCompactionError?.(error),
        }),
      );
    }
  }

  /** how many watches are open */
  get watchers(): number {
    return this.#watches.size;
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    const answer = await this.#range('get', { key: this.#keys.encode(key), limit: 1 }, options);
    return { kv: answer.kvs[0], revision: answer.revision };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const { from = prefix, limit } = options;
    const start = this.#keys.encode(from);
    const range = {
      key: start.length === 0 ? everything : start,
      rangeEnd: prefixEnd(this.#keys.encode(prefix)),
      revision: options.revision,
    };
    if (limit !== undefined && limit > 0 && limit <= pageSize) {
      const answer = await this.#range('list', { ...range, limit }, options);
      return { items: answer.kvs, revision: options.revision ?? answer.revision, total: answer.count };
    }
    return (await this.#listStreamed(range, limit, options)) ?? (await this.#listPaged(range, limit, options));
  }

  async count(prefix: string, options: ReadOptions = {}): Promise<number> {
    const key = this.#keys.encode(prefix);
    const range = { key: key.length === 0 ? everything : key, rangeEnd: prefixEnd(key), countOnly: true };
    return (await this.#range('count', range, options)).count;
  }

  async transact(operations: readonly Operation[], options: ReadOptions = {}): Promise<TransactResult> {
    if (operations.length === 0) return { succeeded: true, revision: await this.currentRevision(options), values: [] };
    if (this.#pendingStarts.size > 0) await Promise.allSettled(this.#pendingStarts);
    const ttlSeconds = Math.max(0, ...operations.map((operation) => (operation.type === 'put' ? (operation.ttlSeconds ?? 0) : 0)));
    try {
      const lease = ttlSeconds > 0 ? await this.#leases.lease(ttlSeconds, options.signal) : undefined;
      return await this.#commit(operations, lease, options);
    } catch (error) {
      throw storageError(error, { write: true, signal: options.signal });
    }
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    const key = this.#keys.encode(prefix);
    const startRevision = options.revision === undefined ? this.#startNow(signal) : Promise.resolve(options.revision + 1);
    // A caller that never iterates must not cause an unhandled rejection.
    startRevision.catch(() => undefined);
    const watch = new EtcdWatch({
      client: this.#client,
      prefix,
      decodeKey: this.#keys.decode,
      key: key.length === 0 ? everything : key,
      rangeEnd: prefixEnd(key),
      startRevision,
      progress: options.progress ?? false,
      previous: options.previous ?? true,
      among: this.#watches,
      caller: options.signal,
      signal,
    });
    return watch.items();
  }

  /** Asks etcd for a progress item on every watch of exactly this prefix that wants them. */
  requestProgress(prefix: string): void {
    for (const watch of this.#watches) if (watch.prefix === prefix) watch.requestProgress();
  }

  async currentRevision(options: TimedOptions = {}): Promise<number> {
    return (await this.#range('currentRevision', { key: this.#keys.encode('health'), keysOnly: true }, options)).revision;
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#client.compact(revision, { signal: this.#closing.signal });
    } catch (error) {
      // Another server compacted further already: the history is as gone as was asked.
      if (isCompacted(error)) return;
      if (isFutureRevision(error)) throw new FutureRevisionError(await this.currentRevision());
      throw storageError(error, { write: true });
    }
  }

  async health({ timeoutMs = healthTimeoutMs, ...options }: HealthOptions = {}): Promise<void> {
    try {
      await this.currentRevision({ ...options, timeoutMs });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StorageUnavailableError(`error getting data from etcd: ${reason}`, { outcomeUnknown: false, cause: error });
    }
  }

  /** Seconds that keys have left, of those that have an end. */
  async timesToLive(options: ReadOptions = {}): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    // Keys are asked for by lease: a list of keys alone does not say which have one.
    for (const lease of await this.#client.leases(options)) {
      const { secondsLeft, keys } = await this.#client.leaseTimeToLive(lease, options);
      for (const key of keys) found.set(key, secondsLeft);
    }
    return found;
  }

  /** Of one member (`databaseSize` is the size of its file, in bytes). */
  status(endpoint?: string, options: ReadOptions = {}): Promise<StatusResponse> {
    return this.#client.status(endpoint, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new StorageUnavailableError('the storage was closed', { outcomeUnknown: false }));
    this.#client[Symbol.dispose]();
    await Promise.all(this.#background);
  }

  async #range(operation: string, request: RangeRequest, options: TimedOptions): Promise<RangeResponse> {
    try {
      return await this.#client.range(operation, request, options);
    } catch (error) {
      throw await this.#readError(error, options);
    }
  }

  /** One streamed response; undefined when the server cannot. */
  async #listStreamed(range: RangeRequest, limit: number | undefined, options: ListOptions): Promise<ListResult | undefined> {
    if (!this.#canStreamRanges) return undefined;
    for (let attempt = 0; ; attempt++) {
      const items: KeyValue[] = [];
      let last: RangeResponse | undefined;
      try {
        for await (const chunk of this.#client.rangeStream({ ...range, limit }, options)) {
          for (const kv of chunk.kvs) items.push(kv);
          last = chunk;
        }
        return { items, revision: options.revision ?? last?.revision ?? 0, total: last?.count ?? 0 };
      } catch (error) {
        if (error instanceof GrpcError && error.code === statusCode.unimplemented) {
          this.#canStreamRanges = false;
          return undefined;
        }
        const broken = error instanceof GrpcError && error.code === statusCode.unavailable;
        if (!broken || attempt >= this.#client.endpoints.length) throw await this.#readError(error, options);
      }
    }
  }

  /** Pages at one revision: that of the first page unless one was asked for. */
  async #listPaged(range: RangeRequest, limit = Number.POSITIVE_INFINITY, options: ListOptions): Promise<ListResult> {
    const first = await this.#range('list', { ...range, limit: Math.min(limit, pageSize) }, options);
    const revision = options.revision ?? first.revision;
    const items = first.kvs;
    for (let more = first.more; more && items.length < limit;) {
      const key = Buffer.concat([this.#keys.encode((items.at(-1) as KeyValue).key), everything]);
      const page = await this.#range('list', { ...range, key, revision, limit: Math.min(limit - items.length, pageSize) }, options);
      for (const kv of page.kvs) items.push(kv);
      more = page.more;
    }
    return { items, revision, total: first.count };
  }

  async #commit(operations: readonly Operation[], lease: bigint | undefined, options: ReadOptions): Promise<TransactResult> {
    const keys = operations.map((operation) => this.#keys.encode(operation.key));
    const request = {
      compare: operations.flatMap((operation, i) =>
        operation.expect === undefined ? [] : [{ key: keys[i] as Buffer, target: 'modRevision' as const, equals: operation.expect }],
      ),
      success: operations.map((operation, i): TxnOperation => {
        const key = keys[i] as Buffer;
        // With an expected revision the caller has the previous value already: not worth sending it back.
        const prevKv = operation.expect === undefined;
        if (operation.type === 'delete') return { type: 'delete', key, prevKv };
        const attached = operation.ttlSeconds ? lease : undefined;
        return { type: 'put', key, value: operation.value, lease: attached, prevKv };
      }),
      failure: keys.map((key): TxnOperation => ({ type: 'range', range: { key } })),
    };
    let answer: TxnResponse;
    try {
      answer = await this.#client.txn('transact', request, options);
    } catch (error) {
      if (lease === undefined || !isLeaseNotFound(error)) throw error;
      // The shared lease is gone, so the transaction did not happen: once more with a fresh one.
      this.#leases.forget(lease);
      const ttlSeconds = Math.max(...operations.map((operation) => (operation.type === 'put' ? (operation.ttlSeconds ?? 0) : 0)));
      return this.#commit(operations, await this.#leases.lease(ttlSeconds, options.signal), options);
    }
    return { succeeded: answer.succeeded, revision: answer.revision, values: answer.values };
  }

  /** The first revision after everything acknowledged so far. */
  #startNow(signal: AbortSignal): Promise<number> {
    const start = this.currentRevision({ signal }).then((revision) => revision + 1);
    this.#pendingStarts.add(start);
    const settled = (): boolean => this.#pendingStarts.delete(start);
    start.then(settled, settled);
    return start;
  }

  async #readError(error: unknown, options: ReadOptions): Promise<unknown> {
    if (isCompacted(error)) return new CompactedError(await this.#compactRevision());
    if (isFutureRevision(error)) return new FutureRevisionError(await this.currentRevision(options));
    return storageError(error, { write: false, signal: options.signal });
  }

  /** etcd tells how far it is compacted only to a watch that starts before it. */
  async #compactRevision(): Promise<number> {
    const abort = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(healthTimeoutMs)]);
    const stream = await this.#client.openWatch(abort);
    try {
      await stream.send(
        encodeWatchCreate({ key: everything, rangeEnd: Buffer.alloc(0), startRevision: 1, progressNotify: false, prevKv: false }),
      );
      for await (const batch of stream) {
        for (const message of batch) {
          const response = decodeWatch(message, this.#keys.decode);
          if (response.compactRevision > 0) return response.compactRevision;
        }
      }
    } finally {
      stream.cancel();
    }
    throw new StorageUnavailableError('etcd did not tell its compact revision', { outcomeUnknown: false });
  }
}

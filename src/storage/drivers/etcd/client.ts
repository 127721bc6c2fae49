// Upstream: go.etcd.io/etcd/client/v3/{options,retry,retry_interceptor}.go
import { setTimeout as sleep } from 'node:timers/promises';
import type { GrpcStream } from '../../../base/grpc/call.ts';
import { Channel } from '../../../base/grpc/channel.ts';
import type { ChannelOptions } from '../../../base/grpc/channel.ts';
import { GrpcError, statusCode } from '../../../base/grpc/status.ts';
import { mayRetryRead, mayRetryWrite } from './errors.ts';
import type { RangeRequest, TxnRequest } from './requests.ts';
import { encodeCompaction, encodeLeaseGrant, encodeLeaseTimeToLive, encodeRange, encodeTxn } from './requests.ts';
import type { KeyDecoder, LeaseTimeToLive, RangeResponse, StatusResponse, TxnResponse } from './responses.ts';
import {
  decodeLeases,
  decodeLeaseGrant,
  decodeLeaseTimeToLive,
  decodeRange,
  decodeRangeChunk,
  decodeStatus,
  decodeTxn,
} from './responses.ts';

/** One finished request, for metrics. Operations have upstream's names where it has one (get, list, listWithCount, ...). */
export interface EtcdRequestRecord {
  readonly operation: string;
  readonly seconds: number;
  readonly error: unknown;
}

export interface EtcdClientOptions extends ChannelOptions {
  /** a call without a response fails after this */
  readonly requestTimeoutMs: number;
  readonly decodeKey: KeyDecoder;
  readonly onRequest?: ((record: EtcdRequestRecord) => void) | undefined;
}

export interface EtcdCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Members without a leader refuse at once instead of letting the call time out, so that another member is asked. */
const requireLeader = Object.freeze({ hasleader: 'true' });

const maxSendBytes = 2 * 1024 * 1024;
const maxReceiveBytes = 0x7fffffff;
const pauseBetweenRoundsMs = 25;

/** etcd's calls with its rules for asking again: reads while any endpoint may respond, writes only when they surely did not happen. */
export class EtcdClient implements Disposable {
  readonly #channel: Channel;
  readonly #options: EtcdClientOptions;
  #newestRevision = 0;

  constructor(options: EtcdClientOptions) {
    this.#options = options;
    this.#channel = new Channel({ maxSendBytes, maxReceiveBytes, keepaliveTimeoutMs: 5000, ...options });
  }

  get endpoints(): readonly string[] {
    return this.#channel.endpoints;
  }

  /** the highest revision of the store that any response has shown */
  get newestRevision(): number {
    return this.#newestRevision;
  }

  async range(operation: string, request: RangeRequest, options: EtcdCallOptions = {}): Promise<RangeResponse> {
    const answer = await this.#call(operation, '/etcdserverpb.KV/Range', encodeRange(request), mayRetryRead, options);
    return this.#observeRevision(decodeRange(answer, this.#options.decodeKey));
  }

  /** The same response in pieces, which neither side has to hold at once. Servers before 3.7 reject with `unimplemented`. */
  async *rangeStream(request: RangeRequest, options: EtcdCallOptions = {}): AsyncGenerator<RangeResponse, void, undefined> {
    const stream = await this.#channel.stream('/etcdserverpb.KV/RangeStream', {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#options.requestTimeoutMs,
      metadata: requireLeader,
    });
    try {
      await stream.send(encodeRange(request));
      stream.end();
      for await (const batch of stream) {
        for (const message of batch) yield this.#observeRevision(decodeRangeChunk(message, this.#options.decodeKey));
      }
    } finally {
      stream.cancel();
    }
  }

  async txn(operation: string, request: TxnRequest, options: EtcdCallOptions = {}): Promise<TxnResponse> {
    const answer = await this.#call(operation, '/etcdserverpb.KV/Txn', encodeTxn(request), mayRetryWrite, options);
    return this.#observeRevision(decodeTxn(answer, this.#options.decodeKey));
  }

  async compact(revision: number, options: EtcdCallOptions = {}): Promise<void> {
    await this.#call('compact', '/etcdserverpb.KV/Compact', encodeCompaction(revision), mayRetryRead, options);
  }

  async grantLease(ttlSeconds: number, options: EtcdCallOptions = {}): Promise<bigint> {
    // A grant that is lost and repeated leaves a lease without keys, which expires by itself.
    const answer = await this.#call('leaseGrant', '/etcdserverpb.Lease/LeaseGrant', encodeLeaseGrant(ttlSeconds), mayRetryRead, options);
    const { id, error } = decodeLeaseGrant(answer);
    if (error !== '') throw new GrpcError(statusCode.unknown, error);
    return id;
  }

  async leases(options: EtcdCallOptions = {}): Promise<readonly bigint[]> {
    return decodeLeases(await this.#call('leases', '/etcdserverpb.Lease/LeaseLeases', Buffer.alloc(0), mayRetryRead, options));
  }

  /** How long a lease lasts, and its keys. */
  async leaseTimeToLive(id: bigint, options: EtcdCallOptions = {}): Promise<LeaseTimeToLive> {
    const path = '/etcdserverpb.Lease/LeaseTimeToLive';
    const answer = await this.#call('leaseTimeToLive', path, encodeLeaseTimeToLive(id), mayRetryRead, options);
    return decodeLeaseTimeToLive(answer, this.#options.decodeKey);
  }

  /** Of one endpoint; without one, of whichever responds. */
  async status(endpoint?: string, options: EtcdCallOptions = {}): Promise<StatusResponse> {
    const timeoutMs = options.timeoutMs ?? this.#options.requestTimeoutMs;
    const answer = await this.#channel.unary('/etcdserverpb.Maintenance/Status', Buffer.alloc(0), {
      signal: options.signal,
      timeoutMs,
      endpoint,
    });
    return decodeStatus(answer);
  }

  openWatch(signal: AbortSignal): Promise<GrpcStream> {
    return this.#channel.stream('/etcdserverpb.Watch/Watch', { signal, metadata: requireLeader });
  }

  [Symbol.dispose](): void {
    this.#channel[Symbol.dispose]();
  }

  #observeRevision<T extends { readonly revision: number }>(answer: T): T {
    if (answer.revision > this.#newestRevision) this.#newestRevision = answer.revision;
    return answer;
  }

  async #call(
    operation: string,
    path: string,
    message: Buffer,
    mayRetry: (error: unknown) => boolean,
    options: EtcdCallOptions,
  ): Promise<Buffer> {
    const started = performance.now();
    const deadline = started + (options.timeoutMs ?? this.#options.requestTimeoutMs);
    const quorum = Math.floor(this.endpoints.length / 2) + 1;
    for (let attempt = 1; ; attempt++) {
      let failure: unknown;
      try {
        const timeoutMs = deadline - performance.now();
        const answer = await this.#channel.unary(path, message, { signal: options.signal, timeoutMs, metadata: requireLeader });
        this.#options.onRequest?.({ operation, seconds: (performance.now() - started) / 1000, error: undefined });
        return answer;
      } catch (error) {
        failure = error;
      }
      const pause = attempt % quorum === 0 ? pauseBetweenRoundsMs * (0.9 + 0.2 * Math.random()) : 0;
      if (!mayRetry(failure) || options.signal?.aborted || performance.now() + pause >= deadline) {
        this.#options.onRequest?.({ operation, seconds: (performance.now() - started) / 1000, error: failure });
        throw failure;
      }
      if (pause > 0) await sleep(pause);
    }
  }
}

// Upstream: go.etcd.io/etcd/client/v3/watch.go, k8s.io/apiserver/pkg/storage/etcd3/watcher.go
import { setTimeout as sleep } from 'node:timers/promises';
import type { GrpcStream } from '../../../base/grpc/call.ts';
import { GrpcError, statusCode } from '../../../base/grpc/status.ts';
import type { WatchItem } from '../../storage.ts';
import { CompactedError, StorageUnavailableError } from '../../storage.ts';
import type { EtcdClient } from './client.ts';
import { encodeWatchCreate, encodeWatchProgress } from './requests.ts';
import type { KeyDecoder, WatchEvent, WatchResponse } from './responses.ts';
import { decodeWatch } from './responses.ts';

export interface EtcdWatchOptions {
  readonly client: EtcdClient;
  readonly decodeKey: KeyDecoder;
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  /** resolves to the first revision to deliver */
  readonly startRevision: Promise<number>;
  readonly progress: boolean;
  readonly previous: boolean;
  readonly signal: AbortSignal;
}

/** After these there is no point in asking again. */
const finalCodes: ReadonlySet<number> = new Set([
  statusCode.permissionDenied,
  statusCode.unauthenticated,
  statusCode.unimplemented,
  statusCode.invalidArgument,
]);

const maxPauseMs = 1000;

/**
 * One watch that survives its connections: when a stream breaks it goes on at another member from the revision after the last one
 * delivered. It has a stream of its own, so that a slow reader holds up no other and progress responses belong to it alone.
 */
export class EtcdWatch {
  readonly #options: EtcdWatchOptions;
  #stream: GrpcStream | undefined;
  #next = 0;

  constructor(options: EtcdWatchOptions) {
    this.#options = options;
  }

  /** Asks the server to say how far this watch has come; the response is a progress item. Nothing happens while disconnected. */
  requestProgress(): void {
    // A stream that fails here also fails in the reading loop, which handles it.
    this.#stream?.send(encodeWatchProgress()).catch(() => undefined);
  }

  async *items(): AsyncGenerator<readonly WatchItem[], void, undefined> {
    const { signal } = this.#options;
    try {
      this.#next = await this.#options.startRevision;
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const batch of this.#connected()) {
          failures = 0;
          yield batch;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof GrpcError)) throw error;
        if (finalCodes.has(error.code)) throw new StorageUnavailableError(error.details, { outcomeUnknown: false, cause: error });
      }
      failures++;
      await sleep(Math.min(maxPauseMs, 25 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  /** Items of one stream, until it breaks. */
  async *#connected(): AsyncGenerator<readonly WatchItem[], void, undefined> {
    const { client, key, rangeEnd, progress, previous, signal, decodeKey } = this.#options;
    const stream = await client.openWatch(signal);
    try {
      // From the past, one revision early (its changes are left out): so that etcd checks whether history reaches back to the revision
      // that the caller has. From the present that is not in question, and etcd serves such watches at once instead of in its next round.
      const fromPast = this.#next - 1 < client.newestRevision;
      const startRevision = Math.max(1, fromPast ? this.#next - 1 : this.#next);
      await stream.send(encodeWatchCreate({ key, rangeEnd, startRevision, progressNotify: progress, prevKv: previous }));
      this.#stream = stream;
      for await (const messages of stream) {
        const items: WatchItem[] = [];
        let ended: Error | undefined;
        for (const message of messages) ended ??= this.#take(decodeWatch(message, decodeKey), items);
        // What came before the end of the watch counts as delivered from here on, so it is.
        if (items.length > 0) yield items;
        if (ended !== undefined) throw ended;
      }
    } finally {
      this.#stream = undefined;
      stream.cancel();
    }
  }

  /** Returns why the watch is over, if the response says that it is. */
  #take(response: WatchResponse, items: WatchItem[]): Error | undefined {
    if (response.canceled) {
      if (response.compactRevision > 0) return new CompactedError(response.compactRevision);
      return new GrpcError(statusCode.unavailable, response.cancelReason || 'etcdserver: watch canceled');
    }
    if (response.created) return undefined;
    if (response.events.length === 0) {
      if (response.revision < this.#next - 1) return undefined;
      this.#next = response.revision + 1;
      if (this.#options.progress) items.push({ type: 'progress', revision: response.revision });
      return undefined;
    }
    for (const { kv, previous, deleted } of response.events) {
      if (kv.modRevision < this.#next) continue;
      if (deleted) items.push({ type: 'delete', key: kv.key, revision: kv.modRevision, previous });
      else items.push({ type: 'put', kv, previous });
    }
    const last = response.events.at(-1) as WatchEvent;
    this.#next = Math.max(this.#next, last.kv.modRevision + 1);
    return undefined;
  }
}

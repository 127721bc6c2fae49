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
  /** as the caller has it */
  readonly prefix: string;
  readonly decodeKey: KeyDecoder;
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  /** resolves to the first revision to deliver */
  readonly startRevision: Promise<number>;
  readonly progress: boolean;
  readonly previous: boolean;
  /** those that are being iterated */
  readonly among: Set<EtcdWatch>;
  /** ends it quietly */
  readonly caller: AbortSignal;
  /** the caller's, and one that ends it with an error: its reason */
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

async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(maxPauseMs, 25 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2);
  await sleep(ms, undefined, { signal });
}

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

  get prefix(): string {
    return this.#options.prefix;
  }

  /** Asks the server to say how far this watch has come; the response is a progress item. Nothing happens while disconnected. */
  requestProgress(): void {
    // A stream that fails here also fails in the reading loop, which handles it.
    this.#stream?.send(encodeWatchProgress()).catch(() => undefined);
  }

  /** One generator for all that can happen: an event passes through every one that there is. */
  async *items(): AsyncGenerator<readonly WatchItem[], void, undefined> {
    const { among, startRevision, signal, caller } = this.#options;
    among.add(this);
    try {
      this.#next = await startRevision;
      for (let failures = 0; !signal.aborted; failures++) {
        if (failures > 0) await pause(failures, signal);
        try {
          for await (const messages of await this.#open()) {
            const items: WatchItem[] = [];
            const ended = this.#take(messages, items);
            // What came before the end of the watch counts as delivered from here on, so it is.
            if (items.length > 0) {
              failures = 0;
              yield items;
            }
            if (ended !== undefined) throw ended;
          }
        } catch (error) {
          if (!(error instanceof GrpcError)) throw error;
          if (finalCodes.has(error.code)) throw new StorageUnavailableError(error.details, { outcomeUnknown: false, cause: error });
        } finally {
          this.#stream?.cancel();
          this.#stream = undefined;
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      among.delete(this);
    }
    if (!caller.aborted) throw signal.reason;
  }

  async #open(): Promise<GrpcStream> {
    const { client, key, rangeEnd, progress, previous, signal } = this.#options;
    const stream = await client.openWatch(signal);
    try {
      // From the past, one revision early (its changes are left out): so that etcd checks whether history reaches back to the revision
      // that the caller has. From the present that is not in question, and etcd serves such watches at once instead of in its next round.
      const fromPast = this.#next - 1 < client.newestRevision;
      const startRevision = Math.max(1, fromPast ? this.#next - 1 : this.#next);
      await stream.send(encodeWatchCreate({ key, rangeEnd, startRevision, progressNotify: progress, prevKv: previous }));
    } catch (error) {
      stream.cancel();
      throw error;
    }
    return (this.#stream = stream);
  }

  /** Returns why the watch is over, if a response says that it is. */
  #take(messages: readonly Buffer[], items: WatchItem[]): Error | undefined {
    let ended: Error | undefined;
    for (const message of messages) ended ??= this.#takeOne(decodeWatch(message, this.#options.decodeKey), items);
    return ended;
  }

  #takeOne(response: WatchResponse, items: WatchItem[]): Error | undefined {
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

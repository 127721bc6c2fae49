// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc/watch.go
import type { Clock } from '../base/clock.ts';
import { ProtoWriter } from '../base/grpc/protobuf.ts';
import type { ServerStream } from '../base/grpc/server.ts';
import { keyOf, revisionOf } from '../storage/mvcc/transaction.ts';
import type { ChangeItem } from '../storage/mvcc/transaction.ts';
import { CompactedError } from '../storage/storage.ts';
import type { KeyValue, WatchItem } from '../storage/storage.ts';
import { storeError } from './errors.ts';
import type { WatchCreateRequest } from './requests.ts';
import { keyBytes, rangeOf, readWatch } from './requests.ts';
import type { Responses } from './responses.ts';
import { writeKeyValue } from './responses.ts';
import type { EtcdStore } from './store.ts';
import { commonPrefix } from './store.ts';

export interface WatchServiceOptions {
  readonly store: EtcdStore;
  readonly responses: Responses;
  readonly clock: Clock;
  readonly progressIntervalMs: number;
  /** responses of watches that asked for fragments are cut at about this size */
  readonly maxMessageBytes: number;
}

/** What progress of all watches of a stream is reported under. */
const allWatches = -1;

interface Watch {
  readonly id: number;
  readonly request: WatchCreateRequest;
  readonly prefix: string;
  readonly stop: AbortController;
  /** nothing was sent since the last progress report was due */
  idle: boolean;
  wantsProgress: boolean;
  /** a report on all watches waits for this one */
  owesAll: boolean;
}

/** One stream of a client with all the watches in it. */
export class WatchStream {
  readonly #options: WatchServiceOptions;
  readonly #stream: ServerStream;
  readonly #watches = new Map<number, Watch>();
  #nextId = 0;
  /** of the report on all watches that is on its way: the lowest revision that one of them has reached */
  #allReached: number | undefined;
  #allAgain = false;
  readonly #running = new Set<Promise<void>>();
  readonly #failed = Promise.withResolvers<never>();

  constructor(stream: ServerStream, options: WatchServiceOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Until the client has gone. */
  async serve(): Promise<void> {
    using _ = this.#reportProgress();
    try {
      await Promise.race([this.#receive(), this.#failed.promise]);
    } finally {
      for (const { stop } of this.#watches.values()) stop.abort();
      await Promise.all(this.#running);
    }
  }

  async #receive(): Promise<void> {
    for await (const batch of this.#stream) for (const message of batch) await this.#handle(message);
    const { signal } = this.#stream;
    // The client sends nothing more, but listens.
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }

  async #handle(message: Buffer): Promise<void> {
    const request = readWatch(message);
    if (request === undefined) return;
    if (request.type === 'create') await this.#create(request.request);
    else if (request.type === 'cancel') await this.#cancel(request.watchId);
    else this.#progressOfAll();
  }

  async #create(request: WatchCreateRequest): Promise<void> {
    const { store } = this.#options;
    const key = request.key === '' ? '\0' : request.key;
    const refuse = (reason: string): Promise<void> =>
      this.#send(store.revision, allWatches, (writer) => writer.bool(3, true).bool(4, true).string(6, reason));
    if (request.startRevision < 0) return refuse('etcdserver: mvcc: required revision has been compacted');
    const { from, to } = rangeOf(key, request.rangeEnd);
    if (request.rangeEnd !== '' && to !== undefined && from >= to) return refuse('mvcc: watcher range is empty');
    if (request.watchId !== 0 && this.#watches.has(request.watchId)) return refuse('mvcc: duplicate watch ID provided on the WatchStream');
    const id = request.watchId === 0 ? this.#freeId() : request.watchId;
    const watch: Watch = {
      id,
      request: { ...request, key },
      prefix: request.rangeEnd === '' ? key : commonPrefix(from, to),
      stop: new AbortController(),
      idle: true,
      wantsProgress: false,
      owesAll: false,
    };
    this.#watches.set(id, watch);
    const { revision } = store;
    // The watch starts now, whenever the client reads that it has.
    const items = this.#items(watch, request.startRevision > 0 ? request.startRevision : revision + 1);
    await this.#send(revision, id, (writer) => writer.bool(3, true));
    const run = this.#follow(watch, items)
      .catch((error: unknown) => this.#failed.reject(storeError(error)))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #cancel(id: number): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    this.#remove(watch);
    await this.#send(this.#options.store.revision, id, (writer) => writer.bool(4, true));
  }

  #remove(watch: Watch): void {
    watch.stop.abort();
    if (this.#watches.get(watch.id) === watch) this.#watches.delete(watch.id);
    watch.owesAll = false;
    void this.#finishAll();
  }

  #freeId(): number {
    while (this.#watches.has(this.#nextId)) this.#nextId++;
    return this.#nextId++;
  }

  async *#items(watch: Watch, start: number): AsyncGenerator<readonly WatchItem[], void, undefined> {
    const { storage } = this.#options.store;
    const { signal } = watch.stop;
    let after = start - 1;
    if (start === storage.compactRevision) {
      // What happened at the very revision of the compaction is still there where it is the newest of its key.
      const { from, to } = rangeOf(watch.request.key, watch.request.rangeEnd);
      const state = await storage.stateAt(start, watch.prefix);
      const kept = state.range(from, to).filter(({ modRevision }) => modRevision === start);
      yield kept.map((kv) => ({ type: 'put', kv, previous: undefined }));
      after = start;
    }
    yield* storage.watch(watch.prefix, { revision: after, signal, progress: true });
  }

  async #follow(watch: Watch, items: AsyncIterable<readonly WatchItem[]>): Promise<void> {
    try {
      for await (const batch of items) {
        if (this.#watches.get(watch.id) !== watch) return;
        const changes: ChangeItem[] = [];
        for (const item of batch) {
          if (item.type === 'progress') await this.#progressed(watch, item.revision);
          else if (this.#concerns(watch.request, item)) changes.push(item);
        }
        if (changes.length > 0) await this.#sendEvents(watch, changes);
      }
    } catch (error) {
      if (this.#stream.signal.aborted || watch.stop.signal.aborted) return;
      if (!(error instanceof CompactedError)) throw error;
      this.#remove(watch);
      await this.#send(0, watch.id, (writer) => writer.bool(4, true).int(5, error.compactRevision));
    }
  }

  #concerns({ key, rangeEnd, noPut, noDelete }: WatchCreateRequest, item: ChangeItem): boolean {
    if (item.type === 'put' ? noPut : noDelete) return false;
    const changed = keyOf(item);
    if (rangeEnd === '') return changed === key;
    return changed >= key && (rangeEnd === '\0' || changed < rangeEnd);
  }

  /** Several responses where one would become large; never half a revision, unless the client can put fragments together. */
  async #sendEvents(watch: Watch, changes: readonly ChangeItem[]): Promise<void> {
    const { maxMessageBytes } = this.#options;
    const { fragment, prevKv } = watch.request;
    watch.idle = false;
    let part: ChangeItem[] = [];
    let bytes = 0;
    for (const [i, item] of changes.entries()) {
      const size = sizeOf(item, prevKv);
      const isNewRevision = i > 0 && revisionOf(changes[i - 1]!) !== revisionOf(item);
      if (part.length > 0 && bytes + size > maxMessageBytes && (isNewRevision || fragment)) {
        await this.#sendPart(watch, part, !isNewRevision);
        part = [];
        bytes = 0;
      }
      part.push(item);
      bytes += size;
    }
    await this.#sendPart(watch, part, false);
  }

  #sendPart(watch: Watch, items: readonly ChangeItem[], isFragment: boolean): Promise<void> {
    return this.#send(revisionOf(items.at(-1)!), watch.id, (writer) => {
      writer.bool(7, isFragment);
      for (const item of items) writer.message(11, (event) => writeEvent(event, item, watch.request.prevKv));
    });
  }

  #send(revision: number, watchId: number, write: (writer: ProtoWriter) => void): Promise<void> {
    return this.#stream.send(
      this.#options.responses.message(revision, (writer) => {
        writer.int(2, watchId);
        write(writer);
      }),
    );
  }

  /** Reports the revision that idle watches have reached, every now and then, to those that want to know. */
  #reportProgress(): Disposable {
    const { clock, progressIntervalMs, store } = this.#options;
    let timer: Disposable | undefined;
    const arm = (): void => {
      timer = clock.setTimeout(() => {
        for (const watch of this.#watches.values()) {
          if (!watch.request.progressNotify) continue;
          watch.wantsProgress = watch.idle;
          watch.idle = true;
          if (watch.wantsProgress) store.storage.requestProgress(watch.prefix);
        }
        arm();
      }, progressIntervalMs);
    };
    arm();
    return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
  }

  #progressOfAll(): void {
    if (this.#watches.size === 0) return;
    if (this.#allReached !== undefined) {
      this.#allAgain = true;
      return;
    }
    this.#allReached = Infinity;
    for (const watch of this.#watches.values()) {
      watch.owesAll = true;
      this.#options.store.storage.requestProgress(watch.prefix);
    }
  }

  async #progressed(watch: Watch, revision: number): Promise<void> {
    // A watch that starts in the future has not got there yet.
    const hasStarted = revision >= watch.request.startRevision;
    if (watch.wantsProgress) {
      watch.wantsProgress = false;
      if (hasStarted) await this.#send(revision, watch.id, () => undefined);
    }
    if (!watch.owesAll) return;
    watch.owesAll = false;
    this.#allReached = Math.min(this.#allReached ?? 0, hasStarted ? revision : 0);
    await this.#finishAll();
  }

  async #finishAll(): Promise<void> {
    const reached = this.#allReached;
    if (reached === undefined) return;
    for (const { owesAll } of this.#watches.values()) if (owesAll) return;
    this.#allReached = undefined;
    if (reached > 0 && reached !== Infinity) await this.#send(reached, allWatches, () => undefined);
    if (!this.#allAgain) return;
    this.#allAgain = false;
    this.#progressOfAll();
  }
}

const eventOverhead = 64;

function sizeOf(item: ChangeItem, withPrevious: boolean): number {
  const value = item.type === 'put' ? item.kv.value.length : 0;
  return eventOverhead + keyOf(item).length + value + (withPrevious ? (item.previous?.value.length ?? 0) : 0);
}

function writeEvent(writer: ProtoWriter, item: ChangeItem, withPrevious: boolean): void {
  if (item.type === 'put') writer.message(2, (kv) => writeKeyValue(kv, item.kv));
  else writer.int(1, 1).message(2, (kv) => kv.bytes(1, keyBytes(item.key)).int(3, item.revision));
  const previous: KeyValue | undefined = item.previous;
  if (withPrevious && previous !== undefined) writer.message(3, (kv) => writeKeyValue(kv, previous));
}

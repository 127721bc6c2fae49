import type {
  GetResult,
  ListOptions,
  ListResult,
  Operation,
  HealthOptions,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from '../../storage.ts';
import { StorageUnavailableError } from '../../storage.ts';

/** A real store behind a connection that a test can cut. */
export class UnreliableStorage implements Storage {
  readonly inner: Storage;
  readonly calls: string[] = [];
  #connected = true;
  /** rejects when the connection is cut; a new one for each connection */
  #cut = Promise.withResolvers<never>();
  #openWatches = 0;

  constructor(inner: Storage) {
    this.inner = inner;
    this.#cut.promise.catch(() => undefined);
  }

  get openWatches(): number {
    return this.#openWatches;
  }

  disconnect(error: Error = new StorageUnavailableError('cut by the test', { outcomeUnknown: false })): void {
    this.#connected = false;
    this.#cut.reject(error);
  }

  connect(): void {
    this.#connected = true;
    this.#cut = Promise.withResolvers<never>();
    this.#cut.promise.catch(() => undefined);
  }

  get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.#call('get', () => this.inner.get(key, options));
  }

  list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.#call('list', () => this.inner.list(prefix, options));
  }

  count(prefix: string, options?: ReadOptions): Promise<number> {
    return this.#call('count', () => this.inner.count(prefix, options));
  }

  transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    return this.#call('transact', () => this.inner.transact(operations, options));
  }

  currentRevision(options?: ReadOptions): Promise<number> {
    return this.#call('currentRevision', () => this.inner.currentRevision(options));
  }

  compact(revision: number): Promise<void> {
    return this.#call('compact', () => this.inner.compact(revision));
  }

  health(options?: HealthOptions): Promise<void> {
    return this.#call('health', () => this.inner.health(options));
  }

  requestProgress(prefix: string): void {
    if (this.#connected) this.inner.requestProgress?.(prefix);
  }

  async *watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    this.calls.push('watch');
    if (!this.#connected) throw new StorageUnavailableError('cut by the test', { outcomeUnknown: false });
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    const inner = this.inner.watch(prefix, { ...options, signal })[Symbol.asyncIterator]();
    const cut = this.#cut.promise;
    this.#openWatches++;
    try {
      for (;;) {
        const next = await Promise.race([inner.next(), cut]);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      this.#openWatches--;
      stop.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.inner[Symbol.asyncDispose]();
  }

  async #call<R>(name: string, call: () => Promise<R>): Promise<R> {
    this.calls.push(name);
    if (!this.#connected) throw new StorageUnavailableError('cut by the test', { outcomeUnknown: false });
    return call();
  }
}

import type { Counter, Histogram, MetricsRegistry } from '../base/metrics.ts';
import type {
  GetResult,
  ListOptions,
  ListResult,
  Operation,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from './storage.ts';
import { storageRequestMetrics } from './storage-metrics.ts';

/** The store of one resource, with how often it is asked and how long it takes. What costs no trip to a store is not counted. */
export function measuredStorage(storage: Storage, registry: MetricsRegistry, resource: { group: string; resource: string }): Storage {
  return new MeasuredStorage(storage, registry, resource);
}

interface Series {
  readonly requests: Counter;
  /** undefined until the first has ended */
  seconds: Histogram | undefined;
}

class MeasuredStorage implements Storage {
  /** by operation: found once */
  readonly #series = new Map<string, Series>();
  readonly #inner: Storage;
  readonly #registry: MetricsRegistry;
  /** found when it is first asked: of most resources none is */
  #found: ReturnType<typeof storageRequestMetrics> | undefined;
  readonly #resource: { readonly group: string; readonly resource: string };
  readonly requestProgress?: (prefix: string) => void;

  constructor(inner: Storage, registry: MetricsRegistry, resource: { group: string; resource: string }) {
    this.#inner = inner;
    this.#registry = registry;
    this.#resource = resource;
    if (inner.requestProgress !== undefined) this.requestProgress = (prefix) => inner.requestProgress?.(prefix);
  }

  get #metrics(): ReturnType<typeof storageRequestMetrics> {
    return (this.#found ??= this.#registry.of(storageRequestMetrics));
  }

  get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.#measured('get', () => this.#inner.get(key, options));
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const began = performance.now();
    const result = await this.#measured('list', () => this.#inner.list(prefix, options));
    const { group, resource } = this.#resource;
    this.#metrics.listSeconds.with('false', group, resource).observe((performance.now() - began) / 1000);
    return result;
  }

  count(prefix: string, options?: ReadOptions): Promise<number> {
    return this.#measured('count', () => this.#inner.count(prefix, options));
  }

  transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    return this.#measured(nameOf(operations), () => this.#inner.transact(operations, options));
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    return this.#inner.watch(prefix, options);
  }

  currentRevision(options?: ReadOptions): Promise<number> {
    return this.#inner.currentRevision(options);
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  health(options?: ReadOptions): Promise<void> {
    return this.#inner.health(options);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#inner[Symbol.asyncDispose]();
  }

  async #measured<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const { group, resource } = this.#resource;
    const began = performance.now();
    let series = this.#series.get(operation);
    if (series === undefined) {
      series = { requests: this.#metrics.requests.with(operation, group, resource), seconds: undefined };
      this.#series.set(operation, series);
    }
    series.requests.inc();
    try {
      return await run();
    } catch (error) {
      this.#metrics.errors.with(operation, group, resource).inc();
      throw error;
    } finally {
      series.seconds ??= this.#metrics.seconds.with(operation, group, resource);
      series.seconds.observe((performance.now() - began) / 1000);
    }
  }
}

function nameOf([first]: readonly Operation[]): 'create' | 'update' | 'delete' {
  if (first?.type === 'delete') return 'delete';
  return first?.expect === 0 ? 'create' : 'update';
}

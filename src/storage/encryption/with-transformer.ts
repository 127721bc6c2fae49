import { Slices } from '../../base/slices.ts';
import { ApiError, internalError } from '../../machinery/errors.ts';
import type {
  GetResult,
  KeyValue,
  ListOptions,
  ListResult,
  Operation,
  HealthOptions,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from '../storage.ts';
import type { Transformed, Transformer } from './ciphers/transformer.ts';
import type { RecentValues } from './recent-values.ts';

/**
 * A storage whose values are transformed on their way: callers see plain ones, the store below only those at rest. A value that cannot
 * be read carries the `error` instead of failing the list or watch it is part of; its `value` is then empty, and it can still be deleted.
 * `recent`: for transformers that make the same plain value of the same bytes each time.
 */
export function withTransformer(storage: Storage, transformerFor: (key: string) => Transformer, recent?: RecentValues): Storage {
  return new TransformedStorage(storage, transformerFor, recent);
}

class TransformedStorage implements Storage {
  readonly #inner: Storage;
  readonly #transformerFor: (key: string) => Transformer;
  readonly #recent: RecentValues | undefined;
  readonly requestProgress?: (prefix: string) => void;

  constructor(inner: Storage, transformerFor: (key: string) => Transformer, recent: RecentValues | undefined) {
    this.#inner = inner;
    this.#transformerFor = transformerFor;
    this.#recent = recent;
    if (inner.requestProgress !== undefined) this.requestProgress = (prefix) => inner.requestProgress?.(prefix);
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    const { kv, revision } = await this.#inner.get(key, options);
    return { kv: kv && (await this.#plain(kv, true)), revision };
  }

  async list(prefix: string, options?: ListOptions): Promise<ListResult> {
    const result = await this.#inner.list(prefix, options);
    return { ...result, items: await this.#plainInSlices(result.items) };
  }

  /** To read one may take long, and there may be thousands. */
  async #plainInSlices(items: readonly KeyValue[]): Promise<KeyValue[]> {
    const slices = new Slices();
    const plain: (KeyValue | Promise<KeyValue>)[] = [];
    for (const kv of items) {
      plain.push(this.#plain(kv));
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    return settled(plain);
  }

  count(prefix: string, options?: ReadOptions): Promise<number> {
    return this.#inner.count(prefix, options);
  }

  async transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    const atRest = await settled(operations.map((operation) => this.#atRest(operation)));
    const result = await this.#inner.transact(atRest, options);
    return { ...result, values: await settled(result.values.map((kv) => kv && this.#plain(kv))) };
  }

  /** The watch below begins now, not with the first iteration. */
  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    return this.#plainBatches(this.#inner.watch(prefix, options), options.previous ?? true);
  }

  currentRevision(options?: ReadOptions): Promise<number> {
    return this.#inner.currentRevision(options);
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  health(options?: HealthOptions): Promise<void> {
    return this.#inner.health(options);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#inner[Symbol.asyncDispose]();
  }

  async *#plainBatches(
    batches: AsyncIterable<readonly WatchItem[]>,
    withPrevious: boolean,
  ): AsyncGenerator<readonly WatchItem[], void, undefined> {
    for await (const batch of batches) yield await settled(batch.map((item) => this.#plainItem(item, withPrevious)));
  }

  #atRest(operation: Operation): Operation | Promise<Operation> {
    if (operation.type === 'delete') return operation;
    let value: Buffer | Promise<Buffer>;
    try {
      value = this.#transformerFor(operation.key).toStorage(operation.value, operation.key);
    } catch (error) {
      return notWritten(error);
    }
    if (value instanceof Promise) return value.then((done) => ({ ...operation, value: done }), notWritten);
    this.#recent?.add(operation.key, value, { value: operation.value, stale: false });
    return { ...operation, value };
  }

  /** `again`: it is likely to be read once more, as the value before the next write */
  #plain(kv: KeyValue, again = false): KeyValue | Promise<KeyValue> {
    // What the storage below could not read is not read here either: its error says why.
    if (kv.error !== undefined) return kv;
    const opened = ({ value, stale }: Transformed): KeyValue => (stale ? { ...kv, value, stale } : { ...kv, value });
    const failed = (error: unknown): KeyValue => ({ ...kv, value: empty, error: error as Error });
    const known = this.#recent?.find(kv.key, kv.value);
    if (known !== undefined) return opened(known);
    try {
      const result = this.#transformerFor(kv.key).fromStorage(kv.value, kv.key);
      if (result instanceof Promise) return result.then(opened, failed);
      if (again) this.#recent?.add(kv.key, kv.value, result);
      return opened(result);
    } catch (error) {
      return failed(error);
    }
  }

  #plainItem(item: WatchItem, withPrevious: boolean): WatchItem | Promise<WatchItem> {
    if (item.type === 'progress') return item;
    const previous = withPrevious && item.previous !== undefined ? this.#plain(item.previous) : undefined;
    const kv = item.type === 'put' ? this.#plain(item.kv) : undefined;
    const joined = (doneKv: KeyValue | undefined, donePrevious: KeyValue | undefined): WatchItem =>
      item.type === 'put' ? { ...item, kv: doneKv as KeyValue, previous: donePrevious } : { ...item, previous: donePrevious };
    if (previous instanceof Promise || kv instanceof Promise) return Promise.all([kv, previous]).then(([one, other]) => joined(one, other));
    return joined(kv, previous);
  }
}

function notWritten(error: unknown): never {
  if (error instanceof ApiError) throw error;
  throw internalError(error instanceof Error ? error.message : String(error), { cause: error });
}

const empty: Buffer = Buffer.alloc(0);

/** Waits only when there is something to wait for: local ciphers never are. */
function settled<T>(values: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}

// Upstream: k8s.io/apiserver/pkg/storage/etcd3/store.go
import { activeSpan, inSpan } from '../base/tracing/active-span.ts';
import type { Attributes, Span } from '../base/tracing/span.ts';
import type {
  GetResult,
  HealthOptions,
  ListOptions,
  ListResult,
  Operation,
  ReadOptions,
  Storage,
  TransactResult,
  WatchItem,
  WatchOptions,
} from './storage.ts';

const thresholdMs = 500;

/** Hands everything on. */
class DelegatingStorage implements Storage {
  protected readonly inner: Storage;
  readonly requestProgress?: (prefix: string) => void;

  constructor(inner: Storage) {
    this.inner = inner;
    if (inner.requestProgress !== undefined) this.requestProgress = (prefix) => inner.requestProgress?.(prefix);
  }

  get(key: string, options?: ReadOptions): Promise<GetResult> {
    return this.inner.get(key, options);
  }

  list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.inner.list(prefix, options);
  }

  count(prefix: string, options?: ReadOptions): Promise<number> {
    return this.inner.count(prefix, options);
  }

  transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    return this.inner.transact(operations, options);
  }

  watch(prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    return this.inner.watch(prefix, options);
  }

  currentRevision(options?: ReadOptions): Promise<number> {
    return this.inner.currentRevision(options);
  }

  compact(revision: number): Promise<void> {
    return this.inner.compact(revision);
  }

  health(options?: HealthOptions): Promise<void> {
    return this.inner.health(options);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.inner[Symbol.asyncDispose]();
  }
}

export interface TracedKey {
  readonly attributes: Attributes;
  readonly type: string;
}

/** Makes reads and writes parts of the request under way, if anything of that is recorded. `name` is that of the store: `etcd3`. */
export class TracedStorage extends DelegatingStorage {
  readonly #name: string;
  readonly #describe: (key: string) => TracedKey;

  constructor(inner: Storage, name: string, describe: (key: string) => TracedKey) {
    super(inner);
    this.#name = name;
    this.#describe = describe;
  }

  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    const outer = activeSpan();
    return outer === undefined ? this.inner.get(key, options) : this.#get(outer, key, options);
  }

  override transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    const outer = activeSpan();
    const put = outer === undefined ? undefined : operations.find(({ type }) => type === 'put');
    // Deletions have no span of their own, as upstream's have none.
    if (outer === undefined || put === undefined) return this.inner.transact(operations, options);
    return put.expect === 0 ? this.#create(outer, put.key, operations, options) : this.#update(outer, put.key, operations, options);
  }

  async #get(outer: Span, key: string, options: ReadOptions | undefined): Promise<GetResult> {
    const span = outer.start(`Get ${this.#name}`, describe(outer, this.#describe(key).attributes));
    try {
      return await inSpan(span, () => this.inner.get(key, options));
    } finally {
      span.end(thresholdMs);
    }
  }

  async #create(outer: Span, key: string, operations: readonly Operation[], options: ReadOptions | undefined): Promise<TransactResult> {
    const { attributes, type } = this.#describe(key);
    const span = outer.start(`Create ${this.#name}`, { ...describe(outer, attributes), type });
    try {
      span.event('About to Encode');
      const result = await inSpan(span, () => this.inner.transact(operations, options));
      span.event('Txn call succeeded');
      if (result.succeeded) span.event('Decode succeeded', { len: encodedLength(span) });
      return result;
    } finally {
      span.end(thresholdMs);
    }
  }

  async #update(outer: Span, key: string, operations: readonly Operation[], options: ReadOptions | undefined): Promise<TransactResult> {
    const { attributes, type } = this.#describe(key);
    const span = outer.start(`GuaranteedUpdate ${this.#name}`, { ...describe(outer, attributes), type });
    try {
      span.event('initial value restored');
      span.event('About to Encode');
      const result = await inSpan(span, () => this.inner.transact(operations, options));
      span.event('Txn call completed');
      if (result.succeeded) {
        span.event('Transaction committed');
        span.event('Decode succeeded', { len: encodedLength(span) });
      }
      return result;
    } finally {
      span.end(thresholdMs);
    }
  }
}

/** The request is the one of the operation that this is part of. */
function describe(outer: Span, attributes: Attributes): Attributes {
  const auditId = outer.attributes['audit-id'];
  return auditId === undefined ? attributes : { 'audit-id': auditId, ...attributes };
}

function encodedLength({ events }: Span): number {
  return Number(events.find(({ name }) => name === 'Encode succeeded')?.attributes?.['len'] ?? 0);
}

/** Between encoding and encryption: knows how large a value is. */
export class EncodedStorage extends DelegatingStorage {
  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    const span = activeSpan();
    return span === undefined ? this.inner.get(key, options) : this.#get(span, key, options);
  }

  async #get(span: Span, key: string, options: ReadOptions | undefined): Promise<GetResult> {
    const result = await this.inner.get(key, options);
    span.event('Get call succeeded');
    if (result.kv === undefined) return result;
    span.event('TransformFromStorage succeeded');
    // Which is about to happen, and here it is known how large it is.
    span.event('Decode succeeded', { len: result.kv.value.length });
    return result;
  }

  override transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    const span = activeSpan();
    const put = span === undefined ? undefined : operations.find((one) => one.type === 'put');
    if (put !== undefined) span?.event('Encode succeeded', { len: put.value.length });
    return this.inner.transact(operations, options);
  }
}

/** Behind encryption: what is given to it goes to the store. */
export class EncryptedStorage extends DelegatingStorage {
  override transact(operations: readonly Operation[], options?: ReadOptions): Promise<TransactResult> {
    const span = activeSpan();
    if (span !== undefined && operations.some(({ type }) => type === 'put')) {
      span.event('TransformToStorage succeeded');
      if (span.name.startsWith('GuaranteedUpdate')) span.event('Transaction prepared');
    }
    return this.inner.transact(operations, options);
  }
}

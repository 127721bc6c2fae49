import { ManualClock } from '../../../base/clock.ts';
import type { KeyValue, Storage } from '../../storage.ts';
import type { CacheEntry, CacheEvent, CacheEventType, CacheLog, CacheOptions, CacheWatchOptions, WatchCache, WatchSink } from '../types.ts';
import { createWatchCache } from '../watch-cache.ts';
import { UnreliableStorage } from './unreliable-storage.ts';

/** What the suite stores: a name, a namespace, labels, a node to index, and some text. */
export interface Item extends CacheEntry {
  readonly text: string;
}

export interface ItemContent {
  readonly labels?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly text?: string;
}

export type StorageFactory = () => Storage | Promise<Storage>;

export function decodeItem(kv: KeyValue): Item {
  const { labels, node, text } = JSON.parse(kv.value.toString()) as ItemContent;
  const [namespace, name] = kv.key.split('/').slice(-2);
  const fields = { 'metadata.name': name!, 'metadata.namespace': namespace!, ...(node === undefined ? {} : { 'spec.nodeName': node }) };
  return { key: kv.key, revision: kv.modRevision, labels, fields, text: text ?? '' };
}

/** A store, a cache over it, a clock that stands still, and short words for what tests do with them. */
export class Fixture implements AsyncDisposable {
  readonly storage: UnreliableStorage;
  readonly cache: WatchCache<Item>;
  readonly clock = new SleepingClock(1_000_000);
  readonly prefix: string;
  readonly logged: string[] = [];

  private constructor(storage: Storage, prefix: string, options: Partial<CacheOptions<Item>>) {
    this.storage = new UnreliableStorage(storage);
    this.prefix = prefix;
    this.cache = this.newCache(options);
  }

  static async create(factory: StorageFactory, options: Partial<CacheOptions<Item>> = {}): Promise<Fixture> {
    return new Fixture(await factory(), `/registry/${crypto.randomUUID()}/`, options);
  }

  newCache(options: Partial<CacheOptions<Item>> = {}): WatchCache<Item> {
    const log: CacheLog = { info: (message) => this.logged.push(message), warn: (message) => this.logged.push(message) };
    return createWatchCache<Item>(this.storage, {
      prefix: this.prefix,
      decode: decodeItem,
      tombstone: (last, revision) => ({ ...last, revision }),
      indexedFields: ['spec.nodeName'],
      clock: this.clock,
      log,
      ...options,
    });
  }

  /** Waits with a clock that keeps pace with real time: drivers outside this process may have to be asked again for their progress. */
  async patiently<R>(promise: Promise<R>): Promise<R> {
    const pending = Symbol('pending');
    for (let last = performance.now(); ;) {
      const outcome = await Promise.race([promise, turns(1).then(() => pending)]);
      if (outcome !== pending) return outcome as R;
      const elapsed = Math.floor(performance.now() - last);
      last += elapsed;
      this.clock.advance(elapsed);
    }
  }

  fresh(): Promise<void> {
    return this.patiently(this.cache.fresh());
  }

  key(path: string): string {
    return this.prefix + path;
  }

  /** Writes `namespace/name` and returns the revision. */
  async put(path: string, content: ItemContent = {}): Promise<number> {
    return this.putRaw(path, JSON.stringify(content));
  }

  async putRaw(path: string, value: string): Promise<number> {
    const { revision } = await this.storage.inner.transact([{ type: 'put', key: this.key(path), value: Buffer.from(value) }]);
    return revision;
  }

  async delete(path: string): Promise<number> {
    const { revision } = await this.storage.inner.transact([{ type: 'delete', key: this.key(path) }]);
    return revision;
  }

  /** A write elsewhere, which moves the revision and nothing else here. */
  async putElsewhere(): Promise<number> {
    const { revision } = await this.storage.inner.transact([
      { type: 'put', key: `/registry/elsewhere/${this.prefix.length}`, value: Buffer.from('{}') },
    ]);
    return revision;
  }

  names(
    options: { prefix?: string; revision?: number; limit?: number; from?: string; fieldEquals?: Record<string, string> } = {},
  ): string[] {
    const { items } = this.cache.list({ prefix: this.prefix, ...options });
    return [...items].map((item) => item.key.slice(this.prefix.length));
  }

  watch(options: Partial<CacheWatchOptions<Item>> = {}, sink = new RecordingSink(this.prefix)): RecordingSink {
    sink.handle = this.cache.watch({ prefix: this.prefix, matches: () => true, from: 'now', bookmarks: false, sink, ...options });
    return sink;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache[Symbol.asyncDispose]();
    await this.storage.inner[Symbol.asyncDispose]();
  }
}

/** A manual clock that can also sleep, as a laptop does: time passes without any timer firing. */
class SleepingClock extends ManualClock {
  #slept = 0;

  sleep(milliseconds: number): void {
    this.#slept += milliseconds;
  }

  override now(): number {
    return super.now() + this.#slept;
  }
}

/** Records its calls: `ADDED ns/name` and the like. */
export class RecordingSink implements WatchSink<Item> {
  readonly log: string[] = [];
  readonly events: { readonly type: CacheEventType; readonly event: CacheEvent<Item> }[] = [];
  readonly bookmarks: number[] = [];
  handle: { close(): void } | undefined;
  ended: Error | undefined;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  event(type: CacheEventType, event: CacheEvent<Item>): void {
    this.events.push({ type, event });
    this.log.push(`${type} ${event.object.key.slice(this.#prefix.length)}`);
  }

  bookmark(revision: number, initialEventsEnd: boolean): void {
    this.bookmarks.push(revision);
    this.log.push(initialEventsEnd ? 'INITIAL-END' : 'BOOKMARK');
  }

  end(error: Error): void {
    this.ended = error;
  }
}

/** Lets everything that is under way happen until the condition holds. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (condition()) return;
    // Turns are free for drivers in this process; others need some time.
    await new Promise((resolve) => (turn < 100 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  throw new Error(`${what} did not come about`);
}

export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValue, Operation, Storage, TransactResult, WatchItem, WatchOptions } from '../storage.ts';

/** A fresh, empty store, and what a test may do to the world around it. */
export interface StorageUnderTest {
  readonly storage: Storage;
  /** Moves the store's clock. Absent: tests wait for real time to pass. */
  readonly advance?: (ms: number) => void;
  /** How many watches the store serves; checked to be none after cancellation. */
  readonly watchers?: () => number;
}

export type Change = Exclude<WatchItem, { type: 'progress' }>;

export interface Case {
  readonly name: string;
  readonly run: (subject: Subject) => Promise<void>;
}

/** The words that the cases are written in. */
export class Subject {
  readonly storage: Storage;
  readonly #world: StorageUnderTest;

  constructor(world: StorageUnderTest) {
    this.storage = world.storage;
    this.#world = world;
  }

  /** Writes and returns the new revision; fails the test when an expectation fails. */
  async put(key: string, value: string | Buffer, options: { expect?: number; ttlSeconds?: number } = {}): Promise<number> {
    const result = await this.storage.transact([{ type: 'put', key, value: Buffer.from(value), ...options }]);
    assert.ok(result.succeeded, `put ${key} found another revision than expected`);
    return result.revision;
  }

  async delete(key: string, expect?: number): Promise<number> {
    const result = await this.tryDelete(key, expect);
    assert.ok(result.succeeded, `delete ${key} found another revision than expected`);
    return result.revision;
  }

  tryPut(key: string, value: string, expect: number): Promise<TransactResult> {
    return this.storage.transact([{ type: 'put', key, value: Buffer.from(value), expect }]);
  }

  tryDelete(key: string, expect?: number): Promise<TransactResult> {
    return this.storage.transact([{ type: 'delete', key, ...(expect === undefined ? {} : { expect }) }]);
  }

  async get(key: string): Promise<KeyValue | undefined> {
    return (await this.storage.get(key)).kv;
  }

  /** Writes many keys in transactions of 100 operations. */
  async fill(keys: readonly string[], value = 'v'): Promise<void> {
    const bytes = Buffer.from(value);
    const transactions: Operation[][] = [];
    for (let i = 0; i < keys.length; i += 100) {
      transactions.push(keys.slice(i, i + 100).map((key) => ({ type: 'put', key, value: bytes, expect: 0 })));
    }
    for (let i = 0; i < transactions.length; i += 16) {
      const results = await Promise.all(transactions.slice(i, i + 16).map((operations) => this.storage.transact(operations)));
      assert.ok(results.every(({ succeeded }) => succeeded));
    }
  }

  /** Watches until `count` changes have come, then cancels. Fails the test when they do not come in time. */
  async changes(prefix: string, count: number, options: Omit<WatchOptions, 'signal'> = {}): Promise<Change[]> {
    const abort = new AbortController();
    const tooLate = setTimeout(() => abort.abort(), 20_000);
    const found: Change[] = [];
    try {
      for await (const batch of this.storage.watch(prefix, { ...options, signal: abort.signal })) {
        for (const item of batch) if (item.type !== 'progress') found.push(item);
        if (found.length >= count) break;
      }
    } finally {
      clearTimeout(tooLate);
      abort.abort();
    }
    assert.ok(found.length >= count, `watch of ${prefix} yielded ${found.length} of ${count} changes in time`);
    return found;
  }

  async eventually(what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!(await condition())) {
      assert.ok(Date.now() < end, `waited in vain: ${what}`);
      await sleep(10);
    }
  }

  async advance(ms: number): Promise<void> {
    if (this.#world.advance === undefined) await sleep(ms);
    else this.#world.advance(ms);
  }

  async noWatchersLeft(): Promise<void> {
    const { watchers } = this.#world;
    if (watchers !== undefined) await this.eventually('cancelled watches to be gone', () => watchers() === 0);
  }
}

export function text(kv: KeyValue | undefined): string | undefined {
  return kv?.value.toString();
}

export function keys(items: readonly KeyValue[]): string[] {
  return items.map(({ key }) => key);
}

/** One change in a form that reads well in an assertion. */
export function brief(change: Change): string {
  return change.type === 'put' ? `put ${change.kv.key}=${text(change.kv)}` : `delete ${change.key}`;
}

export function changeRevision(change: Change): number {
  return change.type === 'put' ? change.kv.modRevision : change.revision;
}

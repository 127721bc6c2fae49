/**
 * What the watch cache costs: `node --expose-gc test/bench/cache.ts`.
 * Events per second to many watchers, consistent reads, lists, and the memory of 100,000 entries beyond their bytes.
 */
import { createWatchCache } from '../../src/storage/cache/watch-cache.ts';
import type { CacheEntry, CacheWatchOptions, WatchCache } from '../../src/storage/cache/types.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import type { KeyValue, Operation, Storage } from '../../src/storage/storage.ts';

interface Item extends CacheEntry {
  readonly bytes: Buffer;
}

const keyPrefix = '/registry/things/';
const storedValue = Buffer.alloc(2_048, 'x');

function decode(kv: KeyValue): Item {
  const slash = kv.key.lastIndexOf('/');
  const fields = { 'metadata.name': kv.key.slice(slash + 1), 'metadata.namespace': kv.key.slice(keyPrefix.length, slash) };
  return { key: kv.key, revision: kv.modRevision, labels: undefined, fields, bytes: kv.value };
}

function newCache(storage: Storage): WatchCache<Item> {
  return createWatchCache<Item>(storage, { prefix: keyPrefix, decode, tombstone: (last, revision) => ({ ...last, revision }) });
}

function put(path: string, value = storedValue): Operation {
  return { type: 'put', key: keyPrefix + path, value };
}

function report(what: string, figure: string): void {
  console.log(`${what.padEnd(58)} ${figure}`);
}

function rate(count: number, milliseconds: number): string {
  return `${Math.round(count / (milliseconds / 1_000)).toLocaleString('en')}/s`;
}

async function fanOut(watchers: number, scope: 'everything' | 'one object each'): Promise<void> {
  await using storage = createMemoryStorage();
  await using cache = newCache(storage);
  await cache.ready();
  let delivered = 0;
  const sink = { event: () => void delivered++, bookmark: () => undefined, end: () => undefined };
  for (let i = 0; i < watchers; i++) {
    const name = `o${i}`;
    const one: Partial<CacheWatchOptions<Item>> = {
      prefix: `${keyPrefix}ns/`,
      fieldEquals: { 'metadata.name': name },
      matches: (item) => item.fields['metadata.name'] === name,
    };
    cache.watch({ prefix: keyPrefix, matches: () => true, from: 'now', bookmarks: true, sink, ...(scope === 'everything' ? {} : one) });
  }
  await new Promise((resolve) => setImmediate(resolve));
  const events = scope === 'everything' ? Math.max(5_000, Math.floor(100_000 / watchers)) : 20_000;
  const began = performance.now();
  for (let i = 0; i < events; i++) await storage.transact([put(`ns/o${i % Math.max(watchers, 100)}`)]);
  await cache.fresh();
  const took = performance.now() - began;
  report(`${watchers} watchers of ${scope}: writes that reach all of them`, `${rate(events, took)}, ${rate(delivered, took)} deliveries`);
}

async function freshReads(): Promise<void> {
  await using storage = createMemoryStorage();
  await using cache = newCache(storage);
  await cache.ready();
  const count = 50_000;
  let began = performance.now();
  for (let i = 0; i < count; i++) await cache.fresh();
  report('fresh(), nothing written meanwhile', rate(count, performance.now() - began));
  began = performance.now();
  for (let i = 0; i < count; i++) {
    await storage.transact([{ type: 'put', key: '/registry/elsewhere/x', value: storedValue }]);
    await cache.fresh();
  }
  report('a write elsewhere, then fresh()', rate(count, performance.now() - began));
}

async function memoryUsed(): Promise<number> {
  // Twice, with a turn between: what finalizers let go is only found by the second.
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function bigState(entries: number): Promise<void> {
  await using storage = createMemoryStorage();
  for (let start = 0; start < entries; start += 1_000) {
    await storage.transact(Array.from({ length: 1_000 }, (_, i) => put(`ns${(start + i) % 1_000}/${start + i}`, Buffer.from(storedValue))));
  }
  const before = await memoryUsed();
  await using cache = newCache(storage);
  const began = performance.now();
  await cache.ready();
  report(`load of ${entries.toLocaleString('en')} entries`, `${Math.round(performance.now() - began)} ms`);
  const after = await memoryUsed();
  report('memory of the cache beside the bytes, which the store holds', `${Math.round((after - before) / entries)} bytes per entry`);

  const lists = 20_000;
  let listed = 0;
  let start = performance.now();
  for (let i = 0; i < lists; i++)
    for (const item of cache.list({ prefix: `${keyPrefix}ns${i % 1_000}/` }).items) listed += item.revision > 0 ? 1 : 0;
  report('lists of a namespace of 100', rate(lists, performance.now() - start));
  start = performance.now();
  for (let i = 0; i < 10; i++) for (const item of cache.list({ prefix: keyPrefix }).items) listed += item.revision > 0 ? 1 : 0;
  report(`walk of all (${listed.toLocaleString('en')} seen)`, rate(10 * entries, performance.now() - start));

  const writes = 20_000;
  start = performance.now();
  for (let i = 0; i < writes; i++) await storage.transact([put(`ns${(i * 7) % 1_000}/${(i * 7) % entries}`, Buffer.from(storedValue))]);
  await cache.fresh();
  report('writes into it, one watcher: the cache', rate(writes, performance.now() - start));
  const { revision } = cache;
  start = performance.now();
  for (let back = 0; back < 1_000; back++) cache.list({ prefix: keyPrefix, limit: 1, revision: revision - back * 19 });
  report('first list at a past revision', `${((performance.now() - start) / 1_000).toFixed(3)} ms`);
  const grown = await memoryUsed();
  report(
    `memory of a window of ${cache.stats.history.toLocaleString('en')} events and its states`,
    `${Math.round((grown - after) / 2 ** 20)} MB`,
  );
}

for (const watchers of [1, 500, 5_000]) await fanOut(watchers, 'everything');
await fanOut(5_000, 'one object each');
await freshReads();
await bigState(100_000);

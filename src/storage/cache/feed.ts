import type { Clock } from '../../base/clock.ts';
import { CompactedError, FutureRevisionError, type KeyValue, type Storage, type WatchItem } from '../storage.ts';
import type { CacheLog } from './types.ts';

const PAGE = 5_000;
const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 5_000;

export interface FeedOptions {
  readonly storage: Storage;
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: CacheLog;
  /** the whole prefix at one revision: at first, and when history was compacted before it could be read */
  loaded(values: readonly KeyValue[], revision: number): void;
  /** what came after; never half a transaction */
  changed(items: readonly WatchItem[]): void;
  /** revision up to which everything has been handed on */
  revision(): number;
}

/**
 * Follows a prefix of the storage for ever: lists it, then watches. A watch that breaks resumes where it was; only when the storage
 * no longer has that history is the prefix listed again. Failures are retried with growing pauses until the signal aborts.
 */
export async function follow(options: FeedOptions, signal: AbortSignal): Promise<void> {
  const { storage, prefix, log } = options;
  let loaded = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (!loaded) {
        const { values, revision } = await listAll(storage, prefix, signal);
        options.loaded(values, revision);
        loaded = true;
      }
      const stream = storage.watch(prefix, { revision: options.revision(), signal, progress: true });
      for await (const items of stream) {
        if (failures > 0) log.info('watching the storage again', { prefix, revision: options.revision(), failures });
        failures = 0;
        options.changed(items);
      }
      if (!signal.aborted) throw new Error('the storage ended the watch');
    } catch (error) {
      if (signal.aborted) return;
      const lostHistory = loaded && (error instanceof CompactedError || error instanceof FutureRevisionError);
      if (lostHistory) loaded = false;
      failures++;
      log.warn(loaded ? 'watching the storage failed' : lostHistory ? 'must list again' : 'listing the storage failed', {
        prefix,
        revision: options.revision(),
        failures,
        error,
      });
      if (!lostHistory || failures > 1) await pause(options.clock, pauseAfter(failures), signal);
    }
  }
}

/** The whole prefix, read page by page at the revision of the first page. */
async function listAll(storage: Storage, prefix: string, signal: AbortSignal): Promise<{ values: KeyValue[]; revision: number }> {
  const first = await storage.list(prefix, { limit: PAGE, signal });
  const { revision } = first;
  const values = [...first.items];
  for (let page = first; page.items.length < page.total;) {
    page = await storage.list(prefix, { limit: PAGE, signal, revision, from: `${values.at(-1)!.key}\0` });
    for (const kv of page.items) values.push(kv);
  }
  return { values, revision };
}

/** Doubles each time; spread out, so that all caches of a server do not come back to the storage at the same instant. */
function pauseAfter(failures: number): number {
  const longest = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** (failures - 1), LONGEST_PAUSE_MILLISECONDS);
  return longest * (0.75 + Math.random() / 4);
}

function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

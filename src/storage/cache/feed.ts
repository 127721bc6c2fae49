import type { Clock } from '../../base/clock.ts';
import type { KeyValue, Storage, WatchItem } from '../storage.ts';
import { CompactedError, FutureRevisionError, UnavailableError } from '../storage.ts';
import { pauseAfter } from './pause.ts';
import type { CacheLog } from './types.ts';

const pageSize = 5_000;

export interface FeedOptions {
  readonly storage: Storage;
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: CacheLog;
  /** The whole prefix at one revision: at first, and whenever there is no telling what happened since the last one. */
  loaded(values: readonly KeyValue[], revision: number): Promise<void>;
  /** what came after; never half a transaction. A promise: what comes next is to wait for it */
  changed(items: readonly WatchItem[]): Promise<void> | undefined;
  /** it could not be listed */
  failed(): void;
  /** revision up to which everything has been handed on */
  revision(): number;
}

/**
 * Follows a prefix of the storage for ever: lists it, then watches. A watch that breaks resumes where it was; only when the storage
 * no longer has that history is the prefix listed again, or when there were values that could not be read for the time being. Failures
 * are retried with growing pauses until the signal aborts.
 */
export async function follow(options: FeedOptions, signal: AbortSignal): Promise<void> {
  const { storage, prefix, log } = options;
  let loaded = false;
  let failures = 0;
  /** loads since the watch last gave something: one may follow another at once, but not for ever */
  let loads = 0;
  /** how often in a row there were values that could not be read for the time being */
  let unavailable = 0;
  while (!signal.aborted) {
    // The watch ends with the signal, or to list again. Not made by AbortSignal.any, which costs more than all else at the start of a cache.
    const watching = new AbortController();
    const end = (): void => watching.abort();
    let relists = false;
    let pausing: Promise<void> | undefined;
    const relistAfterPause = (): void => {
      pausing ??= pauseAfter(++unavailable, options.clock, signal).then(() => {
        loaded = false;
        relists = true;
        end();
      });
    };
    try {
      if (!loaded) {
        const { values, revision } = await listAll(storage, prefix, signal);
        await options.loaded(values, revision);
        loaded = true;
        loads++;
        if (values.some(isUnavailable)) relistAfterPause();
        if (pausing === undefined) unavailable = 0;
      }
      signal.throwIfAborted();
      signal.addEventListener('abort', end, { once: true });
      const stream = storage.watch(prefix, { revision: options.revision(), signal: watching.signal, progress: true, previous: false });
      for await (const items of stream) {
        if (failures > 0) log.info('watching the storage again', { prefix, revision: options.revision(), failures });
        failures = 0;
        loads = 0;
        const applying = options.changed(items);
        if (applying !== undefined) await applying;
        if (items.some((item) => item.type === 'put' && isUnavailable(item.kv))) relistAfterPause();
      }
      if (!watching.signal.aborted) throw new Error('the storage ended the watch');
    } catch (error) {
      if (signal.aborted) return;
      if (relists) continue;
      if (!loaded) options.failed();
      const lostHistory = loaded && (error instanceof CompactedError || error instanceof FutureRevisionError);
      if (lostHistory) loaded = false;
      failures++;
      log.warn(loaded ? 'watching the storage failed' : lostHistory ? 'must list again' : 'listing the storage failed', {
        prefix,
        revision: options.revision(),
        failures,
        err: error,
      });
      if (!lostHistory || loads > 1) await pauseAfter(failures, options.clock, signal);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}

/** It cannot be read for the time being. */
function isUnavailable({ error }: KeyValue): boolean {
  return error instanceof UnavailableError;
}

/** The whole prefix, read page by page at the revision of the first page. */
async function listAll(storage: Storage, prefix: string, signal: AbortSignal): Promise<{ values: KeyValue[]; revision: number }> {
  const first = await storage.list(prefix, { limit: pageSize, signal });
  const { revision } = first;
  const values = [...first.items];
  for (let page = first; page.items.length < page.total;) {
    page = await storage.list(prefix, { limit: pageSize, signal, revision, from: `${values.at(-1)!.key}\0` });
    for (const kv of page.items) values.push(kv);
  }
  return { values, revision };
}

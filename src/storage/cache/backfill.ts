import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { KeyValue, Storage, WatchItem } from '../storage.ts';
import { CompactedError } from '../storage.ts';
import { RecordedEvent } from './event.ts';
import type { History } from './history.ts';
import type { Change } from './state.ts';
import { pauseAfter } from './pause.ts';
import type { CacheEntry, CacheOptions } from './types.ts';
import { read, Unreadable } from './unreadable.ts';

/** More than this is not a short disconnect; the window would not hold it either. */
const mostChanges = 100 * 1024;
/** So many are read before others have their turn. */
const stepSize = 64;
const askAgainMilliseconds = 100;
const askTimes = 30;
/** The storage may just be restarting; about half a minute is given to it. */
const attempts = 12;

/**
 * Extends the history window into the past from the storage's own history, so that a watch can resume from before the window began
 * (after a restart, say). One pass serves every watcher that wants to go no further back.
 */
export class Backfill<T extends CacheEntry> {
  readonly #storage: Storage;
  readonly #options: CacheOptions<T>;
  readonly #history: History<T>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #running: { readonly after: number; readonly done: Promise<void> } | undefined;

  constructor(storage: Storage, options: CacheOptions<T>, history: History<T>, clock: Clock, signal: AbortSignal) {
    this.#storage = storage;
    this.#options = options;
    this.#history = history;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Resolves when the window holds every change after the revision; rejects with CompactedError when that cannot be. */
  async reach(revision: number): Promise<void> {
    while (this.#running !== undefined && this.#running.after > revision) await this.#running.done.then(ignore, ignore);
    if (this.#history.covers(revision)) return;
    if (this.#running === undefined) {
      const done = this.#extendPatiently(revision).finally(() => (this.#running = undefined));
      this.#running = { after: revision, done };
    }
    await this.#running.done;
  }

  async #extendPatiently(after: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#extend(after);
      } catch (error) {
        if (error instanceof CompactedError || attempt === attempts || this.#signal.aborted) throw error;
        await pauseAfter(attempt, this.#clock, this.#signal);
      }
    }
  }

  async #extend(after: number): Promise<void> {
    const { prefix } = this.#options;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    const asking = this.#askForProgress(stop);
    try {
      const changes: Change<T>[] = [];
      let bytes = 0;
      let reached = after;
      for await (const batch of this.#storage.watch(prefix, { revision: after, signal, progress: true })) {
        for (const item of batch) {
          reached = Math.max(reached, revisionOf(item));
          // The window may have moved on meanwhile, so the floor is asked anew.
          if (reached > this.#history.floor) break;
          if (item.type === 'progress') continue;
          changes.push(this.#changeOf(item));
          bytes += (item.type === 'put' ? item.kv : item.previous)?.value.length ?? 0;
          if (changes.length > mostChanges || bytes > this.#history.roomBefore) throw new CompactedError(this.#history.floor);
          if (changes.length % stepSize === 0) await turn();
        }
        if (reached < this.#history.floor) continue;
        this.#history.prepend(changes, after, this.#clock.now());
        return;
      }
      throw new CompactedError(this.#history.floor);
    } catch (error) {
      throw stop.signal.aborted ? new CompactedError(this.#history.floor) : error;
    } finally {
      asking[Symbol.dispose]();
      stop.abort();
    }
  }

  /** A quiet storage says that there is nothing more only when asked; one that never says so counts as having no history. */
  #askForProgress(stop: AbortController): Disposable {
    let asked = 1;
    let timer: Disposable;
    const ask = (): void => {
      if (asked++ === askTimes) return stop.abort();
      this.#storage.requestProgress?.(this.#options.prefix);
      timer = this.#clock.setTimeout(ask, askAgainMilliseconds);
    };
    // The watch begins with its first read, which follows in this turn.
    queueMicrotask(() => stop.signal.aborted || this.#storage.requestProgress?.(this.#options.prefix));
    timer = this.#clock.setTimeout(ask, askAgainMilliseconds);
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }

  #changeOf(item: Exclude<WatchItem, { type: 'progress' }>): Change<T> {
    const revision = revisionOf(item);
    const last = this.#read(item.previous);
    if (item.type === 'put') {
      // Without the state before, it is unknown whether a selector's watcher knew the object.
      if (item.previous === undefined && item.kv.version > 1) throw new CompactedError(this.#history.floor);
      const entry = this.#read(item.kv);
      const event = entry && new RecordedEvent(last === undefined ? 'ADDED' : 'MODIFIED', entry, last, revision);
      return { key: item.kv.key, revision, entry, event };
    }
    if (item.previous === undefined) throw new CompactedError(this.#history.floor);
    const event = last && new RecordedEvent('DELETED', this.#options.tombstone(last, revision), last, revision);
    return { key: item.key, revision, entry: undefined, event };
  }

  #read(kv: KeyValue | undefined): T | undefined {
    const entry = kv && read(kv, this.#options.decode);
    return entry instanceof Unreadable ? undefined : entry;
  }
}

function revisionOf(item: WatchItem): number {
  return item.type === 'put' ? item.kv.modRevision : item.revision;
}

function ignore(): void {
  // Its own callers hear of it.
}

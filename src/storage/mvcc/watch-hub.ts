import type { Clock } from '../../base/clock.ts';
import { isAscending } from '../ordered-map.ts';
import type { WatchItem, WatchOptions } from '../storage.ts';
import { CompactedError } from '../storage.ts';
import type { Changes } from './history.ts';
import type { ChangeItem } from './transaction.ts';
import { firstFrom, keyOf } from './transaction.ts';

/** Where watches read from: the newest revision that may be seen, and the changes before it. */
export interface WatchSource {
  readonly revision: number;
  readonly compactRevision: number;
  since(revision: number, prefix: string): Changes | Promise<Changes>;
}

interface Watcher {
  readonly prefix: string;
  readonly progress: boolean;
  /** every change up to here has been delivered, or is not for this watcher */
  position: number;
  owesProgress: boolean;
  /** why the watch must end */
  end: Error | undefined;
  /** set while it sleeps */
  wake: (() => void) | undefined;
}

/** Called with the changes of one transaction. */
export type Committed = (items: readonly ChangeItem[], revision: number) => void;

/** How often an idle watch hears which revision it has reached; upstream configures etcd with the same interval. */
const progressMs = 5000;

/**
 * Watches as cursors into history. A watcher holds no events: it sleeps until something matches, then reads from where it was.
 * So a slow reader costs nothing, and learns by CompactedError when history has gone on without it.
 */
export class WatchHub {
  readonly #clock: Clock;
  readonly #watchers = new Set<Watcher>();
  readonly #followers = new Set<Committed>();
  #timer: Disposable | undefined;
  #end: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** watches that are being iterated */
  get size(): number {
    return this.#watchers.size;
  }

  watch(source: WatchSource, prefix: string, options: WatchOptions): AsyncIterable<readonly WatchItem[]> {
    const { progress = false, revision = source.revision, signal } = options;
    const watcher: Watcher = { prefix, progress, position: revision, owesProgress: false, end: this.#end, wake: undefined };
    return this.#iterate(source, watcher, signal);
  }

  /** `committed` is called with every transaction, in order, before its writer hears of it. */
  follow(committed: Committed): Disposable {
    this.#followers.add(committed);
    return { [Symbol.dispose]: () => void this.#followers.delete(committed) };
  }

  /** Wakes the watches that a committed transaction concerns; the others that have seen everything so far move along. `inOrder`: of keys */
  publish(items: readonly ChangeItem[], revision: number, inOrder = false): void {
    for (const committed of this.#followers) committed(items, revision);
    const concerns = concernedPrefixes(items, inOrder);
    for (const watcher of this.#watchers) {
      if (watcher.wake === undefined) continue;
      if (concerns(watcher.prefix)) wake(watcher);
      else watcher.position = Math.max(watcher.position, revision);
    }
  }

  requestProgress(prefix: string): void {
    for (const watcher of this.#watchers) if (watcher.prefix === prefix) oweProgress(watcher);
  }

  /** Ends every watch with this error. */
  endAll(error: Error): void {
    for (const watcher of this.#watchers) {
      watcher.end = error;
      wake(watcher);
    }
  }

  /** Ends every watch, and every later one too. */
  close(error: Error): void {
    this.#end = error;
    this.endAll(error);
    this.#timer?.[Symbol.dispose]();
  }

  async *#iterate(source: WatchSource, watcher: Watcher, signal: AbortSignal): AsyncGenerator<readonly WatchItem[], void, undefined> {
    const onAbort = (): void => wake(watcher);
    signal.addEventListener('abort', onAbort);
    this.#watchers.add(watcher);
    if (watcher.progress) this.#timer ??= this.#clock.setTimeout(() => this.#tick(), progressMs);
    try {
      while (!signal.aborted) {
        if (watcher.end !== undefined) throw watcher.end;
        if (watcher.position < source.compactRevision) throw new CompactedError(source.compactRevision);
        if (watcher.position < source.revision) {
          const changes = await source.since(watcher.position, watcher.prefix);
          watcher.position = changes.upTo;
          if (changes.items.length > 0 && !signal.aborted) yield changes.items;
        } else if (watcher.owesProgress) {
          watcher.owesProgress = false;
          yield [{ type: 'progress', revision: source.revision }];
        } else await new Promise<void>((resolve) => (watcher.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#watchers.delete(watcher);
    }
  }

  #tick(): void {
    let progress = false;
    for (const watcher of this.#watchers) {
      progress ||= watcher.progress;
      oweProgress(watcher);
    }
    this.#timer = progress && this.#end === undefined ? this.#clock.setTimeout(() => this.#tick(), progressMs) : undefined;
  }
}

/** Below this, looking at each change is cheaper. */
const manyItems = 100;

/** Whether one of the changes is of a key with a prefix. */
function concernedPrefixes(items: readonly ChangeItem[], inOrder: boolean): (prefix: string) => boolean {
  if (items.length < manyItems || !(inOrder || isAscending(items.map(keyOf))))
    return (prefix) => items.some((item) => keyOf(item).startsWith(prefix));
  return (prefix) => {
    const first = items[firstFrom(items, prefix)];
    return first !== undefined && keyOf(first).startsWith(prefix);
  };
}

function oweProgress(watcher: Watcher): void {
  if (!watcher.progress) return;
  watcher.owesProgress = true;
  wake(watcher);
}

function wake(watcher: Watcher): void {
  watcher.wake?.();
  watcher.wake = undefined;
}

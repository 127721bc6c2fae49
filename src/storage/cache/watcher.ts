// Upstream: k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go
import type { RecordedEvent } from './event.ts';
import type {
  CacheEntry,
  CacheEvent,
  CacheEventType,
  CacheOptions,
  CacheWatchOptions,
  SharedForm,
  WatchHandle,
  WatchSink,
} from './types.ts';

/** One watch: decides what each event means to it and hands that to its sink. */
export class Watcher<T extends CacheEntry> implements WatchHandle {
  readonly options: CacheWatchOptions<T>;
  readonly #sink: WatchSink<T>;
  readonly #matches: (entry: T) => boolean;
  readonly #tombstone: CacheOptions<T>['tombstone'];
  #closed = false;
  /** what to undo when the watch is over, in no order */
  readonly #cleanups = new Set<() => void>();
  /** Live events up to here were sent before the watch went live. */
  since = 0;

  constructor(options: CacheWatchOptions<T>, tombstone: CacheOptions<T>['tombstone']) {
    this.options = options;
    this.#sink = options.sink;
    this.#matches = options.matches;
    this.#tombstone = tombstone;
  }

  get closed(): boolean {
    return this.#closed;
  }

  onClose(cleanup: () => void): void {
    if (this.#closed) cleanup();
    else this.#cleanups.add(cleanup);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const cleanup of this.#cleanups) cleanup();
    this.#cleanups.clear();
  }

  /** Closes the watch and tells the sink why. */
  end(error: Error): void {
    if (this.#closed) return;
    this.close();
    try {
      this.#sink.end(error);
    } catch {
      // A sink whose end() throws does not concern other watchers.
    }
  }

  /** The event of a live stream or of the history, as this watcher sees it. Returns whether it was sent. */
  deliver(event: RecordedEvent<T>): boolean {
    if (this.#closed || event.revision <= this.since) return false;
    try {
      const { previous } = event;
      const matched = previous !== undefined && this.#matches(previous);
      const matches = event.type !== 'DELETED' && this.#matches(event.object);
      if (matches) this.#sink.event(matched ? 'MODIFIED' : 'ADDED', event);
      else if (matched) this.#sink.event('DELETED', event.type === 'DELETED' ? event : event.departure(previous, this.#tombstone));
      return matches || matched;
    } catch (error) {
      this.end(asError(error));
      return false;
    }
  }

  /** An event that is known to concern this watcher, such as an initial one. */
  send(type: CacheEventType, event: CacheEvent<T>): void {
    if (this.#closed) return;
    try {
      this.#sink.event(type, event);
    } catch (error) {
      this.end(asError(error));
    }
  }

  bookmark(revision: number, initialEventsEnd: boolean): void {
    if (this.#closed) return;
    try {
      this.#sink.bookmark(revision, initialEventsEnd);
    } catch (error) {
      this.end(asError(error));
    }
  }

  /** It has caught up with the present. */
  live(): void {
    this.#sink.live?.();
  }

  get pending(): number {
    return this.#sink.pending ?? 0;
  }

  /** What the sink wants awaited before it takes more of the past. */
  drained(limit: number): Promise<void> | undefined {
    return this.#sink.drained?.(limit);
  }

  get shared(): SharedForm<T> | undefined {
    return this.#sink.shared;
  }

  selects(entry: T): boolean {
    return this.#matches(entry);
  }
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { CacheEventType, WatchHandle } from '../../storage/cache/types.ts';
import { CacheClosedError } from '../../storage/cache/types.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';

/** What a part of the server does with the changes of a resource. */
export interface Follower {
  readonly resource: Resource;
  /** the objects that are there come first, as ADDED events that say that they are initial; default: only changes come */
  readonly initialEvents?: boolean;
  readonly event: (type: CacheEventType, entry: StoredEntry, isInitial: boolean) => void;
  /** All that is there has come, with these keys (none without initial events); from now on nothing is missed. */
  readonly caughtUp?: (keys: ReadonlySet<string>) => void;
  /** The watch is over by itself, because the store was restored or the cache is closed: nothing more comes. */
  readonly ended: (error: Error) => void;
}

/** Follows a resource until the watch ends. Resolves with the means to stop it, when the cache is ready and the watch has begun. */
export async function watchResource(follower: Follower, signal?: AbortSignal): Promise<WatchHandle> {
  const { resource, initialEvents = false, event, caughtUp, ended } = follower;
  const { cache } = resource.store;
  await cache.ready(signal);
  if (initialEvents) await cache.fresh(signal);
  signal?.throwIfAborted();
  let isInitial = initialEvents;
  const keys = new Set<string>();
  const watch = cache.watch({
    prefix: resource.keyPrefix,
    matches: () => true,
    from: initialEvents ? 'any' : 'now',
    ...(initialEvents && { initialEventsAtLeast: cache.revision }),
    bookmarks: initialEvents,
    sink: {
      event: (type, { object }) => {
        if (isInitial) keys.add(object.key);
        event(type, object, isInitial);
      },
      bookmark: (_revision, initialEventsEnd) => {
        if (!initialEventsEnd) return;
        isInitial = false;
        caughtUp?.(keys);
      },
      end: ended,
    },
  });
  if (!initialEvents) caughtUp?.(keys);
  return watch;
}

export interface FollowOptions extends Omit<Follower, 'ended'> {
  /** what the log calls it */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

const retryMs = 1000;

/**
 * Follows a resource until the signal ends it, or its cache is closed: where a watch ends, another one begins, and has caught up when it says
 * so. Resolves when it has caught up for the first time, or is over.
 */
export function follow({ name, signal, clock, log, ...follower }: FollowOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let watch: WatchHandle | undefined;
  let timer: Disposable | undefined;
  let isCurrent = false;
  const begin = (): void => {
    watchResource({ ...follower, caughtUp, ended }, signal).then(
      (handle) => {
        watch = handle;
        if (signal.aborted) watch.close();
      },
      (error: unknown) => ended(error),
    );
  };
  const caughtUp = (keys: ReadonlySet<string>): void => {
    isCurrent = true;
    follower.caughtUp?.(keys);
    resolve();
  };
  const ended = (error: unknown): void => {
    if (signal.aborted || error instanceof CacheClosedError) return resolve();
    log.info(`${name} will be watched again`, { err: error });
    // One that never got that far will hardly do better at once.
    if (!isCurrent) timer = clock.setTimeout(begin, retryMs);
    else begin();
    isCurrent = false;
  };
  signal.addEventListener(
    'abort',
    () => {
      timer?.[Symbol.dispose]();
      watch?.close();
      resolve();
    },
    { once: true },
  );
  if (signal.aborted) resolve();
  else begin();
  return promise;
}

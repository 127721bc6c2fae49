import type { CacheEntry, CacheEvent, CacheEventType } from './types.ts';

/** An event as it is kept in the history. What only some watchers need is made when the first one asks. */
export class RecordedEvent<T extends CacheEntry> implements CacheEvent<T> {
  readonly type: CacheEventType;
  readonly object: T;
  readonly previous: T | undefined;
  readonly revision: number;
  #encodings: Map<unknown, unknown> | undefined;
  #departure: CacheEvent<T> | undefined;

  constructor(type: CacheEventType, object: T, previous: T | undefined, revision: number) {
    this.type = type;
    this.object = object;
    this.previous = previous;
    this.revision = revision;
  }

  get encodings(): Map<unknown, unknown> {
    return (this.#encodings ??= new Map());
  }

  /** A modification as seen by watchers whose selection the object left: one event, shared by all of them. */
  departure(last: T, tombstone: (last: T, revision: number) => T): CacheEvent<T> {
    return (this.#departure ??= new RecordedEvent('DELETED', tombstone(last, this.revision), last, this.revision));
  }
}

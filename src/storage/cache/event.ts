import type { CacheEntry, CacheEvent, CacheEventType } from './types.ts';

/** An event as it is kept in the history. What only some watchers need is made when the first one asks. */
export class RecordedEvent<T extends CacheEntry> implements CacheEvent<T> {
  readonly type: CacheEventType;
  readonly object: T;
  readonly previous: T | undefined;
  readonly revision: number;
  #encodings: Map<unknown, unknown> | undefined;
  #departure: RecordedEvent<T> | undefined;
  #retired = false;

  constructor(type: CacheEventType, object: T, previous: T | undefined, revision: number) {
    this.type = type;
    this.object = object;
    this.previous = previous;
    this.revision = revision;
  }

  get encodings(): Map<unknown, unknown> {
    return this.#retired ? new Map() : (this.#encodings ??= new Map());
  }

  /** Lets go of encodings and keeps no more of them: the event is of the past, and few will ask for it. */
  retire(): void {
    this.#retired = true;
    this.#encodings = undefined;
    this.#departure?.retire();
  }

  /** A modification as seen by watchers whose selection the object left: one event, shared by all of them. */
  departure(last: T, tombstone: (last: T, revision: number) => T): CacheEvent<T> {
    if (this.#departure === undefined) {
      this.#departure = new RecordedEvent('DELETED', tombstone(last, this.revision), last, this.revision);
      if (this.#retired) this.#departure.retire();
    }
    return this.#departure;
  }
}

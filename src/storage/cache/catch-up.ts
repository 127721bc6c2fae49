import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { prefixEnd } from '../ordered-map.ts';
import type { Backfill } from './backfill.ts';
import { RecordedEvent } from './event.ts';
import type { History } from './history.ts';
import type { CacheEntry } from './types.ts';
import type { Watcher } from './watcher.ts';
import { asError } from './watcher.ts';

/** Events handed over in one go, unless the sink is full before; then it may ask for a pause and other work gets its turn. */
const portionSize = 500;

export interface CatchUpSource<T extends CacheEntry> {
  readonly history: History<T>;
  readonly backfill: Backfill<T>;
  /** revision up to which the history is complete */
  revision(): number;
}

/**
 * Brings a watcher from where it wants to start up to the present: the state at some revision if it wants that, then the history
 * since, then `live` is called, in the same turn in which nothing was left. The watcher keeps no queue of its own meanwhile.
 */
export class CatchUp<T extends CacheEntry> {
  readonly #watcher: Watcher<T>;
  readonly #source: CatchUpSource<T>;
  readonly #live: () => void;
  #position = 0;
  #initial: { readonly state: ReadonlyOrderedMap<T>; from: string; readonly to: string | undefined; readonly endMark: boolean } | undefined;

  constructor(watcher: Watcher<T>, source: CatchUpSource<T>, live: () => void) {
    this.#watcher = watcher;
    this.#source = source;
    this.#live = live;
  }

  /** Sends the state, which is the one at `revision`, and what came after; `endMark`: with a bookmark between the two. */
  fromState(state: ReadonlyOrderedMap<T>, revision: number, endMark: boolean): void {
    const { prefix } = this.#watcher.options;
    this.#initial = { state, from: prefix, to: prefixEnd(prefix), endMark };
    this.#position = revision;
    this.#proceed();
  }

  /** Sends what came after the revision. */
  fromRevision(revision: number): void {
    this.#position = revision;
    this.#proceed();
  }

  #proceed(): void {
    const watcher = this.#watcher;
    if (watcher.closed) return;
    try {
      if (this.#initial !== undefined ? this.#sendState() : this.#sendHistory()) return;
      if (watcher.closed) return;
      const drained = watcher.drained();
      if (drained === undefined) setImmediate(() => this.#proceed());
      else this.#proceedAfter(drained);
    } catch (error) {
      watcher.end(asError(error));
    }
  }

  #proceedAfter(promise: Promise<void>): void {
    promise.then(
      () => this.#proceed(),
      (error: unknown) => this.#watcher.end(asError(error)),
    );
  }

  /** One portion of the state; goes on with the history after the last one. Returns whether there is nothing left to come back for. */
  #sendState(): boolean {
    const watcher = this.#watcher;
    const initial = this.#initial!;
    const entries = initial.state.range(initial.from, initial.to, portionSize);
    let sent = 0;
    for (; sent < entries.length && !watcher.full; sent++) {
      const entry = entries[sent]!;
      if (watcher.selects(entry)) watcher.send('ADDED', new RecordedEvent('ADDED', entry, undefined, entry.revision));
    }
    if (sent < entries.length || sent === portionSize) {
      if (sent > 0) initial.from = `${entries[sent - 1]!.key}\0`;
      return false;
    }
    this.#initial = undefined;
    if (initial.endMark) watcher.bookmark(this.#position, true);
    return this.#sendHistory();
  }

  /** As `#sendState`, for the history. */
  #sendHistory(): boolean {
    const { history, backfill, revision } = this.#source;
    const watcher = this.#watcher;
    if (watcher.closed) return true;
    if (!history.covers(this.#position)) {
      this.#proceedAfter(backfill.reach(this.#position));
      return true;
    }
    const { prefix } = watcher.options;
    const changes = history.changesAfter(this.#position, portionSize);
    for (const { key, event, revision: at } of changes) {
      // Changes of one revision stay together.
      if (watcher.full && at > this.#position) return false;
      if (event !== undefined && key.startsWith(prefix)) watcher.deliver(event);
      this.#position = at;
    }
    if (changes.length >= portionSize) return false;
    watcher.since = Math.max(this.#position, revision());
    if (!watcher.closed) this.#live();
    return true;
  }
}

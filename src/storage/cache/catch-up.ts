import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import { prefixEnd } from '../ordered-map.ts';
import type { Backfill } from './backfill.ts';
import { RecordedEvent } from './event.ts';
import type { History } from './history.ts';
import type { Pace, Paced } from './pace.ts';
import type { Portions } from './portions.ts';
import type { CacheEntry, SharedForm } from './types.ts';
import type { Watcher } from './watcher.ts';
import { asError } from './watcher.ts';

/** Events handed over in one go, unless too much waits for the client before; then it may ask for a pause and other work gets its turn. */
const portionSize = 500;

export interface CatchUpSource<T extends CacheEntry> {
  readonly pace: Pace;
  readonly portions: Portions;
  readonly history: History<T>;
  readonly backfill: Backfill<T>;
  /** revision up to which the history is complete */
  revision(): number;
}

/**
 * Brings a watcher from where it wants to start up to the present: the state at some revision if it wants that, then the history
 * since, then `live` is called with the number of events that were sent, in the same turn in which nothing was left. The watcher keeps no queue of its own meanwhile.
 */
export class CatchUp<T extends CacheEntry> implements Paced {
  readonly #watcher: Watcher<T>;
  readonly #source: CatchUpSource<T>;
  readonly #live: (sent: number) => void;
  #sent = 0;
  #position = 0;
  #initial: { readonly state: ReadonlyOrderedMap<T>; from: string; readonly to: string | undefined; readonly endMark: boolean } | undefined;

  constructor(watcher: Watcher<T>, source: CatchUpSource<T>, live: (sent: number) => void) {
    this.#watcher = watcher;
    this.#source = source;
    this.#live = live;
    watcher.onClose(() => this.#done());
  }

  /** Sends the state, which is the one at `revision`, and what came after; `endMark`: with a bookmark between the two. */
  fromState(state: ReadonlyOrderedMap<T>, revision: number, endMark: boolean): void {
    const { prefix } = this.#watcher.options;
    this.#initial = { state, from: prefix, to: prefixEnd(prefix), endMark };
    this.#position = revision;
    this.#source.portions.enter(this);
    this.#source.pace.run(this);
  }

  /** Sends what came after the revision. */
  fromRevision(revision: number): void {
    this.#position = revision;
    // Most watches begin at the present: they have nothing to send, and do not wait for those that do.
    if (revision >= this.#source.revision()) this.step();
    else this.#source.pace.run(this);
  }

  step(): void {
    const watcher = this.#watcher;
    const { pace } = this.#source;
    if (watcher.closed) return;
    try {
      const before = watcher.pending;
      const waits = this.#initial !== undefined ? this.#sendState() : this.#sendHistory();
      pace.spend(watcher.pending - before);
      if (waits || watcher.closed) return;
      const drained = watcher.drained(pace.limit);
      if (drained === undefined) pace.run(this);
      else {
        pace.waits(this);
        this.#proceedAfter(drained);
      }
    } catch (error) {
      watcher.end(asError(error));
    }
  }

  #proceedAfter(promise: Promise<void>): void {
    promise.then(
      () => {
        if (!this.#watcher.closed) this.#source.pace.run(this);
      },
      (error: unknown) => this.#watcher.end(asError(error)),
    );
  }

  #done(): void {
    this.#source.pace.done(this);
    this.#source.portions.leave(this);
  }

  /** One portion of the state; goes on with the history after the last one. Returns whether there is nothing left to come back for. */
  #sendState(): boolean {
    const watcher = this.#watcher;
    const initial = this.#initial!;
    const { shared } = watcher;
    if (shared !== undefined) return this.#sendShared(shared);
    const { limit } = this.#source.pace;
    const entries = initial.state.range(initial.from, initial.to, portionSize);
    let sent = 0;
    for (; sent < entries.length && watcher.pending <= limit; sent++) {
      const entry = entries[sent]!;
      if (!watcher.selects(entry)) continue;
      watcher.send('ADDED', new RecordedEvent('ADDED', entry, undefined, entry.revision));
      this.#sent++;
    }
    if (sent < entries.length || sent === portionSize) {
      if (sent > 0) initial.from = `${entries[sent - 1]!.key}\0`;
      return false;
    }
    return this.#endState();
  }

  /** As `#sendState`, in bytes that other watchers send too. */
  #sendShared({ form, encode, send }: SharedForm<T>): boolean {
    const initial = this.#initial!;
    const { state, from, to } = initial;
    const { bytes, sizes, revision, next } = this.#source.portions.get(state, `${form} ${this.#watcher.options.prefix} ${from}`, () => {
      const entries = state.range(from, to, portionSize);
      if (entries.length === 0) return { bytes: Buffer.alloc(0), sizes: [], revision: 0, next: undefined };
      const encoded = encode(entries);
      const last = entries[encoded.sizes.length - 1]!;
      const more = encoded.sizes.length < entries.length || entries.length === portionSize;
      return { ...encoded, revision: last.revision, next: more ? `${last.key}\0` : undefined };
    });
    if (bytes.length > 0) send(bytes, revision, sizes);
    this.#sent += sizes.length;
    if (next === undefined) return this.#endState();
    initial.from = next;
    return false;
  }

  #endState(): boolean {
    const { endMark } = this.#initial!;
    this.#initial = undefined;
    this.#source.portions.leave(this);
    if (endMark) this.#watcher.bookmark(this.#position, true);
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
    const { limit } = this.#source.pace;
    const changes = history.changesAfter(this.#position, portionSize);
    for (const { key, event, revision: at } of changes) {
      // Changes of one revision stay together.
      if (watcher.pending > limit && at > this.#position) return false;
      if (event !== undefined && key.startsWith(prefix) && watcher.deliver(event)) this.#sent++;
      this.#position = at;
    }
    if (changes.length >= portionSize) return false;
    watcher.since = Math.max(this.#position, revision());
    this.#done();
    if (!watcher.closed) this.#live(this.#sent);
    return true;
  }
}

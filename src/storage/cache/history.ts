// Upstream: k8s.io/apiserver/pkg/storage/cacher/watch_cache_history.go
import type { ReadonlyOrderedMap } from '../ordered-map.ts';
import type { Change } from './state.ts';
import type { CacheEntry } from './types.ts';

/** The window wants to hold this much time: a bit more than the minute between two bookmarks, so that the last one stays inside. */
const freshMilliseconds = 75_000;
const largest = 100 * 1024;
const smallest = 1;
const defaultSize = 100;
/**
 * The window holds no more than this of values, unless as few changes as it may hold are more: 100,000 of large objects would be all the memory there is. Changes
 * before it are read from the storage again for a watch that asks for them.
 */
const mostBytes = 64 << 20;
/** Encodings are kept beside this many of the newest events, for watchers that are a little late. */
const encoded = 1_000;
/** States are kept at this many points of the window; one in between is the nearest before it plus the changes since. */
const checkpoints = 16;
/** ... but not closer to each other than this many changes */
const checkpointDistance = 16;

interface Slot<T extends CacheEntry> {
  readonly change: Change<T>;
  readonly time: number;
  readonly bytes: number;
}

/** The state before the change with this sequence number. */
interface Checkpoint<T extends CacheEntry> {
  readonly sequence: number;
  readonly state: ReadonlyOrderedMap<T>;
  /** made for a reader rather than at a regular distance */
  readonly asked: boolean;
}

/**
 * The window of recent changes. Slots have sequence numbers that survive the window's moving on: `#start` is the oldest one's.
 * `floor` is the revision up to which changes are forgotten, so that a watch may start at it.
 */
export class History<T extends CacheEntry> {
  readonly #smallest: number;
  readonly #bytesOf: (entry: T) => number;
  #capacity: number;
  #bytes = 0;
  /** what it may hold now: more where older changes were put before it */
  #room = mostBytes;
  #slots: Slot<T>[] = [];
  /** index in #slots of the oldest slot; evicted ones before it are cut off now and then */
  #head = 0;
  #start = 0;
  #floor = 0;
  #checkpoints: Checkpoint<T>[] = [];

  constructor(size: number = defaultSize, bytesOf: (entry: T) => number = () => 0) {
    this.#bytesOf = bytesOf;
    this.#smallest = Math.min(Math.max(size, smallest), largest);
    this.#capacity = this.#smallest;
  }

  get floor(): number {
    return this.#floor;
  }

  get length(): number {
    return this.#slots.length - this.#head;
  }

  /** Bytes of values that may be put before it: with what it holds, twice as much as it holds by itself. */
  get roomBefore(): number {
    return 2 * mostBytes - this.#bytes;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Forgets everything; `state` is the one at `revision`. */
  reset(revision: number, state: ReadonlyOrderedMap<T>): void {
    this.#start += this.length;
    this.#slots = [];
    this.#bytes = 0;
    this.#head = 0;
    this.#floor = revision;
    this.#checkpoints = [{ sequence: this.#start, state, asked: false }];
  }

  /** Takes up a change that was just applied; `snapshot` gives the state after it. */
  record(change: Change<T>, time: number, snapshot: () => ReadonlyOrderedMap<T>): void {
    this.#take(change, time);
    const distance = Math.max(checkpointDistance, Math.ceil(this.#capacity / checkpoints));
    if (this.#end - (this.#checkpoints.at(-1)?.sequence ?? -Infinity) >= distance) {
      this.#checkpoints.push({ sequence: this.#end, state: snapshot(), asked: false });
    }
  }

  /** The same of many changes of one transaction; `snapshot` gives the state after all of them. */
  recordAll(changes: readonly Change<T>[], time: number, snapshot: () => ReadonlyOrderedMap<T>): void {
    this.#resize(time);
    const late = Math.max(this.#slots.length - encoded, this.#head);
    for (const change of changes) this.#slots.push(this.#slot(change, time));
    for (let at = late; at < this.#slots.length - encoded; at++) this.#slots[at]!.change.event?.retire();
    while (this.length > this.#capacity) if (!this.#grow(time)) this.#evict();
    this.#limitBytes(time);
    this.#checkpoints.push({ sequence: this.#end, state: snapshot(), asked: false });
  }

  /** whether there is something that `forget` may take */
  get isLong(): boolean {
    return this.length > this.#smallest;
  }

  /** Drops what was recorded before this time, down to the smallest window. */
  forget(before: number): void {
    while (this.isLong && this.#slots[this.#head]!.time < before) this.#evict();
  }

  /** Whether every change after the revision is here. */
  covers(revision: number): boolean {
    return revision >= this.#floor;
  }

  /** Up to `limit` changes after the revision, and as many more as it takes not to part changes of one revision. */
  changesAfter(revision: number, limit: number): Change<T>[] {
    const changes: Change<T>[] = [];
    for (let at = this.#indexAfter(revision); at < this.#slots.length; at++) {
      const { change } = this.#slots[at]!;
      if (changes.length >= limit && change.revision !== changes.at(-1)!.revision) break;
      changes.push(change);
    }
    return changes;
  }

  /** Puts older changes, which end at the floor, before the window. */
  prepend(changes: readonly Change<T>[], after: number, time: number): void {
    if (after >= this.#floor) return;
    const kept = this.#slots.slice(this.#head);
    this.#slots = changes.map((change) => this.#slot(change, time));
    for (const slot of kept) this.#slots.push(slot);
    this.#head = 0;
    this.#start -= changes.length;
    this.#floor = after;
    this.#capacity = Math.max(this.#capacity, this.length);
    this.#room = Math.max(this.#room, this.#bytes);
  }

  /** The state at a revision not newer than the newest change, or undefined when the window does not reach it. */
  stateAt(revision: number): ReadonlyOrderedMap<T> | undefined {
    if (!this.covers(revision)) return undefined;
    const sequence = this.#start + this.#indexAfter(revision) - this.#head;
    const nearest = this.#checkpoints.findLast((checkpoint) => checkpoint.sequence <= sequence);
    if (nearest === undefined) return undefined;
    if (nearest.sequence === sequence) return nearest.state;
    const state = nearest.state.snapshot();
    for (let at = nearest.sequence; at < sequence; at++) {
      const { key, entry } = this.#slots[at - this.#start + this.#head]!.change;
      if (entry === undefined) state.delete(key);
      else state.set(key, entry);
    }
    this.#keep(sequence, state);
    return state;
  }

  /** A client is going to ask for the newest state again, to read its next page. */
  keepNewest(state: ReadonlyOrderedMap<T>): void {
    if (this.#checkpoints.at(-1)?.sequence !== this.#end) this.#keep(this.#end, state);
  }

  get #end(): number {
    return this.#start + this.length;
  }

  #take(change: Change<T>, time: number): void {
    this.#resize(time);
    while (this.length >= this.#capacity) this.#evict();
    this.#slots.push(this.#slot(change, time));
    this.#slots[this.#slots.length - 1 - encoded]?.change.event?.retire();
    this.#limitBytes(time);
  }

  /** Its bytes count from now on. */
  #slot(change: Change<T>, time: number): Slot<T> {
    const held = change.entry ?? change.event?.object;
    const bytes = held === undefined ? 0 : this.#bytesOf(held);
    this.#bytes += bytes;
    return { change, time, bytes };
  }

  #limitBytes(now: number): void {
    if (this.#bytes <= mostBytes) return;
    // Those for whom older changes were read have had them by now.
    if (now - this.#slots[this.#head]!.time >= freshMilliseconds) this.#room = mostBytes;
    while (this.#bytes > this.#room && this.isLong) this.#evict();
  }

  #keep(sequence: number, state: ReadonlyOrderedMap<T>): void {
    const after = this.#checkpoints.findIndex((checkpoint) => checkpoint.sequence > sequence);
    this.#checkpoints.splice(after < 0 ? this.#checkpoints.length : after, 0, { sequence, state, asked: true });
    const asked = this.#checkpoints.filter((checkpoint) => checkpoint.asked);
    if (asked.length > checkpoints) this.#checkpoints.splice(this.#checkpoints.indexOf(asked[0]!), 1);
  }

  /** A full window doubles while its oldest event is fresh, and halves when even three quarters of it are stale. */
  #resize(now: number): void {
    if (this.length < this.#capacity || this.#grow(now)) return;
    const lastQuarter = this.#slots[this.#slots.length - Math.ceil(this.#capacity / 4)]!;
    if (now - lastQuarter.time > freshMilliseconds) this.#capacity = Math.max(this.#capacity >> 1, this.#smallest);
  }

  /** Doubles the window while its oldest event is fresh; false: it is not, or the window is as large as it may be. */
  #grow(now: number): boolean {
    if (this.#capacity >= largest || now - this.#slots[this.#head]!.time >= freshMilliseconds) return false;
    this.#capacity = Math.min(this.#capacity * 2, largest);
    return true;
  }

  #evict(): void {
    const { change, bytes } = this.#slots[this.#head]!;
    this.#floor = change.revision;
    this.#bytes -= bytes;
    this.#head++;
    this.#start++;
    if (this.#head >= checkpointDistance && this.#head * 4 > this.#slots.length) {
      this.#slots.splice(0, this.#head);
      this.#head = 0;
    }
    const stale = this.#checkpoints.findIndex((checkpoint) => checkpoint.sequence >= this.#start);
    if (stale !== 0) this.#checkpoints.splice(0, stale < 0 ? this.#checkpoints.length : stale);
  }

  /** Index in #slots of the first change after the revision. */
  #indexAfter(revision: number): number {
    let low = this.#head;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slots[middle]!.change.revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

import type { Clock } from '../../base/clock.ts';
import { OrderedMap } from '../ordered-map.ts';

export interface Deadline {
  readonly key: string;
  /** the deadline counts only while the key is still at this revision */
  readonly modRevision: number;
  /** milliseconds since the epoch */
  readonly at: number;
}

/** Longest sleep of a timer; setTimeout cannot take much more than three weeks. */
const longestMs = 86_400_000;
/** Keys handed over at once, so that many that expire together do not make one huge transaction. */
const atOnce = 500;

/** Calls `expire` with keys whose time is over. Deadlines of keys that changed since are handed over too: the receiver checks. */
export class Expiry implements Disposable {
  readonly #clock: Clock;
  readonly #expire: (deadlines: readonly Deadline[]) => void;
  #deadlines: OrderedMap<Deadline>;
  #timer: Disposable | undefined;
  #due = Infinity;

  constructor(clock: Clock, expire: (deadlines: readonly Deadline[]) => void, deadlines = new OrderedMap<Deadline>()) {
    this.#clock = clock;
    this.#expire = expire;
    this.#deadlines = deadlines;
    this.#arm();
  }

  add(deadline: Deadline): void {
    this.#deadlines.set(order(deadline), deadline);
    if (deadline.at < this.#due) this.#arm();
  }

  /** A copy for another store, in constant time. */
  snapshot(): OrderedMap<Deadline> {
    return this.#deadlines.snapshot();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#deadlines = new OrderedMap();
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    const next = this.#deadlines.range('', undefined, 1)[0];
    this.#due = next?.at ?? Infinity;
    if (next === undefined) return;
    const wait = Math.max(0, Math.min(next.at - this.#clock.now(), longestMs));
    this.#timer = this.#clock.setTimeout(() => this.#fire(), wait);
  }

  #fire(): void {
    const over = this.#deadlines.range('', undefined, atOnce).filter(({ at }) => at <= this.#clock.now());
    for (const deadline of over) this.#deadlines.delete(order(deadline));
    this.#arm();
    if (over.length > 0) this.#expire(over);
  }
}

/** Deadlines as those of a store are kept. */
export function orderedDeadlines(deadlines: Iterable<Deadline>): OrderedMap<Deadline> {
  const ordered = new OrderedMap<Deadline>();
  for (const deadline of deadlines) ordered.set(order(deadline), deadline);
  return ordered;
}

/** Sorts by time. */
function order({ at, key, modRevision }: Deadline): string {
  return `${Math.ceil(at).toString().padStart(16, '0')} ${modRevision} ${key}`;
}

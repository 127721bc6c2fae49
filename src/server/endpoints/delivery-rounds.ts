/** A client that events wait for. */
export interface Receiver {
  /** everything that waits is written */
  deliver(): void;
}

/** Receivers that are written to before requests have their turn. */
const atOnce = 64;
/** How long the rest after a round is for each receiver: some four times what it takes to write to it. Fewer than 25 are none at all, */
const restMsEach = 0.04;
/** and a rest is at most this long: beyond it events come later, and a write that has more of them costs little less. */
const maxRestMs = 3;
/** Fits a frame of HTTP/2 and a record of TLS. */
const pieceBytes = 16_000;

/** Rounds of each resource: those of one that thousands watch do not hold up those of another. */
export class Deliveries {
  readonly #rounds = new WeakMap<object, DeliveryRounds>();

  of(resource: object): DeliveryRounds {
    let rounds = this.#rounds.get(resource);
    if (rounds === undefined) this.#rounds.set(resource, (rounds = new DeliveryRounds()));
    return rounds;
  }
}

/**
 * Writes events to clients in rounds. To write to a socket costs the same for one event as for ten, and where hundreds watch what others write, a
 * write for every event and client is all that the server does. So a round is followed by a rest; what happens meanwhile goes out together
 * in the next one.
 */
export class DeliveryRounds {
  #waiting: Receiver[] = [];
  #isUnderWay = false;
  #joined: { readonly parts: readonly Buffer[]; readonly pieces: readonly Buffer[] } | undefined;

  /** `receiver` has something to deliver; it is called once in the next round. */
  add(receiver: Receiver): void {
    this.#waiting.push(receiver);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    process.nextTick(this.#begin);
  }

  readonly #begin = (): void => {
    const receivers = this.#waiting;
    this.#waiting = [];
    this.#deliver(receivers, 0);
  };

  #deliver(receivers: readonly Receiver[], from: number): void {
    const to = Math.min(from + atOnce, receivers.length);
    let next = from;
    try {
      while (next < to) receivers[next++]?.deliver();
    } finally {
      // One that fails does not concern the others.
      if (next < receivers.length) setImmediate(() => this.#deliver(receivers, next));
      else this.#rest(Math.min(Math.floor(receivers.length * restMsEach), maxRestMs));
    }
  }

  #rest(ms: number): void {
    this.#joined = undefined;
    if (ms > 0) setTimeout(this.#end, ms);
    else this.#end();
  }

  readonly #end = (): void => {
    if (this.#waiting.length > 0) this.#begin();
    else this.#isUnderWay = false;
  };

  /** What `parts` are together, in pieces. Clients that watch the same are given the same, so that each is made once. */
  join(parts: readonly Buffer[]): readonly Buffer[] {
    if (parts.length === 1) return parts;
    const last = this.#joined;
    if (last !== undefined && areSame(last.parts, parts)) return last.pieces;
    const pieces = joined(parts);
    this.#joined = { parts, pieces };
    return pieces;
  }
}

function joined(parts: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  let length = 0;
  for (const [at, part] of parts.entries()) {
    if (length > 0 && length + part.length > pieceBytes) {
      pieces.push(Buffer.concat(parts.slice(from, at), length));
      from = at;
      length = 0;
    }
    length += part.length;
  }
  pieces.push(Buffer.concat(parts.slice(from), length));
  return pieces;
}

function areSame(one: readonly Buffer[], other: readonly Buffer[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

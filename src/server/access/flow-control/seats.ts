/** share of a level's seats that requests of several seats may have together: a get finds one free, however many lists there are */
const wideShare = 0.75;
/** share of a level's seats that stays for requests of one seat, however late the event loop is: they are short */
const leastNarrowShare = 0.5;

/** What matters here of a request: what it takes while it is served, and what it occupies, which is more where it wakes watches. */
export interface SeatTaker {
  readonly initialSeats: number;
  readonly seats: number;
}

/** Lists of many objects: they hold their seats for many turns of the event loop, where others end in the one in which they began. */
export function isWide({ initialSeats }: SeatTaker): boolean {
  return initialSeats > 1;
}

/** The seats of a priority level: how many there are, how many are in use, and which request may have one. */
export class Seats {
  limit: number;
  /** 1, or less while the event loop is late: then that much of the seats is handed out */
  share = 1;
  inUse = 0;
  #takers = 0;
  #wideInUse = 0;
  #wideTakers = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  take(taker: SeatTaker): void {
    this.inUse += taker.seats;
    this.#takers++;
    if (!isWide(taker)) return;
    this.#wideInUse += taker.seats;
    this.#wideTakers++;
  }

  giveBack(taker: SeatTaker): void {
    this.inUse -= taker.seats;
    this.#takers--;
    if (!isWide(taker)) return;
    this.#wideInUse -= taker.seats;
    this.#wideTakers--;
  }

  /** As upstream has it. What wants more seats than there are is served alone. */
  hasRoomFor({ seats }: SeatTaker): boolean {
    return seats > this.limit ? this.#takers === 0 : this.inUse + seats <= this.limit;
  }

  /**
   * Whether it may be the next of those that wait. One wide request is served in any case, and however late the event loop is a second one: while
   * the one waits for its reader, the other is worked on.
   */
  mayBeNext(taker: SeatTaker): boolean {
    if (!this.hasRoomFor(taker)) return false;
    if (!isWide(taker)) return this.share === 1 || this.inUse - this.#wideInUse + taker.seats <= this.#narrowMost;
    const most = this.#wideTakers === 1 ? this.#wideMostInTime : this.#wideMost;
    return this.#wideTakers === 0 || this.#wideInUse + taker.seats <= most;
  }

  /** Whether a request may go before a wide one that has to wait: what that one waits for stays free. */
  mayPass(taker: SeatTaker, wide: SeatTaker): boolean {
    const reserved = Math.max(0, Math.max(this.#wideMost, wide.seats) - this.#wideInUse);
    return this.mayBeNext(taker) && this.inUse + taker.seats + reserved <= this.limit;
  }

  get #wideMost(): number {
    return Math.floor(this.limit * wideShare * this.share);
  }

  get #wideMostInTime(): number {
    return Math.floor(this.limit * wideShare);
  }

  get #narrowMost(): number {
    return Math.ceil(this.limit * Math.max(this.share, leastNarrowShare));
  }
}

/** Something that a client may do so often at once, and so often each second from then on. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(burst: number, perSecond: number, now = performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = now;
  }

  /** False: that was too much. */
  take(count: number, now = performance.now()): boolean {
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - count;
    this.#at = now;
    return this.#left >= 0;
  }
}

/** A client that reads acknowledges that in a few bytes, and one that does nothing may look whether we live. */
const writtenPerRead = 8;
const readPerMillisecond = 20;

/** Bytes of a connection that were for no request: there is no other trace of most of the frames that a client may flood us with. */
export class IdleBytes {
  #count = 0;
  #read = 0;
  #written = 0;
  #at = performance.now();

  /** How many there are. */
  count(read: number, written: number, now: number): number {
    const due = (written - this.#written) / writtenPerRead + (now - this.#at) * readPerMillisecond;
    this.#count = Math.max(0, this.#count + (read - this.#read) - due);
    this.#read = read;
    this.#written = written;
    this.#at = now;
    return this.#count;
  }

  /** What came until now was for a request, perhaps. */
  forgive(read: number): void {
    this.#count = 0;
    this.#read = read;
  }
}

interface Piece {
  readonly bytes: Buffer;
  readonly flushed: (() => void) | undefined;
}

/** What a stream has to send and may not send yet. */
export class SendQueue {
  #pieces: Piece[] = [];
  #first = 0;
  /** what was taken of the first piece */
  #taken = 0;
  #length = 0;
  /** of pieces that were taken as a whole */
  #flushed: (() => void)[] = [];

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer, flushed: (() => void) | undefined): void {
    this.#pieces.push({ bytes, flushed });
    this.#length += bytes.length;
  }

  /** Copies the next bytes; there are at least so many. Who is to hear of that hears it in `release`. */
  take(count: number, target: Buffer, at: number): void {
    let next = at;
    this.#length -= count;
    for (let left = count; left > 0;) {
      const { bytes, flushed } = this.#pieces[this.#first] as Piece;
      const part = Math.min(left, bytes.length - this.#taken);
      bytes.copy(target, next, this.#taken, this.#taken + part);
      next += part;
      left -= part;
      this.#taken += part;
      if (this.#taken < bytes.length) return;
      this.#taken = 0;
      this.#first++;
      if (flushed !== undefined) this.#flushed.push(flushed);
    }
    if (this.#first === this.#pieces.length) {
      this.#pieces.length = this.#first = 0;
      return;
    }
    if (this.#first < 256 || this.#first * 2 < this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }

  release(): void {
    if (this.#flushed.length === 0) return;
    const flushed = this.#flushed;
    this.#flushed = [];
    for (const call of flushed) call();
  }

  /** None of it will be sent. */
  clear(): void {
    const pieces = this.#pieces;
    const first = this.#first;
    this.#pieces = [];
    this.#first = this.#taken = this.#length = 0;
    for (let at = first; at < pieces.length; at++) {
      const flushed = pieces[at]?.flushed;
      if (flushed !== undefined) this.#flushed.push(flushed);
    }
    this.release();
  }
}

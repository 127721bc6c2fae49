const nothing = Buffer.alloc(0);
const firstSize = 4 << 10;

/** Bytes that were received and not read yet. Those that come in many pieces are copied together: a client may send thousands of one byte. */
export class BodyBuffer {
  #bytes: Buffer = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    if (this.#length === 0) {
      this.#bytes = piece;
      this.#length = piece.length;
      return;
    }
    const length = this.#length + piece.length;
    // The first piece lies in what was read from the connection, and has no room behind it.
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length, firstSize));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** All of them; none are left. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#bytes = nothing;
    this.#length = 0;
    return bytes;
  }
}

// Upstream: golang.org/x/net/http2/flow.go#inflow

/** What the peer may send before its window grows. */
export class ReceiveWindow {
  #available: number;
  #unsent = 0;
  readonly #leastUpdate: number;

  constructor(size: number) {
    this.#available = size;
    // What is less is given back together with what follows: a small request is no reason to send a frame, and to wake the client for it.
    this.#leastUpdate = size >> 2;
  }

  /** False: the peer had no leave to send so much. */
  take(bytes: number): boolean {
    if (bytes > this.#available) return false;
    this.#available -= bytes;
    return true;
  }

  /** So much was read. Returns by how much the peer's window is to grow now; 0: it has enough. */
  give(bytes: number): number {
    this.#unsent += bytes;
    if (this.#unsent < this.#leastUpdate && this.#unsent < this.#available) return 0;
    const increment = this.#unsent;
    this.#available += increment;
    this.#unsent = 0;
    return increment;
  }
}

/** Buffers for what is sent, shared by all connections: allocating them anew for large responses made garbage collection the largest part of it. */
export class OutputPool {
  readonly size: number;
  /** what is not larger is allocated */
  readonly least: number;
  readonly #keep: number;
  readonly #free: Buffer[] = [];

  constructor(size = 72 << 10, least = 8 << 10, keep = 32) {
    this.size = size;
    this.least = least;
    this.#keep = keep;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.size);
  }

  give(buffer: Buffer): void {
    if (this.#free.length < this.#keep) this.#free.push(buffer);
  }
}

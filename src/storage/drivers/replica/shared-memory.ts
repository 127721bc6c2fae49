/** A number that all threads see: only ever larger. */
export class SharedCounter {
  readonly memory: SharedArrayBuffer;
  readonly #cell: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cell = new BigInt64Array(memory);
  }

  get value(): number {
    return Number(Atomics.load(this.#cell, 0));
  }

  set value(value: number) {
    Atomics.store(this.#cell, 0, BigInt(value));
  }
}

const ringBytes = 1 << 20;

/**
 * Bytes on their way to other threads: written once for all of them, and garbage of none. A place is counted from the first byte ever; bytes
 * that belong together are side by side. Each reader has a counter, which is at the end of what it has read.
 */
export class SharedRing {
  readonly memory = new SharedArrayBuffer(ringBytes);
  readonly #bytes = new Uint8Array(this.memory);
  readonly #readers = new Set<SharedCounter>();
  #end = 0;

  /** `reader`: gets all that is written from now on */
  add(reader: SharedCounter): void {
    reader.value = this.#end;
    this.#readers.add(reader);
  }

  delete(reader: SharedCounter): void {
    this.#readers.delete(reader);
  }

  /** The place of the bytes; undefined: there is no room, or one that does not read has as much before it as there is. */
  write(values: readonly Uint8Array[], length: number): number | undefined {
    const rest = ringBytes - (this.#end % ringBytes);
    const start = rest < length ? this.#end + rest : this.#end;
    const end = start + length;
    for (const { value: read } of this.#readers) if (end - read > ringBytes) return undefined;
    let offset = start % ringBytes;
    for (const value of values) {
      this.#bytes.set(value, offset);
      offset += value.length;
    }
    this.#end = end;
    return start;
  }
}

/** Where in the memory of a ring a place is. */
export function ringOffset(place: number): number {
  return place % ringBytes;
}

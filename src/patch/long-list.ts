const chunkSize = 512;

/** A list that takes and gives items anywhere without moving all that come after: they are kept in chunks. */
export class LongList {
  readonly #chunks: unknown[][] = [];
  #length: number;

  constructor(items: readonly unknown[]) {
    this.#length = items.length;
    for (let at = 0; at < items.length; at += chunkSize) this.#chunks.push(items.slice(at, at + chunkSize));
    if (this.#chunks.length === 0) this.#chunks.push([]);
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): unknown {
    const [chunk, offset] = this.#find(index);
    return chunk[offset];
  }

  set(index: number, item: unknown): void {
    const [chunk, offset] = this.#find(index);
    chunk[offset] = item;
  }

  insert(index: number, item: unknown): void {
    const [chunk, offset, number] = this.#find(index);
    chunk.splice(offset, 0, item);
    this.#length++;
    if (chunk.length >= 2 * chunkSize) this.#chunks.splice(number + 1, 0, chunk.splice(chunkSize));
  }

  remove(index: number): void {
    const [chunk, offset, number] = this.#find(index);
    chunk.splice(offset, 1);
    this.#length--;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(number, 1);
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The chunk that an index is in, or that an item put at the end goes to. */
  #find(index: number): [chunk: unknown[], offset: number, number: number] {
    let offset = index;
    let number = 0;
    while (offset >= this.#chunks[number]!.length && number < this.#chunks.length - 1) offset -= this.#chunks[number++]!.length;
    return [this.#chunks[number]!, offset, number];
  }
}

// RFC 7541, sections 2.3.2 and 4.
import type { HeaderField } from './header-field.ts';

/** The fields that both sides remember, the latest first; those that have no room are forgotten, the oldest first. */
export class HeaderTable {
  /** the oldest that is not forgotten at `#first`; what is before it is cut off from time to time */
  #fields: HeaderField[] = [];
  #first = 0;
  #size = 0;
  #maxSize: number;
  readonly #forgotten: ((field: HeaderField) => void) | undefined;

  /** `forgotten` is called for each field that has no room any more */
  constructor(maxSize: number, forgotten?: (field: HeaderField) => void) {
    this.#maxSize = maxSize;
    this.#forgotten = forgotten;
  }

  get length(): number {
    return this.#fields.length - this.#first;
  }

  get size(): number {
    return this.#size;
  }

  get maxSize(): number {
    return this.#maxSize;
  }

  resize(maxSize: number): void {
    this.#maxSize = maxSize;
    this.#shrink(maxSize);
  }

  /** 0 is the latest. */
  at(index: number): HeaderField | undefined {
    const place = this.#fields.length - 1 - index;
    return place < this.#first ? undefined : this.#fields[place];
  }

  /** False: it is larger than the table, which is empty now. */
  add(field: HeaderField): boolean {
    const { size } = field;
    this.#shrink(this.#maxSize - size);
    if (size > this.#maxSize) return false;
    this.#fields.push(field);
    this.#size += size;
    return true;
  }

  #shrink(maxSize: number): void {
    while (this.#size > maxSize && this.#first < this.#fields.length) {
      const field = this.#fields[this.#first++] as HeaderField;
      this.#size -= field.size;
      this.#forgotten?.(field);
    }
    if (this.#first > 64 && this.#first * 2 > this.#fields.length) {
      this.#fields = this.#fields.slice(this.#first);
      this.#first = 0;
    }
  }
}

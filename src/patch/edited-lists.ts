import { LongList } from './long-list.ts';

/** Shorter lists are changed in place. */
const longLength = 1000;

/**
 * The lists of a document while a patch changes them. Long ones are kept in chunks from the first item that is put into or taken out of
 * their middle, so that thousands of operations do not each move hundreds of thousands of items; `settle` makes plain lists of them again.
 */
export class EditedLists {
  readonly #long = new Map<unknown[], LongList>();

  length(list: unknown[]): number {
    return this.#long.get(list)?.length ?? list.length;
  }

  at(list: unknown[], index: number): unknown {
    const long = this.#long.get(list);
    return long === undefined ? list[index] : long.at(index);
  }

  set(list: unknown[], index: number, item: unknown): void {
    const long = this.#long.get(list);
    if (long === undefined) list[index] = item;
    else long.set(index, item);
  }

  insert(list: unknown[], index: number, item: unknown): void {
    const long = this.#longFor(list, index);
    if (long === undefined) list.splice(index, 0, item);
    else long.insert(index, item);
  }

  remove(list: unknown[], index: number): void {
    const long = this.#longFor(list, index);
    if (long === undefined) list.splice(index, 1);
    else long.remove(index);
  }

  /** Before a value is read as a whole. */
  settle(value: unknown): void {
    if (this.#long.size === 0 || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.#settleList(value);
    for (const item of Object.values(value)) this.settle(item);
  }

  settleAll(): void {
    for (const list of [...this.#long.keys()]) this.#settleList(list);
  }

  #longFor(list: unknown[], index: number): LongList | undefined {
    const known = this.#long.get(list);
    if (known !== undefined || list.length < longLength || list.length - index < longLength) return known;
    const long = new LongList(list);
    this.#long.set(list, long);
    return long;
  }

  #settleList(list: unknown[]): void {
    const long = this.#long.get(list);
    if (long === undefined) return;
    this.#long.delete(list);
    let at = 0;
    for (const item of long) list[at++] = item;
    list.length = at;
  }
}

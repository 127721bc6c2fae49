/**
 * Puts the items of lists at the end of another. `list.push(...items)` passes each item as an argument, and beyond some hundred thousand,
 * which a request body has room for, the call stack overflows.
 */
export function append<T>(list: T[], ...more: readonly Iterable<T>[]): void {
  for (const items of more) {
    // Most are lists without an item, of which iterators take longer to tell.
    if (Array.isArray(items) && items.length === 0) continue;
    for (const item of items) list.push(item);
  }
}

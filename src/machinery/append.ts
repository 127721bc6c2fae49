/**
 * Puts the items of lists at the end of another. `list.push(...items)` passes each item as an argument, and beyond some hundred thousand,
 * which a request body has room for, the call stack overflows.
 */
export function append<T>(list: T[], items: Iterable<T>, second?: Iterable<T>, third?: Iterable<T>): void {
  add(list, items);
  if (second !== undefined) add(list, second);
  if (third !== undefined) add(list, third);
}

function add<T>(list: T[], items: Iterable<T>): void {
  // Most are lists without an item, of which iterators take longer to tell.
  if (Array.isArray(items) && items.length === 0) return;
  for (const item of items) list.push(item);
}

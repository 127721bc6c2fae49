/**
 * Puts the items of lists at the end of another. `list.push(...items)` passes each item as an argument, and beyond some hundred thousand,
 * which a request body has room for, the call stack overflows.
 */
export function append<T>(list: T[], ...more: readonly Iterable<T>[]): void {
  for (const items of more) for (const item of items) list.push(item);
}

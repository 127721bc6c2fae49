// Upstream: k8s.io/apimachinery/pkg/util/strategicpatch/patch.go#normalizeElementOrder
// And what it uses.
import { isObject } from '../json/json-object.ts';
import { badArgument, badSetElementOrder, noMergeKey } from './errors.ts';
import { goPlain } from '../apply/go-value.ts';

export const directiveKey = '$patch';
export const setElementOrder = '$setElementOrder';

/** The value that identifies an item: its merge key, or itself in a list of primitives. */
export function identityOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return item;
  return isObject(item) ? (item[mergeKey] ?? null) : null;
}

/** Items that the patch orders, and those that only the server knows. */
export function partition(items: readonly unknown[], by: readonly unknown[], mergeKey: string): [patch: unknown[], server: unknown[]] {
  if (mergeKey !== '') {
    for (const item of items) requireKey(item, mergeKey);
    const wrong = by.findIndex((item) => !isObject(item));
    if (wrong >= 0 && items.length > 0) throw new Error(`value for key ${wrong} is not a map`);
  }
  const known = new Set(by.map((item) => identityOf(item, mergeKey)));
  const patch: unknown[] = [];
  const server: unknown[] = [];
  for (const item of items) (known.has(identityOf(item, mergeKey)) ? patch : server).push(item);
  return [patch, server];
}

function requireKey(item: unknown, mergeKey: string): void {
  if (!isObject(item)) throw badArgument('map[string]interface {}', item);
  if (item[mergeKey] === undefined) throw noMergeKey(item, mergeKey);
}

export interface ListOrder {
  readonly patch: readonly unknown[];
  readonly server: readonly unknown[];
}

export interface ListKind {
  /** the items are maps, which all need the merge key */
  readonly maps: boolean;
  readonly mergeKey: string;
}

/** Both lists in their own order, woven together so that items that the server knows keep their order as far as that goes. */
export function inOrder(items: ListOrder, order: ListOrder, { maps, mergeKey }: ListKind): unknown[] {
  if (maps) for (const item of [...items.patch, ...order.patch, ...items.server, ...order.server]) requireKey(item, mergeKey);
  const right = sortBy(items.patch, order.patch, mergeKey);
  const left = sortBy(items.server, order.server, mergeKey);
  const places = placesIn(order.server, mergeKey);
  const out: unknown[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = places.get(identityOf(left[i], mergeKey));
    const b = places.get(identityOf(right[j], mergeKey));
    const takeLeft = j >= right.length || (i < left.length && a !== undefined && b !== undefined && a < b);
    out.push(takeLeft ? left[i++] : right[j++]);
  }
  return out;
}

function placesIn(order: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [index, item] of order.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!places.has(identity)) places.set(identity, index);
  }
  return places;
}

/** Sorted by an order; what is to be deleted comes last. */
function sortBy(items: readonly unknown[], order: readonly unknown[], mergeKey: string): unknown[] {
  let sorted = [...items];
  let deleted: unknown[] = [];
  if (mergeKey !== '') {
    deleted = sorted.filter(isDeletion);
    if (deleted.length > 0) sorted = sorted.filter((item) => !isDeletion(item));
  }
  const places = placesIn(order, mergeKey);
  sorted.sort((a, b) => (places.get(identityOf(a, mergeKey)) ?? 0) - (places.get(identityOf(b, mergeKey)) ?? 0));
  return [...sorted, ...deleted];
}

export function isDeletion(item: unknown): boolean {
  return isObject(item) && item[directiveKey] === 'delete';
}

/**
 * Kept quirk: the order that the server had is read after the merge went over the very same list. There, what follows a deleted item
 * has moved up, and new items stand in the places that became free.
 */
export function orderAfterMerge(live: readonly unknown[], patch: readonly unknown[], mergeKey: string): unknown[] {
  const places = new Places();
  for (const [index, slot] of live.entries()) places.add(identityOf(slot, mergeKey), index);
  const gone = new Set<number>();
  const freed: unknown[] = [];
  let last = live.length - 1;
  for (const item of patch.filter(isDeletion)) {
    const key = identityOf(item, mergeKey);
    for (let index = places.take(key); index !== undefined; index = places.take(key)) {
      // what stood last still stands in the place that became free
      freed.push(live[last]);
      gone.add(index);
      while (gone.has(last)) last--;
    }
  }
  const left = live.filter((_, index) => !gone.has(index));
  const slots = [...left, ...freed.reverse()];
  if (patch.some((item) => isObject(item) && item[directiveKey] === 'replace')) return slots;
  const known = new Set(left.map((slot) => identityOf(slot, mergeKey)));
  let length = left.length;
  for (const item of patch) {
    const identity = identityOf(item, mergeKey);
    if ((isObject(item) && item[directiveKey] !== undefined) || known.has(identity)) continue;
    if (length >= live.length) break;
    slots[length++] = item;
    known.add(identity);
  }
  return slots;
}

/** Where in a list the items of each identity stand, first ones first. */
export class Places {
  readonly #places = new Map<unknown, { at: number[]; next: number }>();

  add(identity: unknown, index: number): void {
    const known = this.#places.get(identity);
    if (known === undefined) this.#places.set(identity, { at: [index], next: 0 });
    else known.at.push(index);
  }

  first(identity: unknown): number | undefined {
    const known = this.#places.get(identity);
    return known?.at[known.next];
  }

  take(identity: unknown): number | undefined {
    const known = this.#places.get(identity);
    return known?.at[known.next++];
  }

  /** The first item of an identity now has another. */
  move(from: unknown, to: unknown, index: number): void {
    this.take(from);
    const known = this.#places.get(to);
    if (known === undefined || known.next >= known.at.length) this.#places.set(to, { at: [index], next: 0 });
    else if (index < known.at[known.next]!) known.at.splice(known.next, 0, index);
    else known.at.push(index);
  }
}

/** A $setElementOrder list has to name every item of the patch, in the patch's order. */
export function checkSetElementOrder(patch: readonly unknown[], order: unknown, mergeKey: string): void {
  if (!Array.isArray(order)) throw badSetElementOrder();
  if (order.length === 0 || patch.length === 0) return;
  if (mergeKey !== '') for (const item of patch) if (!isObject(item)) throw badArgument('map[string]interface {}', item);
  const items = mergeKey === '' ? patch : patch.filter((item) => !isDeletion(item));
  let next = 0;
  let place = 0;
  while (next < items.length && place < order.length) {
    const item = items[next];
    if (isObject(item) && item[directiveKey] !== undefined) {
      next++;
      continue;
    }
    if (mergeKey !== '') {
      requireKey(item, mergeKey);
      requireKey(order[place], mergeKey);
    }
    if (identityOf(item, mergeKey) === identityOf(order[place], mergeKey)) next++;
    place++;
  }
  if (next < items.length && place >= order.length) {
    throw new Error(`The order in patch list:\n${goPlain(patch)}\n doesn't match ${setElementOrder} list:\n${goPlain(order)}\n`);
  }
}

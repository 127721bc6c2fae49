// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/helpers.go
import { goQuoteList } from '../../machinery/go-format.ts';
import { isObject } from '../json/json-object.ts';
import { compareElements, compareStrings, compareValues, valueText } from './path-element.ts';
import type { ListShape } from './shape.ts';

/** An element of a list that has no path, because its keys are missing or it is not what the list holds. */
export class ElementError extends Error {
  override readonly name = 'ElementError';
}

/**
 * Longer lists are owned as a whole, as if they were atomic. Upstream owns each item, for which it takes longer than a request may; no client
 * shares lists like these.
 */
export const mostOwnedItems = 50_000;

/** The path element of an item in a set or a list-map. */
export function itemElement(list: ListShape, item: unknown): string {
  return list.sortedKeys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListShape, item: unknown): string {
  if (item === null || item === undefined) throw new ElementError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ElementError('associative list with keys may not have non-map elements');
  let text = '';
  for (const key of list.sortedKeys) {
    const { [key.name]: value = key.default } = item;
    if (value === undefined) continue;
    text = text === '' ? `k:{${key.prefix}${valueText(value)}` : `${text},${key.prefix}${valueText(value)}`;
  }
  if (text !== '') return `${text}}`;
  throw new ElementError(
    `associative list with keys has an element that omits all key fields ${goQuoteList(list.keys)} (and doesn't have default values for any key fields)`,
  );
}

function setElement(item: unknown): string {
  if (Array.isArray(item)) throw new ElementError('not supported: associative list with lists as elements');
  if (item === null || item === undefined) {
    throw new ElementError("associative list without keys has an element that's an explicit null");
  }
  if (typeof item === 'object') throw new ElementError("associative list without keys has an element that's a map type");
  return `v:${valueText(item)}`;
}

const maybeUnordered = /[\ud800-\uffff]/;

/** Names of a map in the order of their path elements. */
export function sortNames(names: string[]): string[] {
  if (names.length < 2) return names;
  return names.some((name) => maybeUnordered.test(name)) ? names.sort(compareStrings) : names.sort();
}

/** Orders items that have different path elements, without reading those back. */
export function compareListItems(list: ListShape, left: unknown, right: unknown): number {
  if (list.sortedKeys.length === 0) return compareValues(left, right);
  // Such items have no element; asking for one throws.
  if (!isObject(left) || !isObject(right)) return 0;
  for (const { name, default: standIn } of list.sortedKeys) {
    const { [name]: a = standIn } = left;
    const { [name]: b = standIn } = right;
    if (a === b) continue;
    // Where a key is missing the next one takes its place, and then names come before values.
    if (a === undefined || b === undefined) return compareElements(itemElement(list, left), itemElement(list, right));
    const order = compareValues(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

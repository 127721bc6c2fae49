// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/tofieldset.go, sigs.k8s.io/structured-merge-diff/v6/fieldpath/set.go#EnsureNamedFieldsAreMembers
import { isBlank, isObject } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { leaf, hasChildren, isMember } from './field-set.ts';
import type { FieldSet, MutableFieldSet } from './field-set.ts';
import { mostOwnedItems, compareListItems, itemElement, sortNames } from './list-element.ts';
import { fieldShape } from './shape.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/**
 * The fields that a configuration states: its leaves, the items of its lists and the keys of its maps. Structs, maps and lists that hold
 * something are not stated by themselves, nor is (a quirk kept) an empty list that is not atomic.
 */
export function fieldSetOf(shape: Shape, value: unknown): FieldSet {
  return nodeOf(shape, value, false) ?? leaf;
}

/** `self` says that the element is in the set whatever it holds. */
function nodeOf(shape: Shape, value: unknown, self: boolean): FieldSet | undefined {
  if (Array.isArray(value) && shape.list !== undefined) return shape.list.atomic ? leaf : itemsOf(shape.list, value, self);
  if (isObject(value) && shape.map !== undefined) return shape.map.atomic ? leaf : entriesOf(shape.map, value, self);
  if (value !== null) return leaf;
  const atomic = shape.map?.atomic ?? (shape.scalar !== undefined || shape.list?.atomic);
  return atomic === true || self ? leaf : undefined;
}

function entriesOf(map: MapShape, object: JsonObject, self: boolean): FieldSet | undefined {
  const set: MutableFieldSet = self ? { '.': leaf } : {};
  let found = false;
  for (const name of sortNames(Object.keys(object))) {
    const value = object[name];
    const stated = value === null || (isObject(value) && isBlank(value)) || map.fields?.has(name) !== true;
    const node = nodeOf(fieldShape(map, name)!, value, stated);
    if (node === undefined) continue;
    set[`f:${name}`] = node;
    found = true;
  }
  return found ? set : self ? leaf : undefined;
}

function itemsOf(list: ListShape, items: readonly unknown[], self: boolean): FieldSet | undefined {
  if (items.length === 0) return self ? leaf : undefined;
  if (items.length > mostOwnedItems) return leaf;
  const set: MutableFieldSet = self ? { '.': leaf } : {};
  let last: string | undefined;
  for (const item of items.toSorted((a, b) => compareListItems(list, a, b))) {
    const element = itemElement(list, item);
    set[element] = element === last ? leaf : nodeOf(list.element, item, true)!;
    last = element;
  }
  return set;
}

/** The set with every declared field that leads to something in it. */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  return namedBelow(shape, set, false);
}

function namedBelow(shape: Shape | undefined, node: FieldSet, self: boolean): FieldSet {
  const out: MutableFieldSet = self ? { '.': leaf } : {};
  for (const element in node) {
    if (element === '.') continue;
    const child = node[element]!;
    out[element] = hasChildren(child)
      ? namedBelow(shapeBelow(shape, element), child, isMember(child) || isDeclared(shape, element))
      : child;
  }
  return out;
}

function isDeclared(shape: Shape | undefined, element: string): boolean {
  return shape?.map?.byElement.has(element) === true;
}

function shapeBelow(shape: Shape | undefined, element: string): Shape | undefined {
  if (element.startsWith('f:')) return shape?.map?.byElement.get(element) ?? shape?.map?.element;
  return element.startsWith('k:') ? shape?.list?.element : undefined;
}

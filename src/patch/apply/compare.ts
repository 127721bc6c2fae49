// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/compare.go
import type { Steps } from '../../base/steps.ts';
import { equalValues } from './equal.ts';
import { leaf, hasChildren } from './field-set.ts';
import type { FieldSet, MutableFieldSet } from './field-set.ts';
import { isBlank, isObject, own } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { mostOwnedItems, compareListItems, itemElement, sortNames } from './list-element.ts';
import { fieldShape } from './shape.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/** What a write did: `changed` holds the fields that are new or have another value, `removed` those that are gone. */
export interface Comparison {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

const same: Comparison = { changed: leaf, removed: leaf };

/** Compares two objects in one walk over their shape. Throws ElementError where a list item has no path. */
export function compareObjects(shape: Shape, before: JsonObject, after: JsonObject): Comparison {
  const found = compareBoth(shape, before, after);
  return found === undefined ? same : { changed: found.changed ?? leaf, removed: found.removed ?? leaf };
}

/** The same of large objects, in steps: maps and structs that both have are compared one after the other, inner ones first. */
export function* comparingObjects(shape: Shape, before: JsonObject, after: JsonObject): Steps<Comparison> {
  const found = yield* comparingBoth(shape, before, after);
  return found === undefined ? same : { changed: found.changed ?? leaf, removed: found.removed ?? leaf };
}

/** What inner maps differ in, by name. */
type InnerDifferences = ReadonlyMap<string, Difference | undefined>;

function* comparingBoth(shape: Shape, before: unknown, after: unknown): Steps<Difference | undefined> {
  const { map } = shape;
  if (before === after || map === undefined || map.atomic || !isObject(before) || !isObject(after))
    return compareBoth(shape, before, after);
  const inner = new Map<string, Difference | undefined>();
  for (const name in after) {
    const [was, is] = [own(before, name), after[name]];
    if (!isObject(is)) continue;
    const innerShape = fieldShape(map, name);
    if (innerShape === undefined) continue;
    if (isObject(was)) inner.set(name, yield* comparingBoth(innerShape, was, is));
    else if (was === undefined) inner.set(name, { changed: yield* subtree(innerShape, is), removed: undefined });
  }
  yield;
  return compareMaps(map, before, after, inner);
}

/** As `subtreeOf`, in steps. */
function* subtree(shape: Shape, value: unknown): Steps<FieldSet> {
  const { map } = shape;
  if (!isObject(value) || map === undefined || map.atomic) return subtreeOf(shape, value);
  const inner = new Map<string, FieldSet>();
  for (const name in value) {
    const innerShape = isObject(value[name]) ? fieldShape(map, name) : undefined;
    if (innerShape !== undefined) inner.set(name, yield* subtree(innerShape, value[name]));
  }
  yield;
  return subtreeOf(shape, value, inner);
}

/** Nodes of a subtree: a missing one means that nothing below is in that set. */
interface Difference {
  changed: FieldSet | undefined;
  removed: FieldSet | undefined;
}

const modified: Readonly<Difference> = { changed: leaf, removed: undefined };

function compareBoth(shape: Shape, before: unknown, after: unknown): Difference | undefined {
  if (before === after) return undefined;
  const map = shape.map;
  if (map !== undefined && (isObject(before) || isObject(after))) {
    const single = shape.scalar === undefined || (isObject(before) && isObject(after));
    const found = compareMaps(map, before, after);
    return single ? found : combine(found, compareOther(shape, before, after));
  }
  const list = shape.list;
  if (list !== undefined && Array.isArray(before) !== Array.isArray(after) && shape.scalar !== undefined) {
    return equalValues(before, after) ? undefined : modified;
  }
  if (list !== undefined && (Array.isArray(before) || Array.isArray(after))) return compareLists(list, before, after);
  return equalValues(before, after) ? undefined : modified;
}

/** The side that is not a map, where a value of undeclared type turned from or into one. */
function compareOther(shape: Shape, before: unknown, after: unknown): Difference | undefined {
  const other = isObject(before) ? after : before;
  // Null takes the form of the other side: the map has been compared with nothing already.
  if (other === null || other === undefined) return undefined;
  return equalValues(before, after) || (Array.isArray(other) && shape.list === undefined) ? undefined : modified;
}

function combine(left: Difference | undefined, right: Difference | undefined): Difference | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const changed = left.changed === undefined ? leaf : hasChildren(left.changed) ? { '.': leaf, ...left.changed } : left.changed;
  return { changed, removed: left.removed };
}

function compareMaps(map: MapShape, before: unknown, after: unknown, inner?: InnerDifferences): Difference | undefined {
  const left = isObject(before) ? before : undefined;
  const right = isObject(after) ? after : undefined;
  if (map.atomic) return equalValues(before, after) ? undefined : modified;
  // Whether a large map is blank takes as long to ask as its names, so it is asked last.
  const found = map.element === undefined ? undefined : compareNames(map, left, right, inner);
  if (found !== undefined) return found;
  if (isBlank(left) && isBlank(right)) return equalValues(before, after) ? undefined : modified;
  return map.element === undefined ? compareFields(map, left, right, inner) : undefined;
}

/** Structs: only declared fields can be there. */
function compareFields(
  map: MapShape,
  left: JsonObject | undefined,
  right: JsonObject | undefined,
  inner?: InnerDifferences,
): Difference | undefined {
  let changed: MutableFieldSet | undefined;
  let removed: MutableFieldSet | undefined;
  for (const { name, element, shape } of map.ordered) {
    const before = left?.[name];
    const after = right?.[name];
    if (before === after) continue;
    if (before === undefined) (changed ??= {})[element] = inner?.get(name)?.changed ?? subtreeOf(shape, after);
    else if (after === undefined) (removed ??= {})[element] = subtreeOf(shape, before);
    else {
      const found = inner?.has(name) ? inner.get(name) : compareBoth(shape, before, after);
      if (found === undefined) continue;
      if (found.changed !== undefined) (changed ??= {})[element] = found.changed;
      if (found.removed !== undefined) (removed ??= {})[element] = found.removed;
    }
  }
  return changed === undefined && removed === undefined ? undefined : { changed, removed };
}

function compareNames(
  map: MapShape,
  left: JsonObject | undefined,
  right: JsonObject | undefined,
  inner?: InnerDifferences,
): Difference | undefined {
  let differing: string[] | undefined;
  for (const name in right) if (left?.[name] !== right[name]) (differing ??= []).push(name);
  for (const name in left) if (own(right, name) === undefined) (differing ??= []).push(name);
  if (differing === undefined) return undefined;
  let changed: MutableFieldSet | undefined;
  let removed: MutableFieldSet | undefined;
  for (const name of sortNames(differing)) {
    const before = own(left, name);
    const after = own(right, name);
    const shape = fieldShape(map, name)!;
    const element = `f:${name}`;
    if (before === undefined) (changed ??= {})[element] = inner?.get(name)?.changed ?? subtreeOf(shape, after);
    else if (after === undefined) (removed ??= {})[element] = subtreeOf(shape, before);
    else {
      const found = inner?.has(name) ? inner.get(name) : compareBoth(shape, before, after);
      if (found === undefined) continue;
      if (found.changed !== undefined) (changed ??= {})[element] = found.changed;
      if (found.removed !== undefined) (removed ??= {})[element] = found.removed;
    }
  }
  return changed === undefined && removed === undefined ? undefined : { changed, removed };
}

function compareLists(list: ListShape, before: unknown, after: unknown): Difference | undefined {
  const left = Array.isArray(before) ? before : [];
  const right = Array.isArray(after) ? after : [];
  const isWhole = list.atomic || Math.max(left.length, right.length) > mostOwnedItems;
  if (isWhole || (left.length === 0 && right.length === 0)) return equalValues(before, after) ? undefined : modified;
  if (left.length === right.length && equalValues(left, right)) return undefined;
  const ours = indexItems(list, left);
  const theirs = indexItems(list, right);
  const differing: { element: string; item: unknown; found: Difference }[] = [];
  for (const [element, after] of theirs) {
    const found = compareItems(list.element, ours.get(element), after);
    if (found !== undefined) differing.push({ element, item: after[0], found });
  }
  for (const [element, before] of ours) {
    if (theirs.has(element)) continue;
    differing.push({ element, item: before[0], found: compareItems(list.element, before, undefined)! });
  }
  if (differing.length === 0) return undefined;
  let changed: MutableFieldSet | undefined;
  let removed: MutableFieldSet | undefined;
  for (const { element, found } of differing.sort((a, b) => compareListItems(list, a.item, b.item))) {
    if (found.changed !== undefined) (changed ??= {})[element] = found.changed;
    if (found.removed !== undefined) (removed ??= {})[element] = found.removed;
  }
  return { changed, removed };
}

/** Items by path element; more than one under an element are duplicates. */
function indexItems(list: ListShape, items: readonly unknown[]): Map<string, unknown[]> {
  const index = new Map<string, unknown[]>();
  for (let i = 0; i < items.length; i++) {
    const element = itemElement(list, items[i]);
    const known = index.get(element);
    if (known === undefined) index.set(element, [items[i]]);
    else known.push(items[i]);
  }
  return index;
}

/** Duplicates count as one atomic thing that is owned by its element alone. */
function compareItems(shape: Shape, before: unknown[] | undefined, after: unknown[] | undefined): Difference | undefined {
  const was = before?.length ?? 0;
  const is = after?.length ?? 0;
  if (was >= 2 && is >= 2) return equalValues(before, after) ? undefined : modified;
  if (was >= 2) return { changed: is === 0 ? undefined : subtreeOf(shape, after![0]), removed: leaf };
  if (is >= 2) return { changed: leaf, removed: was === 0 ? undefined : subtreeOf(shape, before![0]) };
  if (was === 0) return { changed: subtreeOf(shape, after![0]), removed: undefined };
  if (is === 0) return { changed: undefined, removed: subtreeOf(shape, before![0]) };
  return compareBoth(shape, before![0], after![0]);
}

/** Every path of a value that stands alone: itself and all that it holds. */
function subtreeOf(shape: Shape, value: unknown, known?: ReadonlyMap<string, FieldSet>): FieldSet {
  if (typeof value !== 'object' || value === null) return leaf;
  if (Array.isArray(value)) return value.length === 0 || shape.list === undefined || shape.list.atomic ? leaf : itemsOf(shape.list, value);
  const map = shape.map;
  if (map === undefined || map.atomic) return leaf;
  const object = value as JsonObject;
  const set: MutableFieldSet = { '.': leaf };
  if (map.element === undefined) {
    if (isBlank(object)) return leaf;
    for (const { name, element, shape: inner } of map.ordered) {
      const item = object[name];
      if (item !== undefined) set[element] = known?.get(name) ?? subtreeOf(inner, item);
    }
  } else {
    const names = Object.keys(object);
    if (names.length === 0) return leaf;
    for (const name of sortNames(names)) set[`f:${name}`] = known?.get(name) ?? subtreeOf(fieldShape(map, name)!, object[name]);
  }
  return set;
}

function itemsOf(list: ListShape, items: readonly unknown[]): FieldSet {
  if (items.length > mostOwnedItems) return leaf;
  let sorted: readonly unknown[] = items;
  for (let i = 1; i < items.length && sorted === items; i++) {
    if (compareListItems(list, items[i - 1], items[i]) > 0) sorted = items.toSorted((a, b) => compareListItems(list, a, b));
  }
  const set: MutableFieldSet = { '.': leaf };
  let last: string | undefined;
  for (const item of sorted) {
    const element = itemElement(list, item);
    // Duplicates are owned by their element alone.
    set[element] = element === last ? leaf : subtreeOf(list.element, item);
    last = element;
  }
  return set;
}

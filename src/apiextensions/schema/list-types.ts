// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { duplicate, invalid } from '../../machinery/field.ts';
import type { JsonObject, SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';
import { childPath, indexPath, keyPath } from './paths.ts';

/** A list whose items, or their keys, must differ. */
interface AssociativeList {
  readonly items: readonly unknown[];
  /** undefined for a set */
  readonly keys: readonly string[] | undefined;
  readonly path: FieldPath;
}

/** So many items are compared before others may have their turn. */
const itemsInStep = 4096;

/** Items of a set are unique, and so are the keys of a list that is a map. */
export function* validateListTypes(value: unknown, node: SchemaNode | undefined): Steps<FieldError[]> {
  if (node === undefined || !node.hasListTypes) return [];
  yield;
  const lists: AssociativeList[] = [];
  collect(lists, value, node, undefined);
  const errors: FieldError[] = [];
  for (const list of lists) append(errors, list.keys === undefined ? yield* validateSet(list) : yield* validateMap(list, list.keys));
  return errors;
}

/** Lists that are worth a look, each before those in its items. */
function collect(lists: AssociativeList[], value: unknown, node: SchemaNode, path: FieldPath | undefined): void {
  if (Array.isArray(value)) {
    const { listType, items } = node;
    const isMap = listType === 'map';
    if (isMap || (listType === 'set' && value.length > 1))
      lists.push({ items: value, keys: isMap ? node.listMapKeys : undefined, path: path as FieldPath });
    if (items?.hasListTypes) for (const [i, item] of value.entries()) collect(lists, item, items, indexPath(path, i));
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const property = node.properties.get(key);
      if (property !== undefined) {
        if (property.hasListTypes) collect(lists, item, property, childPath(path, key));
      } else if (node.additional?.hasListTypes) collect(lists, item, node.additional, keyPath(path, key));
    }
  }
}

function* validateSet({ items, path }: AssociativeList): Steps<FieldError[]> {
  return (yield* repeated(items)).map((i) => duplicate(path.index(i), inOrder(items[i])));
}

function* validateMap({ items, path }: AssociativeList, keys: readonly string[]): Steps<FieldError[]> {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) return [invalid(path.index(wrong), items[wrong], 'must be an object for an array of list-type map')];
  if (items.length < 2) return [];
  const values: JsonObject[] = [];
  const wanted = new Set(keys);
  for (const item of items) {
    values.push(keysOf(item as JsonObject | null, wanted));
    if (values.length % itemsInStep === 0) yield;
  }
  return (yield* repeated(values)).map((i) => duplicate(path.index(i), inOrder(values[i])));
}

/** There may be far more keys than an item has fields. */
function keysOf(item: JsonObject | null, keys: ReadonlySet<string>): JsonObject {
  const found: JsonObject = {};
  for (const key in item) if (keys.has(key)) found[key] = item[key];
  return found;
}

/** Where a value comes for the second time; later ones are not reported. */
function* repeated(values: readonly unknown[]): Steps<number[]> {
  const seen = new Set<string>();
  const reported = new Set<string>();
  const second: number[] = [];
  for (const [i, value] of values.entries()) {
    const text = writeSorted(value);
    if (!seen.has(text)) seen.add(text);
    else if (!reported.has(text)) {
      reported.add(text);
      second.push(i);
    }
    if (i % itemsInStep === itemsInStep - 1) yield;
  }
  return second;
}

/** Go shows the keys of maps in order. */
function inOrder(value: unknown): unknown {
  return typeof value === 'object' ? parseJson(writeSorted(value)) : value;
}

// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { duplicate, invalid } from '../../machinery/field.ts';
import type { JsonObject, SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';
import { childPath, indexPath, keyPath } from './paths.ts';

/** Items of a set are unique, and so are the keys of a list that is a map. */
export function validateListTypes(value: unknown, node: SchemaNode | undefined, path?: FieldPath): FieldError[] {
  if (node === undefined || !node.hasListTypes) return [];
  if (Array.isArray(value)) {
    const at = path as FieldPath;
    const own = node.listType === 'set' ? validateSet(value, at) : node.listType === 'map' ? validateMap(value, node.listMapKeys, at) : [];
    return [...own, ...value.flatMap((item, i) => validateListTypes(item, node.items, indexPath(path, i)))];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const property = node.properties.get(key);
    if (property !== undefined) return validateListTypes(item, property, childPath(path, key));
    return validateListTypes(item, node.additional, keyPath(path, key));
  });
}

function validateSet(items: readonly unknown[], path: FieldPath): FieldError[] {
  return repeated(items).map((i) => duplicate(path.index(i), inOrder(items[i])));
}

function validateMap(items: readonly unknown[], keys: readonly string[], path: FieldPath): FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) return [invalid(path.index(wrong), items[wrong], 'must be an object for an array of list-type map')];
  const values = items.map((item) => keysOf(item as JsonObject | null, keys));
  return repeated(values).map((i) => duplicate(path.index(i), inOrder(values[i])));
}

function keysOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) if (item !== null && Object.hasOwn(item, key)) found[key] = item[key];
  return found;
}

/** Where a value comes for the second time; later ones are not reported. */
function repeated(values: readonly unknown[]): number[] {
  if (values.length < 2) return [];
  const seen = new Map<string, number>();
  const second: number[] = [];
  for (const [i, value] of values.entries()) {
    const text = writeSorted(value);
    const times = seen.get(text) ?? 0;
    if (times === 1) second.push(i);
    seen.set(text, times + 1);
  }
  return second;
}

/** Go shows the keys of maps in order. */
function inOrder(value: unknown): unknown {
  return typeof value === 'object' ? parseJson(writeSorted(value)) : value;
}

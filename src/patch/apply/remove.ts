// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/remove.go
import { isBlank, isObject, setOwn } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { hasChildren, isMember } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { itemElement } from './list-element.ts';
import { fieldShape } from './shape.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/** The value without the fields of a set. What is left empty becomes null, as does an atomic list or map of which a part was to go. */
export function removeFields(shape: Shape, value: unknown, fields: FieldSet): unknown {
  if (Array.isArray(value)) return shape.list === undefined ? mismatched(shape, value) : removeItems(shape.list, value, fields);
  if (isObject(value)) return shape.map === undefined ? mismatched(shape, value) : removeEntries(shape.map, value, fields);
  return shape.scalar === undefined ? null : value;
}

/** A value that is not what the shape allows goes, unless the shape may be a scalar: then it is taken for one. */
function mismatched(shape: Shape, value: unknown): unknown {
  return shape.scalar !== undefined && shape.map === undefined ? value : null;
}

function removeItems(list: ListShape, items: readonly unknown[], fields: FieldSet): unknown {
  if (list.atomic) return null;
  const left: unknown[] = [];
  for (const item of items) {
    const node = fields[itemElement(list, item)];
    if (isMember(node)) continue;
    left.push(hasChildren(node) ? removeFields(list.element, item, node!) : item);
  }
  return left.length > 0 ? left : null;
}

function removeEntries(map: MapShape, object: JsonObject, fields: FieldSet): unknown {
  if (map.atomic) return null;
  const left: JsonObject = {};
  for (const name of Object.keys(object)) {
    const node = fields[`f:${name}`];
    if (isMember(node)) continue;
    setOwn(left, name, hasChildren(node) ? removeFields(fieldShape(map, name) ?? {}, object[name], node!) : object[name]);
  }
  return isBlank(left) ? null : left;
}

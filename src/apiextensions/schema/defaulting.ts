// Upstream: apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';

/** Fills in declared defaults, in place; a null where none is allowed counts as absent. */
export function applyDefaults(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined || !node.hasDefaults) return;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable) value[i] = defaultOf(items);
      applyDefaults(value[i], items);
    }
  } else if (isJsonObject(value)) {
    for (const [name, property] of node.properties) {
      if (property.default === undefined) continue;
      if (!Object.hasOwn(value, name) || (value[name] === null && !property.nullable)) value[name] = defaultOf(property);
    }
    for (const key of Object.keys(value)) {
      const property = node.properties.get(key);
      if (property !== undefined) applyDefaults(value[key], property);
      else if (node.additional !== undefined) {
        if (value[key] === null && !node.additional.nullable) value[key] = defaultOf(node.additional);
        applyDefaults(value[key], node.additional);
      }
    }
  }
}

function defaultOf({ default: value }: SchemaNode): unknown {
  return value === undefined ? null : deepCopy(value);
}

// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';

/** Fills in declared defaults, in place; a null where none is allowed counts as absent. Returns whether there was anything to fill in. */
export function applyDefaults(value: unknown, node: SchemaNode | undefined): boolean {
  if (node === undefined || !node.hasDefaults) return false;
  let isChanged = false;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return false;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable) {
        value[i] = defaultOf(items);
        isChanged = true;
      }
      if (applyDefaults(value[i], items)) isChanged = true;
    }
  } else if (isJsonObject(value)) {
    for (const [name, property] of node.properties) {
      if (property.default === undefined) continue;
      if (Object.hasOwn(value, name) && (value[name] !== null || property.nullable)) continue;
      value[name] = defaultOf(property);
      isChanged = true;
    }
    for (const key of Object.keys(value)) {
      const property = node.properties.get(key);
      const child = property ?? node.additional;
      if (child === undefined) continue;
      if (property === undefined && value[key] === null && !child.nullable) {
        value[key] = defaultOf(child);
        isChanged = true;
      }
      if (applyDefaults(value[key], child)) isChanged = true;
    }
  }
  return isChanged;
}

function defaultOf({ default: value }: SchemaNode): unknown {
  return value === undefined ? null : deepCopy(value);
}

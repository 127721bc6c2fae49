// Upstream: k8s.io/apiserver/pkg/cel/common/maplist.go

import type { OpenApiSchema } from '../schema-types.ts';

/** Finds the item of a list with the same keys as a given item; lists that are no maps have no such items. */
export function mapListOf(schema: OpenApiSchema, items: readonly unknown[]): (item: unknown) => unknown {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema.type !== 'array' || schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || items.length === 0)
    return () => undefined;
  let index: Map<string, unknown> | undefined;
  return (item) => {
    const wanted = keyOf(item, keys);
    if (wanted === undefined) return undefined;
    index ??= indexItems(items, keys);
    return index.get(wanted);
  };
}

function indexItems(items: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  const index = new Map<string, unknown>();
  for (const item of items) {
    const key = keyOf(item, keys);
    if (key !== undefined && !index.has(key)) index.set(key, item);
  }
  return index;
}

/** Undefined when a key is missing or not a scalar. */
function keyOf(item: unknown, keys: readonly string[]): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const values = keys.map((key) => (item as Record<string, unknown>)[key]);
  const isScalar = values.every((value) => ['boolean', 'number', 'string', 'bigint'].includes(typeof value));
  return isScalar ? JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}n` : value))) : undefined;
}

// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning/algorithm.go
// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/prunenulls.go
import type { SchemaNode } from './node.ts';
import { isJsonObject, metaFields } from './node.ts';

/**
 * Removes what the schema does not specify, in place. Metadata at the root and of embedded resources is handled elsewhere.
 * Returns the paths of what was removed, sorted, when asked to `track` them.
 */
export function prune(value: unknown, node: SchemaNode | undefined, track: boolean): string[] {
  const pruner = new Pruner(track);
  pruner.prune(value, node, '');
  return pruner.unknown.sort(compare);
}

/** Whether pruning would remove anything. */
export function isPruned(value: unknown, node: SchemaNode | undefined): boolean {
  return prune(structuredClone(value), node, true).length === 0;
}

class Pruner {
  readonly unknown: string[] = [];
  readonly #track: boolean;

  constructor(track: boolean) {
    this.#track = track;
  }

  prune(value: unknown, node: SchemaNode | undefined, path: string): void {
    if (node?.preservesUnknown) this.#skip(value, node, path);
    else if (Array.isArray(value)) this.#items(value, path, (item, at) => this.prune(item, node?.items, at));
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        if (node?.isEmbeddedResource && metaFields.has(key)) continue;
        const property = node?.properties.get(key);
        if (property !== undefined) this.prune(value[key], property, this.#key(path, key));
        else if (node?.hasAdditional) this.prune(value[key], node.additional, this.#key(path, key));
        else {
          if (this.#track && (node === undefined || path !== '' || !metaFields.has(key))) this.unknown.push(this.#key(path, key));
          delete value[key];
        }
      }
    }
  }

  /** Unknown fields stay here, but what is specified below is pruned again. */
  #skip(value: unknown, node: SchemaNode | undefined, path: string): void {
    if (node === undefined) return;
    if (Array.isArray(value)) this.#items(value, path, (item, at) => this.#skip(item, node.items, at));
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        if (node.isEmbeddedResource && metaFields.has(key)) continue;
        const property = node.properties.get(key);
        if (property !== undefined) this.prune(value[key], property, this.#key(path, key));
        else if (node.hasAdditional) this.prune(value[key], node.additional, this.#key(path, key));
      }
    }
  }

  /** Nothing is to be removed from scalars, and there may be hundreds of thousands. */
  #items(items: readonly unknown[], path: string, visit: (item: unknown, path: string) => void): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (typeof item === 'object' && item !== null) visit(item, this.#index(path, i));
    }
  }

  #key(path: string, key: string): string {
    if (!this.#track) return '';
    return path === '' ? key : `${path}.${key}`;
  }

  #index(path: string, index: number): string {
    return this.#track ? `${path}[${index}]` : '';
  }
}

/** Removes nulls where the schema allows none and has no default to take their place. */
export function pruneNulls(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    if (node.items === undefined) return;
    for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) pruneNulls(item, node.items);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const child = node.properties.get(key) ?? node.additional;
      if (child === undefined) continue;
      if (value[key] === null && !child.nullable && child.default === undefined) delete value[key];
      else pruneNulls(value[key], child);
    }
  }
}

/** By code unit, which for field paths is as good as Go's order of bytes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import type { SchemaNode } from './node.ts';
import { isJsonObject } from './node.ts';

/**
 * How much may be filled in where a client sends an object: as much as it may send. Upstream has no such limit: a list of empty objects can
 * become hundreds of times as large, and is refused by the store after that.
 */
export const mostFilledIn = 3 * 1024 * 1024;

/**
 * Fills in declared defaults, in place; a null where none is allowed counts as absent. Returns whether there was anything to fill in. Throws
 * an ApiError when it is more than `most` characters of JSON.
 */
export function applyDefaults(value: unknown, node: SchemaNode | undefined, most = Infinity): boolean {
  const defaulting = new Defaulting(most);
  defaulting.visit(value, node);
  return defaulting.isChanged;
}

/** Quotes, colon and comma. */
const marksOfField = 4;

class Defaulting {
  isChanged = false;
  #filledIn = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  visit(value: unknown, node: SchemaNode | undefined): void {
    if (node === undefined || !node.hasDefaults) return;
    if (Array.isArray(value)) {
      const { items } = node;
      if (items === undefined) return;
      for (let i = 0; i < value.length; i++) {
        if (value[i] === null && !items.nullable) value[i] = this.#defaultOf(items);
        this.visit(value[i], items);
      }
    } else if (isJsonObject(value)) {
      for (const [name, property] of node.defaulted) {
        if (Object.hasOwn(value, name) && (value[name] !== null || property.nullable)) continue;
        this.#filledIn += name.length + marksOfField;
        value[name] = this.#defaultOf(property);
      }
      for (const key of Object.keys(value)) {
        const property = node.properties.get(key);
        const child = property ?? node.additional;
        if (child === undefined) continue;
        if (property === undefined && value[key] === null && !child.nullable) value[key] = this.#defaultOf(child);
        this.visit(value[key], child);
      }
    }
  }

  #defaultOf({ default: value, defaultLength }: SchemaNode): unknown {
    this.isChanged = true;
    this.#filledIn += defaultLength;
    if (this.#filledIn > this.#most) throw requestEntityTooLarge(`limit is ${this.#most} characters of defaults`);
    return value === undefined ? null : deepCopy(value);
  }
}

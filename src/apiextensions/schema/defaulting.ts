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
/** However short they are. */
const mostDefaults = 100_000;

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
/** No object is shorter, with what stands between it and the next. */
const shortestObject = 3;

/** How many characters defaults add to the object itself, and at most for each character that it has. */
export interface Growth {
  readonly fixed: number;
  readonly perCharacter: number;
}

export function growthOf(root: SchemaNode): Growth {
  let most = 0;
  const lengths = new Map<SchemaNode, number>();
  const visit = (node: SchemaNode): void => {
    if (!node.hasDefaults) return;
    // those within first: what is filled into them is known then
    for (const child of node.properties.values()) visit(child);
    if (node.items !== undefined) visit(node.items);
    if (node.additional !== undefined) visit(node.additional);
    const length = filledInto(node, lengths);
    lengths.set(node, length);
    most = Math.max(most, length);
  };
  visit(root);
  return { fixed: lengths.get(root) ?? 0, perCharacter: most / shortestObject };
}

/** What an empty object becomes. */
function filledInto(node: SchemaNode, lengths: ReadonlyMap<SchemaNode, number>): number {
  let length = 0;
  for (const [name, property] of node.defaulted) {
    length += name.length + marksOfField + property.defaultLength;
    if (isJsonObject(property.default)) length += lengths.get(property) ?? 0;
  }
  return length;
}

class Defaulting {
  isChanged = false;
  #filledIn = 0;
  #count = 0;
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
    if (++this.#count > mostDefaults && this.#most < Infinity) throw requestEntityTooLarge(`limit is ${mostDefaults} defaults`);
    if (this.#filledIn > this.#most) throw requestEntityTooLarge(`limit is ${this.#most} characters of defaults`);
    return value === undefined ? null : deepCopy(value);
  }
}

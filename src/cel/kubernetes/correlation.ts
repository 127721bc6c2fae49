// Upstream: k8s.io/apiserver/pkg/cel/common/equality.go

import { deepEqual } from '../../machinery/deep-equal.ts';
import type { OpenApiSchema } from '../schema-types.ts';
import { mapListOf } from './map-list.ts';

/** A value and what stood in its place before. */
export class Correlation {
  readonly #value: unknown;
  readonly #oldValue: unknown;
  readonly #schema: OpenApiSchema;
  #equality: boolean | undefined;
  #oldItem: ((item: unknown) => unknown) | undefined;
  #children: Map<string | number, Correlation | undefined> | undefined;

  constructor(value: unknown, oldValue: unknown, schema: OpenApiSchema) {
    this.#value = value;
    this.#oldValue = oldValue;
    this.#schema = schema;
  }

  /**
   * Whether nothing has changed; computed once. Items of a list with keys are compared by key, in whatever order they come. A quirk
   * kept: what the schema does not tell of counts as changed.
   */
  get isUnchanged(): boolean {
    return (this.#equality ??= this.#compare());
  }

  #compare(): boolean {
    const value = this.#value;
    const oldValue = this.#oldValue;
    if (Array.isArray(value) && Array.isArray(oldValue)) {
      if (value.length !== oldValue.length) return false;
      if (this.#schema['x-kubernetes-list-type'] !== 'map' || !this.#schema.items) return deepEqual(oldValue, value);
      return value.every((_, i) => this.index(i)?.isUnchanged ?? false);
    }
    if (isObject(value) && isObject(oldValue)) {
      const names = Object.keys(value);
      return names.length === Object.keys(oldValue).length && names.every((name) => this.key(name)?.isUnchanged ?? false);
    }
    return deepEqual(oldValue ?? null, value ?? null);
  }

  key(name: string): Correlation | undefined {
    this.#children ??= new Map();
    if (!this.#children.has(name)) this.#children.set(name, this.#correlatedKey(name));
    return this.#children.get(name);
  }

  index(i: number): Correlation | undefined {
    this.#children ??= new Map();
    if (!this.#children.has(i)) this.#children.set(i, this.#correlatedItem(i));
    return this.#children.get(i);
  }

  #correlatedKey(name: string): Correlation | undefined {
    const value = this.#value;
    const oldValue = this.#oldValue;
    const schema = this.#schema;
    if (!isObject(value) || !isObject(oldValue) || !Object.hasOwn(value, name) || !Object.hasOwn(oldValue, name)) return undefined;
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    const property = schema.properties?.[name] ?? values;
    return property && new Correlation(value[name], oldValue[name], property);
  }

  #correlatedItem(i: number): Correlation | undefined {
    const value = this.#value;
    const oldValue = this.#oldValue;
    const schema = this.#schema;
    if (!Array.isArray(value) || !Array.isArray(oldValue) || !schema.items) return undefined;
    this.#oldItem ??= mapListOf(schema, oldValue);
    const old = this.#oldItem(value[i]);
    return old === undefined ? undefined : new Correlation(value[i], old, schema.items);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Decides whether a violation is let through because nothing near it has changed. */
export class Ratchet {
  readonly #current: Correlation | undefined;
  readonly parent: Correlation | undefined;

  constructor(current: Correlation | undefined, parent: Correlation | undefined) {
    this.#current = current;
    this.parent = parent;
  }

  get isUnchanged(): boolean {
    return (this.#current ?? this.parent)?.isUnchanged ?? false;
  }

  key(name: string): Ratchet {
    if (!this.#current) return this;
    // The type of the object itself never ratchets.
    if (!this.parent && (name === 'apiVersion' || name === 'kind')) return new Ratchet(undefined, undefined);
    return new Ratchet(this.#current.key(name), this.#current);
  }

  index(i: number): Ratchet {
    return this.#current ? new Ratchet(this.#current.index(i), this.#current) : this;
  }
}

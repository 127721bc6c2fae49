// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/{validate,helpers}.go
import { goPlain, goSyntax, goType } from './go-value.ts';
import { formatElement } from './path-element.ts';
import { isObject } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { ElementError, itemElement, sortNames } from './list-element.ts';
import type { FieldShape, ListShape, MapShape, ScalarShape, Shape } from './shape.ts';

/** What is wrong with an object that does not fit its shape. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.length === 1 ? problemText(problems[0]!) : ['errors:', ...problems.map((problem) => `  ${problemText(problem)}`)].join('\n'),
    );
    this.problems = problems;
  }
}

export interface Problem {
  readonly path: string;
  readonly message: string;
}

function problemText({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Throws ShapeError unless the value fits. Items of sets and list-maps must be unique, unless duplicates are allowed. */
export function validateShape(shape: Shape, value: unknown, options: { allowDuplicates: boolean }): void {
  const problems: Problem[] = [];
  new Validation(options.allowDuplicates, problems).visit(shape, value, '');
  if (problems.length > 0) throw new ShapeError(problems);
}

class Validation {
  readonly #allowDuplicates: boolean;
  readonly #problems: Problem[];

  constructor(allowDuplicates: boolean, problems: Problem[]) {
    this.#allowDuplicates = allowDuplicates;
    this.#problems = problems;
  }

  visit(shape: Shape, value: unknown, path: string): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value) && shape.list !== undefined) return this.#list(shape.list, value, path);
    if (isObject(value) && shape.map !== undefined) return this.#map(shape.map, value, path);
    const scalar = typeof value !== 'object';
    if (scalar && shape.scalar !== undefined) return this.#scalar(shape.scalar, value, path);
    // Not a type that the shape allows: the first form that it has says what it expected.
    if (shape.map !== undefined) this.#report(path, `expected map, got ${goValue(value)}`);
    else if (shape.scalar !== undefined) this.#scalar(shape.scalar, value, path);
    else if (shape.list !== undefined) this.#report(path, `expected list, got ${goValue(value)}`);
    else this.#report(path, 'schema error: invalid atom: inlined');
  }

  #report(path: string, message: string): void {
    this.#problems.push({ path, message });
  }

  #scalar(scalar: ScalarShape, value: unknown, path: string): void {
    const type = typeof value;
    switch (scalar) {
      case 'numeric':
        if (type !== 'number' && type !== 'bigint') this.#report(path, `expected numeric (int or float), got ${goType(value)}`);
        break;
      case 'string':
        if (type !== 'string') this.#report(path, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        break;
      case 'boolean':
        if (type !== 'boolean') this.#report(path, `expected boolean, got ${goValue(value)}`);
        break;
      case 'untyped':
        if (type === 'object') this.#report(path, `expected any scalar, got ${goValue(value)}`);
        break;
    }
  }

  #list(list: ListShape, items: readonly unknown[], path: string): void {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const element = list.atomic ? `i:${index}` : this.#element(list, item, index, path);
      if (element === undefined) return;
      const shown = formatElement(element);
      if (seen.has(element) && !this.#allowDuplicates) this.#report(path, `duplicate entries for key ${shown}`);
      seen.add(element);
      this.visit(list.element, item, path + shown);
    }
  }

  #element(list: ListShape, item: unknown, index: number, path: string): string | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ElementError)) throw error;
      this.#report(path, `element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #map(map: MapShape, object: JsonObject, path: string): void {
    for (const name of sortNames(Object.keys(object))) {
      const shape = map.fields?.get(name)?.shape ?? map.element;
      if (shape === undefined) return this.#report(`${path}.${name}`, 'field not declared in schema');
      this.visit(shape, object[name], `${path}.${name}`);
    }
  }
}

/** A value as upstream prints what it wraps values in. */
function goValue(value: unknown): string {
  return `&{${goPlain(value)}}`;
}

/**
 * Items without a path are the one thing that can be wrong with an object that was decoded by its type: checks only the lists whose
 * keys may all be absent. Throws ElementError.
 */
export class ElementCheck {
  /** Where to look below a shape; undefined for one below which nothing can be wrong. */
  readonly #plans = new Map<Shape, readonly FieldShape[] | undefined>();

  check(shape: Shape, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const plan = this.#plan(shape);
    if (plan === undefined) return;
    const { list, map } = shape;
    if (Array.isArray(value)) {
      if (list === undefined) return;
      if (!list.atomic && canMiss(list)) for (const item of value) itemElement(list, item);
      if (this.#plan(list.element) !== undefined) for (const item of value) this.check(list.element, item);
    } else if (map !== undefined) {
      const object = value as JsonObject;
      for (const { name, shape: inner } of plan) this.check(inner, object[name]);
      if (map.fields === undefined) for (const name in object) this.check(map.element!, object[name]);
    }
  }

  #plan(shape: Shape): readonly FieldShape[] | undefined {
    if (this.#plans.has(shape)) return this.#plans.get(shape);
    const fields = shape.map?.ordered.filter((field) => reachesFallible(field.shape, new Set())) ?? [];
    const plan = fields.length > 0 || reachesFallible(shape, new Set()) ? fields : undefined;
    this.#plans.set(shape, plan);
    return plan;
  }
}

function canMiss(list: ListShape): boolean {
  return list.sortedKeys.length > 0 && list.sortedKeys.every((key) => key.optional);
}

function reachesFallible(shape: Shape, seen: Set<Shape>): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  const { list, map } = shape;
  if (list !== undefined && ((!list.atomic && canMiss(list)) || reachesFallible(list.element, seen))) return true;
  if (map === undefined) return false;
  return (
    map.ordered.some((field) => reachesFallible(field.shape, seen)) || (map.element !== undefined && reachesFallible(map.element, seen))
  );
}

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
  // Nearly all fit, and to sort the names of a large map takes as long as all the rest.
  const any: Problem[] = [];
  new Validation(options.allowDuplicates, any, 1, (names) => names).visit(shape, value);
  if (any.length === 0) return;
  const problems: Problem[] = [];
  new Validation(options.allowDuplicates, problems, mostProblems, sortNames).visit(shape, value);
  throw new ShapeError(problems);
}

/** A list may have as many problems as it has items; beyond these nothing more is looked for. Upstream reports all of them. */
const mostProblems = 10_000;

class Validation {
  readonly #allowDuplicates: boolean;
  readonly #problems: Problem[];
  /** where the value is: indexes, elements of lists, and names after a dot; worded only where there is a problem */
  readonly #steps: (string | number)[] = [];

  readonly #most: number;
  readonly #inOrder: (names: string[]) => string[];

  constructor(allowDuplicates: boolean, problems: Problem[], most: number, inOrder: (names: string[]) => string[]) {
    this.#allowDuplicates = allowDuplicates;
    this.#problems = problems;
    this.#most = most;
    this.#inOrder = inOrder;
  }

  visit(shape: Shape, value: unknown): void {
    if (value === null || value === undefined || this.#problems.length >= this.#most) return;
    if (Array.isArray(value) && shape.list !== undefined) return this.#list(shape.list, value);
    if (isObject(value) && shape.map !== undefined) return this.#map(shape.map, value);
    const scalar = typeof value !== 'object';
    if (scalar && shape.scalar !== undefined) return this.#scalar(shape.scalar, value);
    // Not a type that the shape allows: the first form that it has says what it expected.
    if (shape.map !== undefined) this.#report(`expected map, got ${goValue(value)}`);
    else if (shape.scalar !== undefined) this.#scalar(shape.scalar, value);
    else if (shape.list !== undefined) this.#report(`expected list, got ${goValue(value)}`);
    else this.#report('schema error: invalid atom: inlined');
  }

  #report(message: string): void {
    this.#problems.push({ path: this.#steps.map(stepText).join(''), message });
  }

  #scalar(scalar: ScalarShape, value: unknown): void {
    const type = typeof value;
    switch (scalar) {
      case 'numeric':
        if (type !== 'number' && type !== 'bigint') this.#report(`expected numeric (int or float), got ${goType(value)}`);
        break;
      case 'string':
        if (type !== 'string') this.#report(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        break;
      case 'boolean':
        if (type !== 'boolean') this.#report(`expected boolean, got ${goValue(value)}`);
        break;
      case 'untyped':
        if (type === 'object') this.#report(`expected any scalar, got ${goValue(value)}`);
        break;
    }
  }

  #list(list: ListShape, items: readonly unknown[]): void {
    if (!list.atomic) return this.#associative(list, items);
    for (let index = 0; index < items.length; index++) this.#within(index, list.element, items[index]);
  }

  #associative(list: ListShape, items: readonly unknown[]): void {
    const seen = this.#allowDuplicates ? undefined : new Set<string>();
    for (const [index, item] of items.entries()) {
      const element = this.#element(list, item, index);
      if (element === undefined) return;
      if (seen?.has(element)) this.#report(`duplicate entries for key ${stepText(element)}`);
      seen?.add(element);
      this.#within(element, list.element, item);
    }
  }

  #element(list: ListShape, item: unknown, index: number): string | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ElementError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #map(map: MapShape, object: JsonObject): void {
    for (const name of this.#inOrder(Object.keys(object))) {
      const shape = map.fields?.get(name)?.shape ?? map.element;
      if (shape !== undefined) {
        this.#within(`.${name}`, shape, object[name]);
        continue;
      }
      this.#steps.push(`.${name}`);
      this.#report('field not declared in schema');
      this.#steps.pop();
      return;
    }
  }

  #within(step: string | number, shape: Shape, value: unknown): void {
    this.#steps.push(step);
    this.visit(shape, value);
    this.#steps.pop();
  }
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return formatElement(`i:${step}`);
  return step.startsWith('.') ? step : formatElement(step, 'object');
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
  readonly #fallible = new Map<Shape, boolean>();

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
    const fields = shape.map?.ordered.filter((field) => this.#isFallible(field.shape)) ?? [];
    const plan = fields.length > 0 || this.#isFallible(shape) ? fields : undefined;
    this.#plans.set(shape, plan);
    return plan;
  }

  /** Whether anything below the shape can be wrong. */
  #isFallible(shape: Shape): boolean {
    const seen = new Set<Shape>();
    const found = this.#reachesFallible(shape, seen);
    // All that was seen ends here, so none of it reaches any.
    if (!found) for (const one of seen) this.#fallible.set(one, false);
    return found;
  }

  #reachesFallible(shape: Shape, seen: Set<Shape>): boolean {
    const known = this.#fallible.get(shape);
    if (known !== undefined) return known;
    if (seen.has(shape)) return false;
    seen.add(shape);
    const { list, map } = shape;
    const reaches = (other: Shape | undefined): boolean => other !== undefined && this.#reachesFallible(other, seen);
    const found =
      (list !== undefined && ((!list.atomic && canMiss(list)) || reaches(list.element))) ||
      (map !== undefined && (map.ordered.some((field) => reaches(field.shape)) || reaches(map.element)));
    if (found) this.#fallible.set(shape, true);
    return found;
  }
}

function canMiss(list: ListShape): boolean {
  return list.sortedKeys.length > 0 && list.sortedKeys.every((key) => key.optional);
}

// Upstream: github.com/google/cel-go/checker/cost.go

import type { CallExpr, ComprehensionExpr, Expr } from './ast.ts';
import { accumulatorName, oldAccumulator } from './ast.ts';
import type { CheckedExpression } from './checker.ts';
import type { CallEstimate, CostNode, Range } from './cost-model.ts';
import {
  fixed,
  listCost,
  mapCost,
  plus,
  regexFactor,
  scale,
  selectCost,
  structCost,
  times,
  traversalFactor,
  unbounded,
  union,
  unknownSize,
} from './cost-model.ts';
import type { Environment } from './environment.ts';
import type { CelType } from './types.ts';
import { isOptional } from './types.ts';
import type { Value } from './values.ts';
import { CelList, CelMap, stringSize } from './values.ts';

/** Bounds on the size of what a path leads to, from a schema; undefined where there are none. */
export type SizeHints = (path: readonly string[], type: CelType) => Range | undefined;

/** The least and the most that evaluating an expression can cost. */
export function estimateCost(checked: CheckedExpression, environment: Environment, hints: SizeHints = () => undefined): Range {
  return new Estimator(checked, environment, hints).cost(checked.root);
}

/** Sizes of what a collection holds. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const joinEntries = (a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined =>
  a && b && { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };

const sum = (ranges: readonly Range[]): Range => ranges.reduce(plus, fixed(0));

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  readonly #hints: SizeHints;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpression, environment: Environment, hints: SizeHints) {
    this.#checked = checked;
    this.#environment = environment;
    this.#hints = hints;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'ident':
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(selectCost);
      case 'select': {
        if (expr.testOnly) return plus(fixed(this.#environment.presenceTestCost), this.cost(expr.operand));
        const operand = this.cost(expr.operand);
        const { kind } = this.#type(expr.operand);
        this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field]);
        return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, fixed(selectCost)) : operand;
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const costs = expr.elements.map((element) => this.cost(element));
        this.#entries.set(expr.id, { container: 'list', key: fixed(1), value: this.#spread(expr.elements) });
        return plus(sum(costs), fixed(listCost));
      }
      case 'map': {
        const costs = expr.entries.flatMap((entry) => [this.cost(entry.key), this.cost(entry.value)]);
        const key = this.#spread(expr.entries.map((entry) => entry.key));
        this.#entries.set(expr.id, { container: 'map', key, value: this.#spread(expr.entries.map((entry) => entry.value)) });
        return plus(sum(costs), fixed(mapCost));
      }
      case 'struct':
        return plus(sum(expr.fields.map((field) => this.cost(field.value))), fixed(structCost));
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
      default:
        return fixed(0);
    }
  }

  /** The range that covers the sizes of all the nodes. */
  #spread(nodes: readonly Expr[]): Range {
    if (nodes.length === 0) return fixed(0);
    return nodes.map((node) => this.#sizeOr(node)).reduce(union, { min: unbounded, max: 0 });
  }

  #type(expr: Expr): CelType {
    return this.#checked.types[expr.id]!;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #withLocals<T>(locals: readonly (readonly [string, Local])[], run: () => T): T {
    for (const [name, local] of locals) this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
    const result = run();
    for (const [name] of locals) this.#locals.get(name)!.pop();
    return result;
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? [];
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const path = this.#path(expr);
    const hinted = path.length > 0 ? this.#hints(path, this.#type(expr)) : undefined;
    if (hinted) {
      this.#sizes.set(expr.id, hinted);
      return hinted;
    }
    if (isScalar(this.#type(expr))) return fixed(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #sizeOr(expr: Expr): Range {
    return this.#size(expr) ?? unknownSize;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined);
  }

  #remember(id: number, size: Range | undefined, entries: EntrySizes | undefined): void {
    if (size) this.#sizes.set(id, size);
    if (entries) this.#entries.set(id, entries);
  }

  // Calls

  #call(expr: CallExpr): Range {
    if (expr.name === 'dyn') {
      const argument = this.cost(expr.args[0]!);
      this.#remember(expr.id, this.#size(expr.args[0]!), this.#entriesOf(expr.args[0]!));
      return plus(fixed(1), argument);
    }
    const costs = expr.args.map((arg) => this.cost(arg));
    const reference = this.#checked.references.get(expr.id);
    if (!reference || !('overloads' in reference)) return fixed(0);
    const targetCost = expr.target ? this.cost(expr.target) : fixed(0);
    const args = expr.args.map((arg) => this.#node(arg));
    const target = expr.target && this.#node(expr.target);
    let total: Range = { min: unbounded, max: 0 };
    let resultSize: Range | undefined;
    for (const overload of reference.overloads) {
      const estimate = this.#overloadCost(expr, overload, target, args, costs);
      total = union(total, estimate.cost);
      if (estimate.resultSize) resultSize = resultSize ? union(resultSize, estimate.resultSize) : estimate.resultSize;
      if (overload === 'index_list' || overload === 'index_map') {
        resultSize = this.#entriesOf(expr.args[0]!)?.value;
        this.#paths.set(expr.id, [...this.#path(expr.args[0]!), overload === 'index_list' ? '@items' : '@values']);
      }
      resultSize ??= this.#size(expr);
    }
    this.#remember(expr.id, resultSize, undefined);
    return plus(targetCost, total);
  }

  #node(expr: Expr): CostNode {
    const path = this.#path(expr);
    const isAccumulator = path[0] === accumulatorName || path[0] === oldAccumulator;
    return { path: isAccumulator ? [] : path, type: this.#type(expr), expr, size: this.#size(expr) };
  }

  readonly #nodeSize = (node: CostNode): Range =>
    node.size ?? (node.path.length > 0 ? this.#hints(node.path, node.type) : undefined) ?? unknownSize;

  #overloadCost(
    expr: CallExpr,
    overload: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    costs: readonly Range[],
  ): CallEstimate {
    const own = this.#environment.estimators.get(overload)?.(this.#nodeSize, target, args, overload);
    const estimate = own ?? this.#environment.functionEstimators.get(expr.name)?.(this.#nodeSize, target, args, overload);
    if (estimate) return { ...estimate, cost: plus(estimate.cost, sum(costs)) };
    return this.#standardCost(expr, overload, target, args, costs);
  }

  #standardCost(
    expr: CallExpr,
    overload: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    costs: readonly Range[],
  ): CallEstimate {
    const size = (node: CostNode | undefined): Range => node?.size ?? unknownSize;
    const walk = (range: Range): Range => scale(range, traversalFactor);
    const withArgs = (range: Range, resultSize?: Range): CallEstimate => ({
      cost: plus(range, sum(costs)),
      ...(resultSize && { resultSize }),
    });
    switch (overload) {
      case 'string_format':
        return withArgs(walk(size(target)));
      case 'string_to_bytes':
        return withArgs(walk(size(args[0])), { min: size(args[0]).min, max: Math.min(size(args[0]).max * 4, unbounded) });
      case 'bytes_to_string':
        return withArgs(walk(size(args[0])), { min: Math.trunc(size(args[0]).min / 4), max: size(args[0]).max });
      case 'strings_quote': {
        const text = size(args[0]);
        // Upstream's doubling overflows to zero when the size is unknown.
        return withArgs(walk(text), { min: text.min + 2, max: text.max >= unbounded ? 0 : text.max * 2 + 2 });
      }
      case 'starts_with_string':
      case 'ends_with_string':
        return withArgs(walk(size(args[0])));
      case 'in_list':
        return withArgs(size(args[1]));
      case 'matches':
      case 'matches_string': {
        const [text, pattern] = overload === 'matches' ? [args[0], args[1]] : [target, args[0]];
        return withArgs(times(walk(plus(size(text), fixed(1))), scale(size(pattern), regexFactor)));
      }
      case 'contains_string':
        return withArgs(times(walk(size(target)), walk(size(args[0]))));
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: costs[0]!.min, max: plus(costs[0]!, costs[1]!).max } };
      case 'conditional':
        this.#remember(expr.id, undefined, joinEntries(this.#entriesOf(expr.args[1]!), this.#entriesOf(expr.args[2]!)));
        return { cost: plus(costs[0]!, union(costs[1]!, costs[2]!)), resultSize: union(size(args[1]), size(args[2])) };
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const resultSize = plus(size(args[0]), size(args[1]));
        this.#remember(expr.id, undefined, joinEntries(this.#entriesOf(expr.args[0]!), this.#entriesOf(expr.args[1]!)));
        return withArgs(overload === 'add_list' ? fixed(1) : walk(resultSize), resultSize);
      }
    }
    if (bySmaller.test(overload)) {
      const max = Math.min(size(args[0]).max, size(args[1]).max);
      return withArgs(walk({ min: max > 0 ? 1 : 0, max }));
    }
    return withArgs(fixed(1));
  }

  // Comprehensions

  #binding(expr: ComprehensionExpr): Range {
    const before = plus(this.cost(expr.range), this.cost(expr.init));
    const after = this.#withLocals([[expr.accumulator, this.#localFor(expr.init)]], () => {
      const cost = this.cost(expr.result);
      this.#remember(expr.id, this.#size(expr.result), this.#entriesOf(expr.result));
      return cost;
    });
    return plus(before, after);
  }

  #localFor(expr: Expr): Local {
    return { path: this.#path(expr), size: this.#size(expr), entries: this.#entriesOf(expr) };
  }

  #comprehension(expr: ComprehensionExpr): Range {
    const before = plus(this.cost(expr.range), this.cost(expr.init));
    const [turn, result, stepEntries] = this.#withLocals([[expr.accumulator, this.#localFor(expr.init)]], () => {
      const [perTurn, entries] = this.#withLocals(this.#iterationVariables(expr), () => {
        const cost = plus(this.cost(expr.condition), this.cost(expr.step));
        return [cost, this.#entriesOf(expr.step)] as const;
      });
      return [perTurn, this.cost(expr.result), entries] as const;
    });
    const count = this.#sizeOr(expr.range);
    if (expr.init.kind === 'literal') this.#remember(expr.id, this.#size(expr.init), undefined);
    else if (expr.init.kind === 'list' || expr.init.kind === 'map') this.#remember(expr.id, count, stepEntries);
    return plus(plus(before, result), times(count, turn));
  }

  #iterationVariables(expr: ComprehensionExpr): (readonly [string, Local])[] {
    const entries = this.#entriesOf(expr.range);
    const isList = (entries?.container ?? this.#type(expr.range).kind) === 'list';
    const local = (step: string, size: Range | undefined): Local => ({ path: [...this.#path(expr.range), step], size, entries: undefined });
    const value = local(isList ? '@items' : '@values', entries?.value);
    if (expr.variable2 !== '')
      return [
        [expr.variable, local(isList ? '@indices' : '@keys', entries?.key)],
        [expr.variable2, value],
      ];
    return [[expr.variable, isList ? value : local('@keys', entries?.key)]];
  }
}

const bySmaller = /^(?:(?:less|greater)(?:_equals)?_(?:string|bytes)|equals|not_equals)$/;

/** The shape that `cel.bind()` and its kin expand to. */
function isBinding(expr: ComprehensionExpr): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false &&
    expr.accumulator !== oldAccumulator
  );
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  return expr.kind === 'literal' ? fixed(valueSize(expr.value)) : undefined;
}

function valueSize(value: Value): number {
  if (typeof value === 'string') return stringSize(value);
  if (value instanceof Uint8Array || value instanceof CelList) return value.length;
  return value instanceof CelMap ? value.size : 1;
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  return scalars.has(type.kind) || (isOptional(type) && isScalar(type.parameters[0]!));
}

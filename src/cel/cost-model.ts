// Upstream: github.com/google/cel-go/checker/cost.go, github.com/google/cel-go/interpreter/runtimecost.go, github.com/google/cel-go/common/cost.go

import type { Expr } from './ast.ts';
import type { CelType } from './types.ts';
import type { Value } from './values.ts';

export const selectCost = 1;
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;
export const traversalFactor = 0.1;
export const regexFactor = 0.25;

/** Costs are unsigned 64-bit counts upstream; here doubles that stop at the same bound. */
export const unbounded = 18446744073709551615;

/** A closed range, of a size or of a cost. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const fixed = (value: number): Range => ({ min: value, max: value });
export const unknownSize: Range = Object.freeze({ min: 0, max: unbounded });

const cap = (value: number): number => (value >= unbounded ? unbounded : value);

export const plus = (a: Range, b: Range): Range => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) });
export const times = (a: Range, b: Range): Range => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) });
export const scale = (a: Range, factor: number): Range => ({ min: cap(Math.ceil(a.min * factor)), max: cap(Math.ceil(a.max * factor)) });
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });

/** An argument of a call, as static estimation sees it. */
export interface CostNode {
  /** Where the value comes from: a variable and the fields, `@items`, `@keys`, `@values` below it. Empty when unknown. */
  readonly path: readonly string[];
  readonly type: CelType;
  readonly expr: Expr | undefined;
  readonly size: Range | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range;
}

export type SizeOf = (node: CostNode) => Range;
/** Returns undefined to leave the call to the next in line. */
export type CallEstimator = (
  sizeOf: SizeOf,
  target: CostNode | undefined,
  args: readonly CostNode[],
  overload: string,
) => CallEstimate | undefined;

/** Runtime cost of a call from its arguments (the target first) and its result; undefined leaves it to the next in line. */
export type CallCost = (args: readonly Value[], result: Value, overload: string) => number | undefined;

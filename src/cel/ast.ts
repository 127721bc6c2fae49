// Upstream: github.com/google/cel-go/common/ast/expr.go

import type { Value } from './values.ts';

export type Expr = UnspecifiedExpr | LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

export interface UnspecifiedExpr {
  readonly kind: 'unspecified';
  readonly id: number;
}

export interface LiteralExpr {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: Value;
}

export interface IdentExpr {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}

export interface SelectExpr {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  /** Made by `has()`: asks whether the field is there. */
  readonly testOnly: boolean;
}

export interface CallExpr {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of elements written `?element`. */
  readonly optionals: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface StructExpr {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface ComprehensionExpr {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expr;
  readonly variable: string;
  /** Second variable of the two-variable forms, else empty. */
  readonly variable2: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A parsed expression with the place of every node. */
export interface ParsedExpression {
  readonly expression: string;
  readonly root: Expr;
  /** UTF-16 offsets by node id. */
  readonly offsets: readonly number[];
}

export const accumulatorName = '@result';
export const oldAccumulator = '__result__';

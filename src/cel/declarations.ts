// Upstream: github.com/google/cel-go/common/decls/decls.go

import type { Macro } from './builder.ts';
import type { CallCost, CallEstimator } from './cost-model.ts';
import type { CelType } from './types.ts';
import type { Value } from './values.ts';

// Implementations receive values that the checker or a runtime guard found to be of the declared types.
// oxlint-disable-next-line typescript/no-explicit-any -- each overload names the concrete types of its own arguments
export type Implementation = (...args: any[]) => Value;

export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly run?: Implementation;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** One implementation for all overloads that looks at the values itself. */
  readonly run?: Implementation;
  /** Also called with errors as arguments. */
  readonly isLenient?: boolean;
  /** Evaluates its arguments only up to the first that fails, even when there are few. */
  readonly isVariadic?: boolean;
  /** The implementation checks the types of its arguments, so no guard is needed before it. */
  readonly isGuarded?: boolean;
}

export const overload = (id: string, args: readonly CelType[], result: CelType, run?: Implementation): Overload => ({
  id,
  isMember: false,
  args,
  result,
  ...(run && { run }),
});

export const member = (id: string, args: readonly CelType[], result: CelType, run?: Implementation): Overload => ({
  id,
  isMember: true,
  args,
  result,
  ...(run && { run }),
});

export const declare = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

/** A set of functions, macros and types that an environment may have. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  readonly types?: readonly CelType[];
  /** Turns on the optional syntax. */
  readonly optionalSyntax?: boolean;
  /** Static and runtime costs by overload; they go before those by function. */
  readonly estimators?: Readonly<Record<string, CallEstimator>>;
  readonly costs?: Readonly<Record<string, CallCost>>;
  readonly functionEstimators?: Readonly<Record<string, CallEstimator>>;
  readonly functionCosts?: Readonly<Record<string, CallCost>>;
}

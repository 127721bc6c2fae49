import { check } from './checker.ts';
import type { CheckedExpression } from './checker.ts';
import type { Environment } from './environment.ts';
import { CostLimitExceeded, Frame, Interrupted } from './frame.ts';
import { parse } from './parse.ts';
import type { Code } from './plan.ts';
import { InstantiationError } from './instantiation-error.ts';
import { plan } from './plan.ts';
import { Issues, renderIssues } from './syntax/source.ts';
import type { CelType } from './types.ts';
import { validateLiterals } from './validators.ts';
import type { Value } from './values.ts';
import { CelError } from './values.ts';

export { Environment } from './environment.ts';
export type { EnvironmentOptions, TypeProvider } from './environment.ts';
export type { CheckedExpression } from './checker.ts';
export type { Library } from './declarations.ts';
export type { Value } from './values.ts';
export { estimateCost } from './cost-estimate.ts';
export type { SizeHints } from './cost-estimate.ts';
export { adaptJson } from './json-values.ts';
export { sizeHints, typeProvider } from './declared-types.ts';
export type { DeclaredType } from './declared-types.ts';

/** A compiled expression: immutable, may be evaluated any number of times. */
export interface Program {
  readonly checked: CheckedExpression;
  readonly resultType: CelType;
  readonly code: Code;
}

export type Compilation =
  | { readonly program: Program }
  /** The expression is wrong; the text is what clients see, one `ERROR:` paragraph per issue. */
  | { readonly issues: string }
  /** The expression type-checks but cannot run, as `int('x')` cannot. */
  | { readonly failure: string; readonly resultType: CelType };

/** Parses, checks and compiles an expression. */
export function compile(expression: string, environment: Environment): Compilation {
  const checked = compileToChecked(expression, environment);
  if (checked instanceof Issues) return { issues: renderIssues(expression, checked) };
  try {
    return { program: { checked, resultType: checked.resultType, code: plan(checked, environment) } };
  } catch (cause) {
    if (cause instanceof InstantiationError) return { failure: cause.message, resultType: checked.resultType };
    throw cause;
  }
}

function compileToChecked(expression: string, environment: Environment): CheckedExpression | Issues {
  const parsed = parse(expression, environment.syntax);
  if (parsed instanceof Issues) return parsed;
  const checked = check(parsed, environment);
  if (checked instanceof Issues || !environment.validatesLiterals) return checked;
  const issues = validateLiterals(checked);
  return issues.count > 0 ? issues : checked;
}

/** Values of the variables by name. */
export type Activation = Readonly<Record<string, Value | undefined>>;

export interface Budget {
  /** Evaluation ends with an error when it has cost more. */
  readonly limit: number;
  readonly isCancelled?: () => boolean;
}

export type Evaluation =
  | { readonly value: Value; readonly cost: number }
  | { readonly error: string; readonly cost: number; readonly reason: 'failed' | 'cost' | 'interrupted' };

/** Evaluates a program. Never throws for anything an expression can do. */
export function evaluate(program: Program, activation: Activation, budget: Budget): Evaluation {
  const { run, variables, slotCount } = program.code;
  const slots: (Value | undefined)[] = new Array(slotCount);
  for (let i = 0; i < variables.length; i++) slots[i] = activation[variables[i]!];
  const frame = new Frame(slots, budget.limit, budget.isCancelled);
  try {
    const value = run(frame);
    if (value instanceof CelError) return { error: value.message, cost: frame.cost, reason: 'failed' };
    return { value, cost: frame.cost };
  } catch (cause) {
    if (cause instanceof CostLimitExceeded) return { error: CostLimitExceeded.message, cost: frame.cost, reason: 'cost' };
    if (cause instanceof Interrupted) return { error: Interrupted.message, cost: frame.cost, reason: 'interrupted' };
    throw cause;
  }
}

import { check } from './checker.ts';
import type { CheckedExpression } from './checker.ts';
import type { Environment } from './environment.ts';
import type { Steps } from '../base/steps.ts';
import { allSteps } from '../base/steps.ts';
import type { Journal } from './frame.ts';
import { CostLimitExceeded, Frame, Suspended } from './frame.ts';
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
export { Suspended } from './frame.ts';
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
  /** code for evaluations that take long: made when there is one */
  readonly resumable: () => Code;
}

export type Compilation =
  | { readonly program: Program }
  /** The expression is wrong; the text is what clients see, one `ERROR:` paragraph per issue. */
  | { readonly issues: string }
  /** The expression type-checks but cannot run, as `int('x')` cannot. */
  | { readonly failure: string; readonly resultType: CelType };

/** Parses, checks and compiles an expression. */
export function compile(expression: string, environment: Environment): Compilation {
  return allSteps(compiling(expression, environment));
}

/** The same, for expressions that may be long. */
export function* compiling(expression: string, environment: Environment): Steps<Compilation> {
  const checked = yield* compilingToChecked(expression, environment);
  yield;
  if (checked instanceof Issues) return { issues: renderIssues(expression, checked) };
  try {
    const code = plan(checked, environment);
    let slow: Code | undefined;
    const resumable = (): Code => (slow ??= plan(checked, environment, true));
    return { program: { checked, resultType: checked.resultType, code, resumable } };
  } catch (cause) {
    if (cause instanceof InstantiationError) return { failure: cause.message, resultType: checked.resultType };
    throw cause;
  }
}

function* compilingToChecked(expression: string, environment: Environment): Steps<CheckedExpression | Issues> {
  const parsed = parse(expression, environment.syntax);
  if (parsed instanceof Issues) return parsed;
  yield;
  const checked = check(parsed, environment);
  yield;
  if (checked instanceof Issues || !environment.validatesLiterals) return checked;
  const issues = validateLiterals(checked);
  return issues.count > 0 ? issues : checked;
}

/** Values of the variables by name. */
export type Activation = Readonly<Record<string, Value | undefined>>;

export interface Budget {
  /** Evaluation ends with an error when it has cost more. */
  readonly limit: number;
}

export type Evaluation =
  | { readonly value: Value; readonly cost: number }
  | { readonly error: string; readonly cost: number; readonly reason: 'failed' | 'cost' };

/** Evaluates a program, however long it takes. Never throws for anything an expression can do. */
export function evaluate(program: Program, activation: Activation, { limit }: Budget): Evaluation {
  return finish(program.code, new Frame(slotsOf(program.code, activation), limit, Infinity)) as Evaluation;
}

/** So long may an evaluation, or a part of one, take. */
const patienceMs = 4;

/** Evaluates a program; undefined: it takes longer than others should wait, and is to be evaluated in parts. */
export function evaluateQuickly({ code }: Program, activation: Activation, { limit }: Budget): Evaluation | undefined {
  return finish(code, new Frame(slotsOf(code, activation), limit, patienceMs));
}

/** An evaluation in parts, in code that keeps a journal. */
export class PacedEvaluation {
  readonly #code: Code;
  readonly #frame: Frame;
  readonly #journal: Journal = new Map();

  /** `patience`: how many milliseconds a part may take; with 0, each call is a part */
  constructor(program: Program, activation: Activation, { limit }: Budget, patience = patienceMs) {
    this.#code = program.resumable();
    this.#frame = new Frame(slotsOf(this.#code, activation), limit, patience);
  }

  /** undefined: it is not at its end, and is to be run again. What functions and variables throw leaves it where it is. */
  run(): Evaluation | undefined {
    this.#frame.resume(this.#journal);
    return finish(this.#code, this.#frame);
  }
}

/** The same, for work that pauses. */
export function* evaluateInParts(program: Program, activation: Activation, budget: Budget): Steps<Evaluation> {
  const paced = new PacedEvaluation(program, activation, budget);
  for (;;) {
    yield;
    const outcome = paced.run();
    if (outcome !== undefined) return outcome;
  }
}

function slotsOf({ slotCount, variables }: Code, activation: Activation): (Value | undefined)[] {
  const slots: (Value | undefined)[] = new Array(slotCount);
  for (let i = 0; i < variables.length; i++) slots[i] = activation[variables[i]!];
  return slots;
}

/** undefined: it was suspended */
function finish({ run }: Code, frame: Frame): Evaluation | undefined {
  try {
    const value = run(frame);
    if (value instanceof CelError) return { error: value.message, cost: frame.cost, reason: 'failed' };
    return { value, cost: frame.cost };
  } catch (cause) {
    if (cause instanceof CostLimitExceeded) return { error: CostLimitExceeded.message, cost: frame.cost, reason: 'cost' };
    if (cause instanceof Suspended) return undefined;
    throw cause;
  }
}

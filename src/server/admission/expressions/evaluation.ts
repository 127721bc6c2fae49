// Upstream: k8s.io/apiserver/pkg/admission/plugin/cel/{activation,condition,composition}.go, k8s.io/apiserver/pkg/cel/lazy/lazy.go
import { Slices } from '../../../base/slices.ts';
import type { Activation, Evaluation as Evaluated, Program } from '../../../cel/index.ts';
import { adaptJson, evaluateQuickly, PacedEvaluation, Suspended } from '../../../cel/index.ts';
import { perCallLimit } from '../../../cel/kubernetes/environments.ts';
import type { Truth, Value } from '../../../cel/values.ts';
import { CelError, CelMap } from '../../../cel/values.ts';
import type { CompiledExpression } from '../../../cel/kubernetes/expression-compiler.ts';
import type { AuthorizationCalls } from './authorization-calls.ts';
import { PendingDecision } from './authorization-calls.ts';

/** What expressions can look at. */
export interface ExpressionInputs {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
  readonly namespaceObject: unknown;
  readonly params?: unknown;
  /** undefined: there is no authorizer here */
  readonly authorizationCalls?: AuthorizationCalls | undefined;
  readonly variables?: ReadonlyMap<string, CompiledExpression>;
}

const budgetOfCall = { limit: perCallLimit };

export type Outcome = { readonly value: Value } | { readonly error: string };

/** All expressions that share a budget have cost more than it. */
export class OutOfBudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'OutOfBudgetError';
  }
}

/** Evaluates expressions over the same inputs out of one budget. A variable is evaluated when it is first asked for, and once. */
export class Evaluation {
  readonly #activation: Activation;
  readonly #variables: LazyVariables;
  readonly #slices = new Slices();
  #budget: number;

  constructor(inputs: ExpressionInputs, budget: number) {
    const { authorizationCalls } = inputs;
    this.#budget = budget;
    this.#variables = new LazyVariables(inputs.variables ?? new Map<string, CompiledExpression>());
    this.#activation = {
      object: adaptJson(inputs.object),
      oldObject: adaptJson(inputs.oldObject),
      request: adaptJson(inputs.request),
      namespaceObject: adaptJson(inputs.namespaceObject),
      params: adaptJson(inputs.params),
      variables: this.#variables,
      ...(authorizationCalls && {
        authorizer: authorizationCalls.authorizer,
        'authorizer.requestResource': authorizationCalls.requestResource,
      }),
    };
    this.#variables.activation = this.#activation;
  }

  get remainingBudget(): number {
    return this.#budget;
  }

  /** Throws OutOfBudgetError. */
  async evaluate(compiled: CompiledExpression): Promise<Outcome> {
    if (!('program' in compiled)) return { error: `compilation error: ${compiled.error}` };
    const { expression, program } = compiled;
    let evaluated = await this.#attempt(() => evaluateQuickly(program, this.#activation, budgetOfCall));
    if (evaluated === undefined) {
      const paced = new PacedEvaluation(program, this.#activation, budgetOfCall);
      while (evaluated === undefined) {
        await this.#slices.pause();
        evaluated = await this.#attempt(() => paced.run());
      }
    }
    this.#spend(this.#variables.takeCost());
    this.#spend(evaluated.cost);
    if ('value' in evaluated) return { value: evaluated.value };
    return { error: `expression '${expression}' resulted in error: ${evaluated.error}` };
  }

  /** Waits for what the authorizer is asked on the way. */
  async #attempt(run: () => Evaluated | undefined): Promise<Evaluated | undefined> {
    for (;;) {
      try {
        return run();
      } catch (cause) {
        if (!(cause instanceof PendingDecision)) throw cause;
        await cause.settled;
      }
    }
  }

  async evaluateAll(expressions: readonly CompiledExpression[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const expression of expressions) {
      outcomes.push(await this.evaluate(expression));
      const pause = this.#slices.pause();
      if (pause !== undefined) await pause;
    }
    return outcomes;
  }

  #spend(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudgetError();
    this.#budget -= cost;
  }
}

class LazyVariables extends CelMap {
  readonly #expressions: ReadonlyMap<string, CompiledExpression>;
  readonly #values = new Map<string, Value>();
  /** those that take long, until they are known */
  readonly #paced = new Map<string, PacedEvaluation>();
  #cost = 0;
  activation: Activation = {};

  constructor(expressions: ReadonlyMap<string, CompiledExpression>) {
    super();
    this.#expressions = expressions;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): readonly Value[] {
    return [...this.#expressions.keys()];
  }

  equals(other: Value): Truth {
    return other === this;
  }

  find(key: Value): Value | undefined {
    const name = key as string;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(name);
    if (expression === undefined) return undefined;
    const value = this.#evaluate(name, expression);
    this.#values.set(name, value);
    this.#paced.delete(name);
    return value;
  }

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, compiled: CompiledExpression): Value {
    const quoted = JSON.stringify(name);
    if (!('program' in compiled)) return new CelError(`composited variable ${quoted} fails to compile: ${compiled.error}`);
    const evaluated = this.#run(name, compiled.program);
    // The expression that reads the variable is suspended with it.
    if (evaluated === undefined) throw new Suspended();
    this.#cost += evaluated.cost;
    return 'value' in evaluated ? evaluated.value : new CelError(`composited variable ${quoted} fails to evaluate: ${evaluated.error}`);
  }

  #run(name: string, program: Program): Evaluated | undefined {
    const begun = this.#paced.get(name);
    if (begun !== undefined) return begun.run();
    const evaluated = evaluateQuickly(program, this.activation, budgetOfCall);
    if (evaluated === undefined) this.#paced.set(name, new PacedEvaluation(program, this.activation, budgetOfCall));
    return evaluated;
  }
}

// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go
import { matchConditionsBudget } from '../../../cel/kubernetes/environments.ts';
import { boolType } from '../../../cel/types.ts';
import type { MatchCondition } from '../../../schema/types/admissionregistration-v1.ts';
import type { AdmissionCompiler, CompiledExpression } from '../../../cel/kubernetes/expression-compiler.ts';
import type { ExpressionInputs } from './evaluation.ts';
import { Evaluation, OutOfBudgetError } from './evaluation.ts';

/** `error`: no condition says that it does not match, but not all could be evaluated, and failure is not to be ignored */
export type ConditionsResult = { readonly matches: boolean } | { readonly error: string };

/** Hears of conditions that do not all hold: how long it took, and how many failed before that was clear. */
export type ConditionsObserver = (seconds: number, failures: number) => void;

const matches: ConditionsResult = Object.freeze({ matches: true });
const doesNotMatch: ConditionsResult = Object.freeze({ matches: false });

/** The conditions of a webhook or policy that rules and selectors cannot express. */
export class MatchConditions {
  readonly #expressions: readonly CompiledExpression[];
  readonly #ignoresFailure: boolean;

  constructor(conditions: readonly MatchCondition[] | undefined, failurePolicy: string | undefined, compiler: AdmissionCompiler) {
    this.#expressions = (conditions ?? []).map(({ expression }) => compiler.compile(expression, { use: 'stored', returns: [boolType] }));
    this.#ignoresFailure = failurePolicy === 'Ignore';
  }

  get isAny(): boolean {
    return this.#expressions.length > 0;
  }

  /** One condition that is false decides, whatever others fail; all are evaluated. */
  async evaluate(inputs: () => ExpressionInputs, observe?: ConditionsObserver): Promise<ConditionsResult> {
    if (this.#expressions.length === 0) return matches;
    const began = performance.now();
    const decided = (failures: number): void => observe?.((performance.now() - began) / 1000, failures);
    try {
      // Expressions that stand before there is a policy's context know no namespace.
      const evaluation = new Evaluation({ ...inputs(), namespaceObject: undefined }, matchConditionsBudget);
      const outcomes = await evaluation.evaluateAll(this.#expressions);
      const first = outcomes.findIndex((outcome) => 'value' in outcome && outcome.value === false);
      const failures = outcomes.slice(0, first < 0 ? undefined : first).filter((outcome) => 'error' in outcome).length;
      if (first >= 0 || failures > 0) decided(failures);
      if (first >= 0) return doesNotMatch;
      const errors = new Set(outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : [])));
      return errors.size === 0 ? matches : this.#failed(errors.size === 1 ? [...errors].join() : `[${[...errors].join(', ')}]`);
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      decided(0);
      return this.#failed(error.message);
    }
  }

  #failed(error: string): ConditionsResult {
    return this.#ignoresFailure ? doesNotMatch : { error };
  }
}

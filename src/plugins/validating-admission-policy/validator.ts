// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/validating/{validator,plugin}.go
import { maxMessageSize, runtimeBudget } from '../../cel/kubernetes/environments.ts';
import { boolType, nullType, stringType } from '../../cel/types.ts';
import type { AuditAnnotation, ValidatingAdmissionPolicySpec, Validation } from '../../schema/types/admissionregistration-v1.ts';
import type { CompiledExpression } from '../../cel/kubernetes/expression-compiler.ts';
import { AdmissionCompiler } from '../../cel/kubernetes/expression-compiler.ts';
import type { ExpressionInputs, Outcome } from '../../server/admission/expressions/evaluation.ts';
import { Evaluation, OutOfBudgetError } from '../../server/admission/expressions/evaluation.ts';
import type { ConditionsObserver } from '../../server/admission/expressions/match-conditions.ts';
import { MatchConditions } from '../../server/admission/expressions/match-conditions.ts';

/** A validation that did not pass. */
export interface Denial {
  /** which of the policy's validations, for the audit log */
  readonly index: number;
  readonly message: string;
  readonly reason?: string | undefined;
}

export interface Verdict {
  readonly denials: readonly Denial[];
  /** for the audit log, by key */
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** what failed while annotations were made; refuses the request whatever the binding says */
  readonly annotationErrors: readonly string[];
}

interface CompiledValidation extends Pick<Validation, 'message' | 'reason'> {
  readonly condition: CompiledExpression;
  readonly messageExpression: CompiledExpression | undefined;
}

interface CompiledAnnotation extends Pick<AuditAnnotation, 'key'> {
  readonly value: CompiledExpression;
}

const admitted: Verdict = Object.freeze({ denials: [], annotations: [], annotationErrors: [] });

/** The expressions of one policy, compiled. */
export class Validator {
  readonly #variables: ReadonlyMap<string, CompiledExpression>;
  readonly #conditions: MatchConditions;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly CompiledAnnotation[];
  readonly #ignoresFailure: boolean;

  constructor({ paramKind, variables, matchConditions, validations, auditAnnotations, failurePolicy }: ValidatingAdmissionPolicySpec) {
    const compiler = new AdmissionCompiler({ hasParams: paramKind !== undefined, hasVariables: true });
    const use = 'stored';
    this.#variables = new Map((variables ?? []).map(({ name, expression }) => [name, compiler.define(name, expression, use)]));
    this.#conditions = new MatchConditions(matchConditions, failurePolicy, compiler);
    this.#validations = (validations ?? []).map(({ expression, message, messageExpression = '', reason }) => ({
      condition: compiler.compile(expression, { use, returns: [boolType] }),
      messageExpression:
        messageExpression === '' ? undefined : compiler.compile(messageExpression, { use, returns: [stringType], hasAuthorizer: false }),
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
    }));
    this.#annotations = (auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      value: compiler.compile(valueExpression, { use, returns: [stringType, nullType] }),
    }));
    this.#ignoresFailure = failurePolicy === 'Ignore';
  }

  async validate(given: ExpressionInputs, observe?: ConditionsObserver): Promise<Verdict> {
    const inputs = { ...given, variables: this.#variables };
    const conditions = await this.#conditions.evaluate(() => inputs, observe);
    if ('error' in conditions) return this.#failed(conditions.error);
    if (!conditions.matches) return admitted;
    try {
      const denials = await this.#denials(inputs);
      return { denials, ...(await this.#annotate(inputs)) };
    } catch (error) {
      if (error instanceof OutOfBudgetError) return this.#failed(error.message);
      throw error;
    }
  }

  #failed(message: string): Verdict {
    return this.#ignoresFailure ? admitted : { ...admitted, denials: [{ index: 0, message }] };
  }

  async #denials(inputs: ExpressionInputs): Promise<Denial[]> {
    const evaluation = new Evaluation(inputs, runtimeBudget);
    const outcomes = await evaluation.evaluateAll(this.#validations.map(({ condition }) => condition));
    const messages = await this.#messages(inputs, evaluation.remainingBudget);
    const denials: Denial[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const failed =
        'error' in outcome
          ? outcome.error
          : messages instanceof OutOfBudgetError
            ? `failed messageExpression: ${messages.message}`
            : undefined;
      if (failed !== undefined) {
        if (!this.#ignoresFailure) denials.push({ index, message: failed });
      } else if (!('value' in outcome && outcome.value === true)) {
        const validation = this.#validations[index] as CompiledValidation;
        const message = messageOf(validation, messages instanceof OutOfBudgetError ? undefined : messages[index]);
        denials.push({ index, message, reason: validation.reason });
      }
    }
    return denials;
  }

  /** All messages, whether they are needed or not: they share a budget with the validations, and can spend it. */
  async #messages(inputs: ExpressionInputs, budget: number): Promise<(Outcome | undefined)[] | OutOfBudgetError> {
    const evaluation = new Evaluation({ ...inputs, authorizationCalls: undefined }, budget);
    const messages: (Outcome | undefined)[] = [];
    try {
      for (const { messageExpression } of this.#validations) {
        messages.push(messageExpression && (await evaluation.evaluate(messageExpression)));
      }
      return messages;
    } catch (error) {
      if (error instanceof OutOfBudgetError) return error;
      throw error;
    }
  }

  /** A quirk kept: values may name the authorizer, but there is none. */
  async #annotate(inputs: ExpressionInputs): Promise<Pick<Verdict, 'annotations' | 'annotationErrors'>> {
    const evaluation = new Evaluation({ ...inputs, authorizationCalls: undefined }, runtimeBudget);
    const annotations: (readonly [string, string])[] = [];
    const annotationErrors: string[] = [];
    for (const { key, value } of this.#annotations) {
      const outcome = await evaluation.evaluate(value);
      if ('error' in outcome) {
        if (!this.#ignoresFailure) annotationErrors.push(outcome.error);
      } else if (typeof outcome.value === 'string' && outcome.value.trim() !== '') annotations.push([key, outcome.value.trim()]);
    }
    return { annotations, annotationErrors };
  }
}

/** The first that says anything: the message that was evaluated, if it is short and one line, the one that is written, the expression. */
function messageOf({ condition, message = '' }: CompiledValidation, evaluated: Outcome | undefined): string {
  const text = evaluated !== undefined && 'value' in evaluated && typeof evaluated.value === 'string' ? evaluated.value.trim() : '';
  const isUsable = text !== '' && Buffer.byteLength(text) <= maxMessageSize && !text.includes('\n');
  return (isUsable ? text : message.trim()) || `failed expression: ${condition.expression.trim()}`;
}

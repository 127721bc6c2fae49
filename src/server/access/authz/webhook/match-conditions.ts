// Upstream: k8s.io/apiserver/pkg/authorization/cel/{compile,matcher}.go
import type { Steps } from '../../../../base/steps.ts';
import { adaptJson, compile, evaluateInParts, evaluateQuickly } from '../../../../cel/index.ts';
import type { Program } from '../../../../cel/index.ts';
import { perCallLimit } from '../../../../cel/kubernetes/environments.ts';
import { authorizationEnvironment } from '../../../../cel/kubernetes/variables.ts';
import { boolType, sameType } from '../../../../cel/types.ts';
import type { FieldError, FieldPath } from '../../../../machinery/field.ts';
import { aggregateMessages, duplicate, internalError, invalid, required, tooMany } from '../../../../machinery/field.ts';
import type { SubjectAccessReviewSpec } from '../../../../schema/types/authorization-v1.ts';
import { typeName } from '../../../../cel/kubernetes/expression-compiler.ts';

const maxConditions = 64;

interface Condition {
  readonly expression: string;
  readonly program: Program;
}

/** Expressions that say for which requests a webhook is called. */
export class WebhookMatchConditions {
  readonly #conditions: readonly Condition[];

  /** Errors have places below `path`. */
  static compile(expressions: readonly string[], path: FieldPath): { conditions: WebhookMatchConditions; errors: readonly FieldError[] } {
    const errors: FieldError[] = [];
    const compiled: Condition[] = [];
    const list = path.child('matchConditions');
    if (expressions.length > maxConditions) errors.push(tooMany(list, expressions.length, maxConditions));
    else {
      const seen = new Set<string>();
      expressions.forEach((expression, i) => {
        const place = list.index(i).child('expression');
        if (expression.trim() === '') errors.push(required(place, ''));
        else if (seen.has(expression)) errors.push(duplicate(place, expression));
        else {
          const condition = compileCondition(expression, place);
          if ('program' in condition) compiled.push(condition);
          else errors.push(condition);
        }
        seen.add(expression);
      });
    }
    return { conditions: new WebhookMatchConditions(compiled), errors };
  }

  private constructor(conditions: readonly Condition[]) {
    this.#conditions = conditions;
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** One condition that is false decides, whatever those before it failed with. */
  *evaluate(spec: SubjectAccessReviewSpec): Steps<{ readonly matches: boolean } | { readonly error: string }> {
    const activation = { request: adaptJson(requestOf(spec)) };
    const failures: string[] = [];
    for (const { expression, program } of this.#conditions) {
      yield;
      const budget = { limit: perCallLimit };
      const outcome = evaluateQuickly(program, activation, budget) ?? (yield* evaluateInParts(program, activation, budget));
      if ('error' in outcome) failures.push(`cel evaluation error: expression '${expression}' resulted in error: ${outcome.error}`);
      else if (outcome.value === false) return { matches: false };
    }
    return failures.length === 0 ? { matches: true } : { error: aggregateMessages(failures) };
  }
}

function compileCondition(expression: string, place: FieldPath): Condition | FieldError {
  const compiled = compile(expression, authorizationEnvironment());
  if ('issues' in compiled) return invalid(place, expression, `compilation failed: ${compiled.issues}`);
  const type = 'program' in compiled ? compiled.program.resultType : compiled.resultType;
  if (!sameType(type, boolType)) return invalid(place, expression, `must evaluate to bool but got ${typeName(type)}`);
  if ('failure' in compiled) return internalError(place, `program instantiation failed: ${compiled.failure}`);
  return { expression, program: compiled.program };
}

/** To expressions, what was not said of a resource is empty rather than absent. */
function requestOf({
  user = '',
  uid = '',
  groups = [],
  extra = {},
  resourceAttributes,
  nonResourceAttributes,
}: SubjectAccessReviewSpec): object {
  return {
    user,
    uid,
    groups,
    extra,
    ...(resourceAttributes && {
      resourceAttributes: {
        ...{ namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' },
        ...resourceAttributes,
        ...(resourceAttributes.fieldSelector && { fieldSelector: withValues(resourceAttributes.fieldSelector) }),
        ...(resourceAttributes.labelSelector && { labelSelector: withValues(resourceAttributes.labelSelector) }),
      },
    }),
    ...(nonResourceAttributes && { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
}

function withValues({ requirements = [] }: { requirements?: readonly { readonly values?: readonly string[] }[] }): object {
  return { requirements: requirements.map((one) => ({ values: [], ...one })) };
}

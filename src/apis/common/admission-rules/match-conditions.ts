// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateMatchConditions
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { boolType } from '../../../cel/types.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, invalid, required, tooMany } from '../../../machinery/field.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import type { MatchCondition } from '../../../schema/types/admissionregistration-v1.ts';
import { ExpressionCompiler } from './expressions.ts';

const mostConditions = 64;

export interface MatchConditionOptions {
  readonly hasParams: boolean;
  /** expressions of the stored object */
  readonly stored: ReadonlySet<string>;
}

export function* validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: FieldPath,
  { hasParams, stored }: MatchConditionOptions,
): Steps<FieldError[]> {
  if (conditions === undefined) return [];
  const errors = conditions.length > mostConditions ? [tooMany(path, conditions.length, mostConditions)] : [];
  const compiler = new ExpressionCompiler({ hasParams, hasVariables: false });
  const seen = new Set<string>();
  for (const [i, { name, expression }] of conditions.entries()) {
    const at = path.index(i);
    // The condition is compiled, and looked up among the stored ones, without the space around it.
    const trimmed = expression.trim();
    if (trimmed === '') errors.push(required(at.child('expression'), ''));
    else {
      const use = stored.has(trimmed) ? 'stored' : 'new';
      append(errors, yield* compiler.check(trimmed, at.child('expression'), { use, returns: [boolType] }));
    }
    append(errors, validateConditionName(name, at.child('name')));
    if (name === '') continue;
    if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
  }
  return errors;
}

function validateConditionName(name: string, path: FieldPath): FieldError[] {
  return name === '' ? [required(path, '')] : checkQualifiedName(name).map((problem) => invalid(path, name, problem));
}

export function expressionsOf(conditions: readonly MatchCondition[] | undefined): string[] {
  return (conditions ?? []).map(({ expression }) => expression);
}

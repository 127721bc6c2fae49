// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go#ValidateConditions, k8s.io/apimachinery/pkg/api/meta/conditions.go
import { append } from './append.ts';
import { duplicate, invalid, notSupported, required, tooLong, typedValue } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { isLongerThan, regexMessage } from './names.ts';
import { validateLabelName } from './object-meta-validation.ts';

/** metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason: string;
  readonly message: string;
}

const reasonMaxBytes = 1024;
const messageMaxBytes = 32 * 1024;
const statuses: readonly string[] = ['False', 'True', 'Unknown'];
const reasonText = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonPattern = new RegExp(`^${reasonText}$`);
const reasonMismatch = regexMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonText,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);

export function validateConditions(conditions: readonly Condition[] | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap((condition, index) => {
    const at = path.index(index);
    const repeated = seen.has(condition.type) ? [duplicate(at, condition.type)] : [];
    seen.add(condition.type);
    return [...repeated, ...validateCondition(condition, at)];
  });
}

export function reasonProblems(reason: string): readonly string[] {
  return reasonPattern.test(reason) ? [] : [reasonMismatch];
}

export function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  const errors = type === '' ? [required(path.child('type'), 'is required')] : validateLabelName(type, path.child('type'));
  if (status === '') errors.push(required(path.child('status'), ''));
  else if (!statuses.includes(status)) errors.push(notSupported(path.child('status'), typedValue(status), statuses));
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalid(path.child('observedGeneration'), observedGeneration, detail).withOrigin('minimum'));
  }
  if (lastTransitionTime === undefined || lastTransitionTime === null) errors.push(required(path.child('lastTransitionTime'), ''));
  if (reason === '') {
    errors.push(required(path.child('reason'), ''));
  } else {
    append(
      errors,
      reasonProblems(reason).map((problem) => invalid(path.child('reason'), reason, problem)),
    );
    if (isLongerThan(reason, reasonMaxBytes)) errors.push(tooLong(path.child('reason'), reasonMaxBytes).withOrigin('maxBytes'));
  }
  if (isLongerThan(message, messageMaxBytes)) errors.push(tooLong(path.child('message'), messageMaxBytes));
  return errors;
}

export function findCondition<T extends { readonly type: string }>(conditions: readonly T[] | undefined, type: string): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidatePositiveIntOrPercent, #IsNotMoreThan100Percent
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid, typedValue } from '../../machinery/field.ts';
import type { IntOrString } from '../../machinery/int-or-string.ts';
import { intValue } from '../../machinery/int-or-string.ts';
import { checkPercent } from '../../machinery/names.ts';
import { validateNonNegative } from '../../machinery/object-meta-validation.ts';

/** A number of at least 0, or a percentage. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(value, path);
  return checkPercent(value).map((problem) => invalid(path, typedValue(value), problem));
}

export function validateAtMostAll(value: IntOrString, path: FieldPath): FieldError[] {
  const percent = percentOf(value);
  return percent === undefined || percent <= 100 ? [] : [invalid(path, typedValue(value), 'must not be greater than 100%')];
}

/** The number before the percent sign; undefined for what is no percentage. */
export function percentOf(value: IntOrString): number | undefined {
  if (typeof value === 'number' || checkPercent(value).length > 0) return undefined;
  return Number.parseInt(value, 10);
}

export function intOrPercentValue(value: IntOrString): number {
  return percentOf(value) ?? intValue(value);
}

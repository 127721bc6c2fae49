import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { notSupported, typedValue } from '../../../machinery/field.ts';

/** A value that may be absent, but if it is there must be one of these. */
export function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, typedValue(value), supported)];
}

const failurePolicies = ['Fail', 'Ignore'];
const reinvocationPolicies = ['IfNeeded', 'Never'];

export function validateFailurePolicy(policy: string | undefined, path: FieldPath): FieldError[] {
  return oneOf(policy, failurePolicies, path);
}

export function validateReinvocationPolicy(policy: string | undefined, path: FieldPath): FieldError[] {
  return oneOf(policy, reinvocationPolicies, path);
}

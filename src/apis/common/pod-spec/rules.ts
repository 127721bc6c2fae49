// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go
// Rules about single values that all parts of a pod spec use.
import { invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName, checkUnixId } from '../../../machinery/names.ts';

export const notPositiveMessage = 'must be greater than zero';
const fileModeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';
const maxFileMode = 0o777;

/** One of a fixed set; the list is shown in the order given, which is sorted wherever upstream sorts. */
export function validateOneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, typedValue(value), supported)];
}

export function validateRequired(value: string | readonly unknown[] | undefined, path: FieldPath, detail = ''): FieldError[] {
  return value === undefined || value.length === 0 ? [required(path, detail)] : [];
}

export function validateDnsLabel(value: string, path: FieldPath): FieldError[] {
  const problems = checkDns1123Label(value);
  if (problems.length === 0) return [];
  return problems.map((problem) => invalid(path, value, problem).withOrigin('format=k8s-short-name'));
}

export function validateDnsSubdomain(value: string, path: FieldPath): FieldError[] {
  return checkDns1123Subdomain(value).map((problem) => invalid(path, value, problem).withOrigin('format=k8s-long-name'));
}

export function validateQualifiedName(value: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(value).map((problem) => invalid(path, value, problem).withOrigin('format=qualified-name'));
}

/** Problems of a value, as errors at one place. */
export function problemsOf(problems: readonly string[], value: unknown, path: FieldPath): FieldError[] {
  return problems.length === 0 ? [] : problems.map((problem) => invalid(path, value, problem));
}

export function validateFileMode(mode: number | undefined, path: FieldPath): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= maxFileMode) ? [] : [invalid(path, mode, fileModeMessage)];
}

export function validateUser(user: number | bigint | undefined, path: FieldPath): FieldError[] {
  return user === undefined ? [] : problemsOf(checkUnixId(user), user, path);
}

export function validatePositive(value: number | bigint, path: FieldPath): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, notPositiveMessage).withOrigin('minimum')];
}

/** Relative, and never upwards. */
export function validateDescendingPath(value: string, path: FieldPath): FieldError[] {
  const errors = value.startsWith('/') ? [invalid(path, value, 'must be a relative path')] : [];
  return [...errors, ...validateNoBacksteps(value, path)];
}

export function validateNoBacksteps(value: string, path: FieldPath): FieldError[] {
  return value.split('/').includes('..') ? [invalid(path, value, "must not contain '..'")] : [];
}

/** Names that begin with two dots are reserved for the writer of the volume's files. */
export function validateLocalNonReservedPath(value: string, path: FieldPath): FieldError[] {
  const errors = validateDescendingPath(value, path);
  if (value.startsWith('..') && !value.startsWith('../')) errors.push(invalid(path, value, "must not start with '..'"));
  return errors;
}

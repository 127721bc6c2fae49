// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go, k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateCSIDriverName
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required, tooLong } from '../../../machinery/field.ts';
import { checkCIdentifier, checkDns1123Subdomain, isLongerThan, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { problemsOf, validateDnsSubdomain } from '../pod-spec/rules.ts';

const MAX_DRIVER_LENGTH = 63;
const MAX_POOL_LENGTH = 253;
const MAX_IDENTIFIER_LENGTH = 32;
const POOL_ORIGIN = 'format=k8s-resource-pool-name';

/** `domain/identifier` at its longest. */
export const MAX_QUALIFIED_NAME_LENGTH = MAX_DRIVER_LENGTH + 1 + MAX_IDENTIFIER_LENGTH;

export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const long = isLongerThan(name, MAX_DRIVER_LENGTH) ? [tooLong(path, MAX_DRIVER_LENGTH)] : [];
  return [...long, ...problemsOf(checkDns1123Subdomain(name.toLowerCase()), name, path)];
}

export function validatePoolName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const errors = isLongerThan(name, MAX_POOL_LENGTH) ? [tooLong(path, MAX_POOL_LENGTH)] : [];
  return [...errors, ...name.split('/').flatMap((part) => validateDnsSubdomain(part, path))].map((error) => error.withOrigin(POOL_ORIGIN));
}

export function validateNodeName(name: string, path: FieldPath): FieldError[] {
  return problemsOf(nameIsDnsSubdomain(name, false), name, path);
}

/** `identifier` or `domain/identifier`. Names with more slashes pass, as in upstream. */
export function validateQualifiedName(name: string, path: FieldPath): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return validateIdentifier(first, path);
  if (parts.length > 2) return [];
  return [
    ...(first === '' ? [invalid(path, '', 'the domain must not be empty')] : validateDriverName(first, path)),
    ...(second === '' ? [invalid(path, '', 'the name must not be empty')] : validateIdentifier(second, path)),
  ];
}

/** Whether it has a domain, and both parts are right. */
export function isFullyQualifiedName(name: string, path: FieldPath): boolean {
  return name.includes('/') && validateQualifiedName(name, path).length === 0;
}

function validateIdentifier(id: string, path: FieldPath): FieldError[] {
  const long = isLongerThan(id, MAX_IDENTIFIER_LENGTH) ? [tooLong(path, MAX_IDENTIFIER_LENGTH)] : [];
  return [...long, ...problemsOf(checkCIdentifier(id), id, path)];
}

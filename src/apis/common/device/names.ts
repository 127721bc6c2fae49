// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go, k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateCSIDriverName
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required, tooLong } from '../../../machinery/field.ts';
import { checkCIdentifier, checkDns1123Subdomain, isLongerThan, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { problemsOf, validateDnsSubdomain } from '../pod-spec/rules.ts';

const maxDriverLength = 63;
const maxPoolLength = 253;
const maxIdentifierLength = 32;
const poolOrigin = 'format=k8s-resource-pool-name';

/** `domain/identifier` at its longest. */
export const maxQualifiedNameLength = maxDriverLength + 1 + maxIdentifierLength;

export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const long = isLongerThan(name, maxDriverLength) ? [tooLong(path, maxDriverLength)] : [];
  return [...long, ...problemsOf(checkDns1123Subdomain(name.toLowerCase()), name, path)];
}

export function validatePoolName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const errors = isLongerThan(name, maxPoolLength) ? [tooLong(path, maxPoolLength)] : [];
  return [...errors, ...name.split('/').flatMap((part) => validateDnsSubdomain(part, path))].map((error) => error.withOrigin(poolOrigin));
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
  const long = isLongerThan(id, maxIdentifierLength) ? [tooLong(path, maxIdentifierLength)] : [];
  return [...long, ...problemsOf(checkCIdentifier(id), id, path)];
}

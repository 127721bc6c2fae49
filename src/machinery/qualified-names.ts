// Upstream: k8s.io/apimachinery/pkg/util/validation/validation.go
// Rules that report on a field.
import { invalid, required } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName, regexMessage } from './names.ts';

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathPattern = new RegExp(`^${httpPath}$`);

/** A domain of three segments or more, e.g. a CSI or signer group. */
export function validateFullyQualifiedName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

/** A domain of two segments or more, with or without the final dot. */
export function validateFullyQualifiedDomainName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path, '')];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = checkDns1123Subdomain(domain);
  if (problems.length > 0) return [invalid(path, domain, problems.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2) return [invalid(path, domain, 'should be a domain with at least two segments separated by dots')];
  for (const label of labels) {
    const wrong = checkDns1123Label(label);
    if (wrong.length > 0) return [invalid(path, label, wrong.join(','))];
  }
  return [];
}

/** `acme.io/some/path` */
export function validateDomainPrefixedPath(value: string, path: FieldPath): FieldError[] {
  if (value === '') return [required(path, '')];
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(slash, 0));
  const rest = value.slice(slash + 1);
  if (host === '' || rest === '') return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = checkDns1123Subdomain(host).map((problem) => invalid(path, host, problem));
  if (!httpPathPattern.test(rest)) errors.push(invalid(path, rest, regexMessage('Invalid path', httpPath)));
  return errors;
}

/** `acme.io/key` */
export function validateDomainPrefixedKey(key: string, path: FieldPath): FieldError[] {
  if (key === '') return [required(path, '')];
  const problems = checkQualifiedName(key);
  if (problems.length > 0) return problems.map((problem) => invalid(path, key, problem));
  return key.includes('/') ? [] : [invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}

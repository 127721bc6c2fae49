// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateRuleWithOperations, #validateMatchResources
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from '../../../schema/types/admissionregistration-v1.ts';
import { oneOf } from './one-of.ts';

const scopes = ['*', 'Cluster', 'Namespaced'];
const operationTypes = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mutatingOperationTypes = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const matchPolicies = ['Equivalent', 'Exact'];

export function validateMatchPolicy(matchPolicy: string | undefined, path: FieldPath): FieldError[] {
  return oneOf(matchPolicy, matchPolicies, path);
}

export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  const errors: FieldError[] = [];
  if (matchPolicy === undefined) errors.push(required(path.child('matchPolicy'), ''));
  append(errors, validateMatchPolicy(matchPolicy, path.child('matchPolicy')));
  for (const [name, selector] of Object.entries({ namespaceSelector, objectSelector })) {
    if (selector === undefined) errors.push(required(path.child(name), ''));
    append(errors, validateLabelSelector(selector, path.child(name)));
  }
  for (const [name, rules] of Object.entries({ resourceRules, excludeResourceRules })) {
    rules.forEach((rule, i) => append(errors, validateNamedRule(rule, path.child(name).index(i))));
  }
  return errors;
}

/** Nothing can be changed about an object that goes away. */
export function validateMutatingOperations(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  const operations = (match?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  return operations.flatMap((operation) => oneOf(operation, mutatingOperationTypes, path.child('resourceRules', 'operations')));
}

function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child('resourceNames').index(i);
    for (const problem of nameIsPathSegment(name, false)) errors.push(invalid(at, name, problem));
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
  return [...errors, ...validateRule(rule, path)];
}

export function validateRule(
  { operations = [], apiGroups = [], apiVersions = [], ...rule }: RuleWithOperations,
  path: FieldPath,
): FieldError[] {
  const errors = validateList(operations, 'operations', path.child('operations'));
  operations.forEach((operation, i) => {
    if (operationTypes.includes(operation)) return;
    errors.push(notSupported(path.child('operations').index(i), typedValue(operation), operationTypes));
  });
  append(errors, validateList(apiGroups, 'API groups', path.child('apiGroups')));
  append(errors, validateList(apiVersions, 'API versions', path.child('apiVersions')));
  apiVersions.forEach((version, i) => {
    if (version === '') errors.push(required(path.child('apiVersions').index(i), ''));
  });
  append(errors, validateResources(rule.resources ?? [], path.child('resources')), oneOf(rule.scope, scopes, path.child('scope')));
  return errors;
}

/** Something, and nothing beside everything. */
function validateList(values: readonly string[], noun: string, path: FieldPath): FieldError[] {
  if (values.length === 0) return [required(path, '')];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${noun}`)];
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors = resources.length === 0 ? [required(path, '')] : [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let plain = false;
  for (const [i, entry] of resources.entries()) {
    const at = path.index(i);
    if (entry === '') {
      errors.push(required(at, ''));
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      // A quirk: only the last one without a subresource counts.
      plain = entry !== '*';
      continue;
    }
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    if (wholeResources.has(resource)) errors.push(invalid(at, entry, `if '${resource}/*' is present, must not specify ${entry}`));
    if (wholeSubresources.has(subresource)) errors.push(invalid(at, entry, `if '*/${subresource}' is present, must not specify ${entry}`));
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (plain && resources.includes('*')) {
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}

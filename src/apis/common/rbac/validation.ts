// Upstream: k8s.io/kubernetes/pkg/apis/rbac/validation/validation.go
import { append } from '../../../machinery/append.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, notSupported, required } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain, nameIsPathSegment } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { PolicyRule, RoleRef, Subject } from '../../../schema/types/rbac-v1.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';
const roleRefPath = Path.root('roleRef');

export function validateRules(rules: readonly PolicyRule[] | null, namespaced: boolean): FieldError[] {
  return rules?.flatMap((rule, index) => validateRule(rule, namespaced, Path.root('rules').index(index))) ?? [];
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors: FieldError[] = rule.verbs?.length ? [] : [required(path.child('verbs'), 'verbs must contain at least one value')];
  if (nonResourceURLs.length > 0) {
    const at = path.child('nonResourceURLs');
    if (namespaced) errors.push(invalid(at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      errors.push(invalid(at, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (apiGroups.length === 0) errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (resources.length === 0) errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  return errors;
}

interface Binding {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}

export function validateBinding({ roleRef, subjects = [] }: Binding, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const { apiGroup, kind, name } = roleRef;
  if (apiGroup !== rbacGroup) errors.push(notSupported(roleRefPath.child('apiGroup'), apiGroup, [rbacGroup]));
  if (!kinds.includes(kind)) errors.push(notSupported(roleRefPath.child('kind'), kind, kinds));
  const namePath = roleRefPath.child('name');
  if (name === '') errors.push(required(namePath, ''));
  append(
    errors,
    nameIsPathSegment(name, false).map((problem) => invalid(namePath, name, problem)),
  );
  subjects.forEach((subject, index) => append(errors, validateSubject(subject, namespaced, Path.root('subjects').index(index))));
  return errors;
}

/** Who is bound may change, what they are bound to may not. */
export function validateSameRole({ roleRef }: Binding, old: Binding): FieldError[] {
  if (deepEqual(roleRef, old.roleRef)) return [];
  // upstream shows its internal struct, which has no JSON names
  const shown = { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name };
  return [invalid(roleRefPath, shown, fieldImmutableMessage).withOrigin('immutable')];
}

function validateSubject({ kind, apiGroup = '', name, namespace = '' }: Subject, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = name === '' ? [required(path.child('name'), '')] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') {
        for (const problem of nameIsDnsSubdomain(name, false)) errors.push(invalid(path.child('name'), name, problem));
      }
      if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(path.child('namespace'), ''));
      return errors;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(path.child('apiGroup'), apiGroup, [rbacGroup]));
      return errors;
    default:
      return [...errors, notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

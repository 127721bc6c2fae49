// Upstream: k8s.io/kubernetes/pkg/apis/rbac/validation/validation.go#ValidateClusterRole, k8s.io/kubernetes/pkg/registry/rbac/clusterrole/strategy.go
import { append } from '../../../machinery/append.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import { hasInvalidLabelValue, selectorOf, validateLabelSelector } from '../../../machinery/label-selector.ts';
import { LabelSelectorError } from '../../../machinery/labels.ts';
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { ClusterRole } from '../../../schema/types/rbac-v1.ts';
import type { LabelSelector } from '../../../schema/types/meta-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateRules } from '../../common/rbac/validation.ts';

type ClusterRoleObject = ClusterRole & KubeObject;

const selectorsPath = FieldPath.root('aggregationRule', 'clusterRoleSelectors');

export function validate(role: ClusterRoleObject): FieldError[] {
  return validateWith(role, false);
}

export function validateUpdate(role: ClusterRoleObject, old: ClusterRoleObject): FieldError[] {
  // What was stored before label values were checked may stay.
  const lenient = old.aggregationRule?.clusterRoleSelectors?.some((selector) => hasInvalidLabelValue(selector)) ?? false;
  return [...validateMetadata(role.metadata, false, nameIsPathSegment), ...validateWith(role, lenient)];
}

function validateWith({ rules, aggregationRule }: ClusterRoleObject, allowInvalidLabelValue: boolean): FieldError[] {
  const errors = validateRules(rules, false);
  if (aggregationRule === undefined) return errors;
  const { clusterRoleSelectors = [] } = aggregationRule;
  if (clusterRoleSelectors.length === 0) {
    errors.push(required(selectorsPath, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  clusterRoleSelectors.forEach((selector, index) => {
    const at = selectorsPath.index(index);
    append(errors, validateLabelSelector(selector, at, { allowInvalidLabelValue }));
    // The selector that could not be made is what upstream shows here: nothing.
    if (!isSelector(selector)) errors.push(invalid(at, null, 'invalid label selector.'));
  });
  return errors;
}

function isSelector(selector: LabelSelector): boolean {
  try {
    selectorOf(selector);
    return true;
  } catch (error) {
    if (error instanceof LabelSelectorError) return false;
    throw error;
  }
}

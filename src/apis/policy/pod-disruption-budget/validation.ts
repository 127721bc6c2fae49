// Upstream: k8s.io/kubernetes/pkg/apis/policy/validation/validation.go
import { append } from '../../../machinery/append.ts';
import { validateConditions } from '../../../machinery/conditions.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, notSupported, typedValue } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { PodDisruptionBudget } from '../../../schema/types/policy-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateAtMostAll, validateIntOrPercent } from '../../common/int-or-percent.ts';

type Budget = PodDisruptionBudget & KubeObject;

const specPath = FieldPath.root('spec');
const statusPath = FieldPath.root('status');
const evictionPolicies: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget'];

export function validate(budget: Budget): FieldError[] {
  return validateSpec(budget, false);
}

export function validateUpdate(budget: Budget, old: Budget): FieldError[] {
  return validateSpec(budget, validateLabelSelector(old.spec.selector, specPath).length > 0);
}

function validateSpec({ spec }: Budget, allowInvalidLabelValue: boolean): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    // upstream shows its internal struct, which has no JSON names
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    };
    errors.push(invalid(specPath, shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[field];
    if (value === undefined) continue;
    append(errors, validateIntOrPercent(value, specPath.child(field)), validateAtMostAll(value, specPath.child(field)));
  }
  append(errors, validateLabelSelector(selector, specPath.child('selector'), { allowInvalidLabelValue }));
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(notSupported(specPath.child('unhealthyPodEvictionPolicy'), typedValue(policy), evictionPolicies));
  }
  return errors;
}

export function validateStatusUpdate({ status }: Budget): FieldError[] {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
  return [
    ...validateConditions(status.conditions as Parameters<typeof validateConditions>[0], statusPath.child('conditions')),
    ...counts.flatMap((field) => validateNonNegative(status[field], statusPath.child(field))),
  ];
}

// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/validation/validation.go#validateBehavior
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { HPAScalingPolicy, HPAScalingRules, HorizontalPodAutoscalerBehavior } from '../../../schema/types/autoscaling-v2.ts';

const maxPeriodSeconds = 1800;
const maxStabilizationWindowSeconds = 3600;
const selectPolicies: readonly string[] = ['Disabled', 'Max', 'Min'];
const policyTypes: readonly string[] = ['Percent', 'Pods'];

export function validateBehavior(behavior: HorizontalPodAutoscalerBehavior | undefined, path: FieldPath): FieldError[] {
  return [...validateRules(behavior?.scaleUp, path.child('scaleUp')), ...validateRules(behavior?.scaleDown, path.child('scaleDown'))];
}

function validateRules(rules: HPAScalingRules | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowPath = path.child('stabilizationWindowSeconds');
  if (window < 0) errors.push(invalid(windowPath, window, 'must be greater than or equal to zero'));
  if (window > maxStabilizationWindowSeconds) {
    errors.push(invalid(windowPath, window, `must be less than or equal to ${maxStabilizationWindowSeconds}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(path.child('selectPolicy'), typedValue(selectPolicy), selectPolicies));
  }
  if (policies.length === 0) errors.push(required(path.child('policies'), 'must specify at least one Policy'));
  policies.forEach((policy, index) => append(errors, validatePolicy(policy, path.child('policies').index(index))));
  if (tolerance !== undefined && Quantity.parse(tolerance).sign < 0) {
    errors.push(invalid(path.child('tolerance'), tolerance, 'must be greater than or equal to 0'));
  }
  return errors;
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!policyTypes.includes(type)) errors.push(notSupported(path.child('type'), typedValue(type), policyTypes));
  if (value <= 0) errors.push(invalid(path.child('value'), value, 'must be greater than zero'));
  if (periodSeconds <= 0) errors.push(invalid(path.child('periodSeconds'), periodSeconds, 'must be greater than zero'));
  if (periodSeconds > maxPeriodSeconds) {
    errors.push(invalid(path.child('periodSeconds'), periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`));
  }
  return errors;
}

// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateValidatingAdmissionPolicyBindingSpec, #validateValidationActions
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { ValidatingAdmissionPolicyBindingSpec } from '../../../schema/types/admissionregistration-v1.ts';
import { validateBound } from '../../common/admission-rules/policy-binding.ts';

const actionTypes = ['Audit', 'Deny', 'Warn'];
const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

export function validateSpec(spec: ValidatingAdmissionPolicyBindingSpec, path: FieldPath): FieldError[] {
  return [...validateBound(spec, path), ...validateActions(spec.validationActions ?? [], path.child('validationActions'))];
}

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const repeats = repeatsIn(actions);
  for (const [i, action] of actions.entries()) {
    if (!actionTypes.includes(action)) errors.push(notSupported(path.index(i), typedValue(action), actionTypes));
    if (repeats.has(i)) errors.push(duplicate(path.index(i), typedValue(action)));
  }
  if (actions.includes('Deny') && actions.includes('Warn')) errors.push(invalid(path, actions, denyAndWarn));
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}

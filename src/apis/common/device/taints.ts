// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateDeviceTaint, #validateDeviceToleration
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid } from '../../../machinery/field.ts';
import { checkLabelValue } from '../../../machinery/names.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type { DeviceTaint, DeviceToleration } from '../../../schema/types/resource-v1.ts';
import { problemsOf } from '../pod-spec/rules.ts';

/** Effects are for the type's declared rules. */
export function validateTaint({ key, value = '' }: DeviceTaint, path: FieldPath): FieldError[] {
  return [...validateLabelName(key, path.child('key')), ...problemsOf(checkLabelValue(value), value, path.child('value'))];
}

/** Keys, operators and effects are for the type's declared rules. */
export function validateToleration({ operator, value = '' }: DeviceToleration, path: FieldPath): FieldError[] {
  const at = path.child('value');
  if (operator === 'Equal') return problemsOf(checkLabelValue(value), value, at);
  return operator === 'Exists' && value !== '' ? [invalid(at, value, 'must be empty for operator `Exists`')] : [];
}

export function validateTolerations(tolerations: readonly DeviceToleration[] | undefined, path: FieldPath): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => validateToleration(toleration, path.child('tolerations').index(index)));
}

/** A taint is there since the time that its writer states, or since it was seen first. */
export function taintedSince(taint: DeviceTaint | undefined, now: string): void {
  if (taint !== undefined) taint.timeAdded ??= now;
}

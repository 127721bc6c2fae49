// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateDeviceBindingParameters, #validateSkipNodeOperations
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, invalid } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type { SkipNodeOperation } from '../../../schema/types/resource-v1.ts';
import { validateDistinct, validateList } from './lists.ts';

const maxConditions = 4;

interface BindingParameters {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** Success and failure are different conditions, and neither goes without the other. */
export function validateBindingConditions(parameters: BindingParameters, path: FieldPath): FieldError[] {
  const { bindingConditions: conditions = [], bindingFailureConditions: failures = [] } = parameters;
  const conditionsPath = path.child('bindingConditions');
  const failuresPath = path.child('bindingFailureConditions');
  const errors = [
    ...validateList(conditions, conditionsPath, validateLabelName, { declaredMax: maxConditions }),
    ...validateList(failures, failuresPath, validateLabelName, { declaredMax: maxConditions }),
    ...validateDistinct(conditions, conditionsPath),
  ];
  const seen = new Set<string>();
  const known = new Set(conditions);
  failures.forEach((condition, index) => {
    const at = failuresPath.index(index);
    if (seen.has(condition)) errors.push(duplicate(at, condition));
    seen.add(condition);
    if (known.has(condition)) {
      errors.push(invalid(at, condition, 'bindingFailureConditions must not overlap with bindingConditions'));
    }
  });
  if (conditions.length === 0 && failures.length > 0) {
    errors.push(
      invalid(
        conditionsPath,
        asPrinted(parameters, 'bindingConditions', []),
        'bindingConditions are required to use bindingFailureConditions',
      ),
    );
  }
  if (failures.length === 0 && conditions.length > 0) {
    errors.push(
      invalid(
        failuresPath,
        asPrinted(parameters, 'bindingFailureConditions', []),
        'bindingFailureConditions are required to use bindingConditions',
      ),
    );
  }
  return errors;
}

/** Who does not prepare has nothing to undo, and must not be asked to. */
export function validateSkippedOperations(operations: readonly SkipNodeOperation[] = [], path: FieldPath): FieldError[] {
  if (!operations.includes('NodePrepareResources') || operations.includes('NodeUnprepareResources') || operations.includes('*')) return [];
  return [
    invalid(
      path.child('skipNodeOperations'),
      operations,
      'NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped',
    ),
  ];
}

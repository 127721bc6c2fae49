// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePersistentVolumeClaimStatusUpdate
import { append } from '../../../machinery/append.ts';
import { reasonProblems } from '../../../machinery/conditions.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { PersistentVolumeClaim } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { isNativeResource } from '../../common/resource-names.ts';

type Claim = PersistentVolumeClaim & KubeObject;

const statusPath = Path.root('status');
const resizeStatuses: readonly string[] = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** A growth that failed can be undone: by feature, or because the claim shows that it once could. */
export function mayRecover({ status }: Claim, features: FeatureGates): boolean {
  const shows = Boolean(status.allocatedResources ?? status.allocatedResourceStatuses);
  return shows || features.enabled('RecoverVolumeExpansionFailure');
}

export function validateStatusUpdate({ spec, status }: Claim, old: Claim, { features }: WriteContext): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.accessModes?.length) errors.push(required(Path.root('Spec', 'accessModes'), ''));
  for (const [name, amount] of Object.entries(status.capacity ?? {})) {
    append(errors, validateAmount(amount, statusPath.child('capacity').key(name)));
  }
  const healthPath = statusPath.child('healthStatus', 'healthConditions');
  status.healthStatus?.healthConditions?.forEach(({ reason }, index) => {
    if (reason === '') return;
    const path = healthPath.index(index).child('reason');
    append(
      errors,
      reasonProblems(reason).map((problem) => invalid(path, reason, problem)),
    );
  });
  return mayRecover(old, features) ? [...errors, ...validateAllocated(status)] : errors;
}

function validateAllocated({ allocatedResources = {}, allocatedResourceStatuses = {} }: Claim['status']): FieldError[] {
  const errors: FieldError[] = [];
  const statusesPath = statusPath.child('allocatedResourceStatuses');
  for (const [name, state] of Object.entries(allocatedResourceStatuses)) {
    append(errors, validateResourceKey(name, statusesPath));
    if (!resizeStatuses.includes(state)) errors.push(notSupported(statusesPath, typedValue(name), resizeStatuses));
  }
  const allocatedPath = statusPath.child('allocatedResources');
  for (const [name, amount] of Object.entries(allocatedResources)) {
    const wrong = validateResourceKey(name, allocatedPath);
    append(errors, wrong.length > 0 ? wrong : validateAmount(amount, allocatedPath.key(name)));
  }
  return errors;
}

function validateAmount(amount: string, path: FieldPath): FieldError[] {
  const value = Quantity.parse(amount).value();
  return value < 0n ? [invalid(path, value, 'must be a valid resource quantity')] : [];
}

/** Of Kubernetes' own resources a claim has storage only. */
function validateResourceKey(name: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  return isNativeResource(name) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : [];
}

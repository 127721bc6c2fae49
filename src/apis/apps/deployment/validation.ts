// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidateDeployment*
import { FieldPath, LiteralValue, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { goJson } from '../../../machinery/go-format.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { DeploymentSpec, DeploymentStatus, DeploymentStrategy, RollingUpdateDeployment } from '../../../schema/types/apps-v1.ts';
import { intOrPercentValue, validateAtMostAll, validateIntOrPercent } from '../../common/int-or-percent.ts';
import { internalForm } from '../../common/internal-form.ts';
import type { InternalShape } from '../../common/internal-form.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import { validateReplicated } from '../../common/workload/replicated.ts';
import { validateSelectorUnchanged } from '../../common/workload/selector.ts';
import { validateAtMost, validateCollisions, validateCounts } from '../../common/workload/status.ts';
import type { DeploymentObject } from './definition.ts';

const specPath = FieldPath.root('spec');

export function validateDeploymentSpec(spec: DeploymentSpec, options: PodValidationOptions): FieldError[] {
  const { replicas = 0, minReadySeconds = 0, revisionHistoryLimit, progressDeadlineSeconds: deadline } = spec;
  const deadlinePath = specPath.child('progressDeadlineSeconds');
  return [
    ...validateNonNegative(replicas, specPath.child('replicas')),
    ...validateReplicated(spec, specPath, options),
    ...validateStrategy(spec.strategy, specPath.child('strategy')),
    ...validateNonNegative(minReadySeconds, specPath.child('minReadySeconds')),
    ...validateNonNegative(revisionHistoryLimit, specPath.child('revisionHistoryLimit')),
    ...validateNonNegative(deadline, deadlinePath),
    ...(deadline !== undefined && deadline <= minReadySeconds
      ? [invalid(deadlinePath, deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

export function validateDeploymentUpdate({ spec }: DeploymentObject, old: DeploymentObject, options: PodValidationOptions): FieldError[] {
  return [
    ...validateDeploymentSpec(spec, options),
    ...validateSelectorUnchanged(spec.selector, old.spec.selector, specPath.child('selector')),
  ];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const rollingPath = path.child('rollingUpdate');
  switch (type) {
    case 'Recreate':
      return rollingUpdate === undefined ? [] : [forbidden(rollingPath, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      if (rollingUpdate === undefined) return [required(rollingPath, 'this should be defaulted and never be nil')];
      return validateRollingUpdate(rollingUpdate, rollingPath);
    default:
      return [notSupported(path, new LiteralValue(goJson(internalForm(strategy, strategyShape))), ['Recreate', 'RollingUpdate'])];
  }
}

const strategyShape: InternalShape = [
  { go: 'Type', json: 'type', zero: '' },
  {
    go: 'RollingUpdate',
    json: 'rollingUpdate',
    shape: [
      { go: 'MaxUnavailable', json: 'maxUnavailable', zero: 0 },
      { go: 'MaxSurge', json: 'maxSurge', zero: 0 },
    ],
  },
];

function validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment, path: FieldPath): FieldError[] {
  const unavailablePath = path.child('maxUnavailable');
  const errors = [...validateIntOrPercent(maxUnavailable, unavailablePath), ...validateIntOrPercent(maxSurge, path.child('maxSurge'))];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    errors.push(invalid(unavailablePath, typedValue(maxUnavailable), 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...validateAtMostAll(maxUnavailable, unavailablePath)];
}

export function validateDeploymentStatus(status: DeploymentStatus | undefined, old: DeploymentStatus | undefined): FieldError[] {
  return [
    ...validateCounts(
      status,
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ),
    ...validateAtMost(status, 'updatedReplicas', 'replicas'),
    ...validateAtMost(status, 'readyReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'),
    ...validateCollisions(status, old),
  ];
}

// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidateDaemonSet*
import { FieldPath, LiteralValue, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { goJson } from '../../../machinery/go-format.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { DaemonSetSpec, DaemonSetStatus, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from '../../../schema/types/apps-v1.ts';
import { intOrPercentValue, validateAtMostAll, validateIntOrPercent } from '../../common/int-or-percent.ts';
import { internalForm } from '../../common/internal-form.ts';
import type { InternalShape } from '../../common/internal-form.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import { validatePodTemplateSpec } from '../../common/pod-spec/template.ts';
import {
  isEmptySelector,
  readSelector,
  shownSelector,
  validateEndlessPods,
  validateSelectorMatches,
  validateSelectorUnchanged,
} from '../../common/workload/selector.ts';
import { validateCollisions, validateCounts } from '../../common/workload/status.ts';

const specPath = FieldPath.root('spec');
const templatePath = specPath.child('template');
const selectorPath = specPath.child('selector');

export function validateDaemonSetSpec(spec: DaemonSetSpec, options: PodValidationOptions): FieldError[] {
  const { selector, template } = spec;
  const read = readSelector(selector);
  const allowed = { allowInvalidLabelValue: options.allowInvalidLabelValueInSelector };
  return [
    ...validateLabelSelector(selector ?? undefined, selectorPath, allowed),
    ...(read === undefined ? [] : validateSelectorMatches(read, template, templatePath)),
    ...(selector && isEmptySelector(selector)
      ? [invalid(selectorPath, shownSelector(selector), 'empty selector is invalid for daemonset')]
      : []),
    ...validatePodTemplateSpec(template, templatePath, options),
    ...validateEndlessPods(template, templatePath, 'DaemonSet'),
    ...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateStrategy(spec.updateStrategy, specPath.child('updateStrategy')),
    ...validateNonNegative(spec.revisionHistoryLimit, specPath.child('revisionHistoryLimit')),
  ];
}

export function validateDaemonSetUpdate(spec: DaemonSetSpec, old: DaemonSetSpec, options: PodValidationOptions): FieldError[] {
  return [...validateSelectorUnchanged(spec.selector, old.selector, selectorPath), ...validateDaemonSetSpec(spec, options)];
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

function validateStrategy(strategy: DaemonSetUpdateStrategy, path: FieldPath): FieldError[] {
  switch (strategy.type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate': {
      const rollingPath = path.child('rollingUpdate');
      return strategy.rollingUpdate === undefined
        ? [required(rollingPath, '')]
        : validateRollingUpdate(strategy.rollingUpdate, rollingPath);
    }
    default:
      return [notSupported(path, new LiteralValue(goJson(internalForm(strategy, strategyShape))), ['RollingUpdate', 'OnDelete'])];
  }
}

function validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet, path: FieldPath): FieldError[] {
  const [unavailablePath, surgePath] = [path.child('maxUnavailable'), path.child('maxSurge')];
  const errors = [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, surgePath),
    ...validateAtMostAll(maxUnavailable, unavailablePath),
    ...validateAtMostAll(maxSurge, surgePath),
  ];
  const [mayBeUnavailable, maySurge] = [intOrPercentValue(maxUnavailable) !== 0, intOrPercentValue(maxSurge) !== 0];
  if (mayBeUnavailable && maySurge) errors.push(invalid(surgePath, typedValue(maxSurge), 'may not be set when maxUnavailable is non-zero'));
  if (!mayBeUnavailable && !maySurge) errors.push(required(unavailablePath, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

export function validateDaemonSetStatus(status: DaemonSetStatus | undefined, old: DaemonSetStatus | undefined): FieldError[] {
  return [
    ...validateCounts(
      status,
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ),
    ...validateCollisions(status, old),
  ];
}

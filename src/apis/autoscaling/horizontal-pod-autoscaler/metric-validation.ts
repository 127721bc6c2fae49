// Upstream: pkg/apis/autoscaling/validation/validation.go (validateMetrics)
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { isDns1123Label, nameIsPathSegment } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as v2 from '../../../schema/types/autoscaling-v2.ts';
import { validateContainerResourceName } from '../../common/resource-names.ts';
import type { ReferenceRules } from './reference-validation.ts';
import { validateReference } from './reference-validation.ts';

/** Sources in the order in which the original looks at them. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type Source = (typeof sources)[number];

const sourceOfType: Readonly<Record<string, Source>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
};
const sourceTypes = Object.keys(sourceOfType).sort();

export function validateMetrics(
  metrics: readonly v2.MetricSpec[],
  path: FieldPath,
  minReplicas: number | undefined,
  rules: ReferenceRules,
): FieldError[] {
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, path.index(index), rules));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    errors.push(forbidden(path, 'must specify at least one Object or External metric to support scaling to zero replicas'));
  }
  return errors;
}

function validateMetric(metric: v2.MetricSpec, path: FieldPath, rules: ReferenceRules): FieldError[] {
  const { type } = metric;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric source type'));
  const expected = Object.hasOwn(sourceOfType, type) ? sourceOfType[type] : undefined;
  if (expected === undefined) errors.push(notSupported(path.child('type'), typedValue(type), sourceTypes));

  const present = sources.filter((source) => metric[source] !== undefined);
  const [first] = present;
  // only the first one is looked into
  if (first !== undefined) errors.push(...validateSource(metric, first, path.child(first), rules));
  if (expected !== undefined && metric[expected] === undefined) {
    errors.push(required(path.child(expected), 'must populate information for the given metric source'));
  }
  if (present.length > 1) {
    const others = present.filter((source) => source !== expected);
    errors.push(...others.map((source) => forbidden(path.child(source), 'must populate the given metric source only')));
  }
  return errors;
}

function validateSource(metric: v2.MetricSpec, source: Source, path: FieldPath, rules: ReferenceRules): FieldError[] {
  switch (source) {
    case 'object':
      return validateObjectSource(metric.object as v2.ObjectMetricSource, path, rules);
    case 'external':
      return validateExternalSource(metric.external as v2.ExternalMetricSource, path);
    case 'pods':
      return validatePodsSource(metric.pods as v2.PodsMetricSource, path);
    case 'resource':
      return validateResourceSource(metric.resource as v2.ResourceMetricSource, path);
    case 'containerResource':
      return validateContainerResourceSource(metric.containerResource as v2.ContainerResourceMetricSource, path);
  }
}

function validateObjectSource(
  { describedObject, metric, target }: v2.ObjectMetricSource,
  path: FieldPath,
  rules: ReferenceRules,
): FieldError[] {
  const errors = [
    ...validateReference(describedObject, path.child('describedObject'), rules),
    ...validateIdentifier(metric, path.child('metric')),
    ...validateTarget(target, path.child('target')),
  ];
  if (target.value === undefined && target.averageValue === undefined) {
    errors.push(required(path.child('target', 'averageValue'), 'must set either a target value or averageValue'));
  }
  return errors;
}

function validateExternalSource({ metric, target }: v2.ExternalMetricSource, path: FieldPath): FieldError[] {
  const errors = [...validateIdentifier(metric, path.child('metric')), ...validateTarget(target, path.child('target'))];
  if (target.value === undefined && target.averageValue === undefined) {
    errors.push(required(path.child('target', 'averageValue'), 'must set either a target value for metric or a per-pod target'));
  }
  if (target.value !== undefined && target.averageValue !== undefined) {
    errors.push(forbidden(path.child('target', 'value'), 'may not set both a target value for metric and a per-pod target'));
  }
  return errors;
}

function validatePodsSource({ metric, target }: v2.PodsMetricSource, path: FieldPath): FieldError[] {
  const errors = [...validateIdentifier(metric, path.child('metric')), ...validateTarget(target, path.child('target'))];
  if (target.averageValue === undefined) {
    errors.push(required(path.child('target', 'averageValue'), 'must specify a positive target averageValue'));
  }
  return errors;
}

function validateResourceSource({ name, target }: v2.ResourceMetricSource, path: FieldPath): FieldError[] {
  const errors = name === '' ? [required(path.child('name'), 'must specify a resource name')] : [];
  return [...errors, ...validateUsageTarget(target, path.child('target'))];
}

function validateContainerResourceSource({ name, container, target }: v2.ContainerResourceMetricSource, path: FieldPath): FieldError[] {
  const namePath = path.child('name');
  const containerPath = path.child('container');
  return [
    ...(name === '' ? [required(namePath, 'must specify a resource name')] : validateContainerResourceName(name, namePath)),
    ...(container === ''
      ? [required(containerPath, 'must specify a container')]
      : isDns1123Label(container).map((problem) => invalid(containerPath, container, problem))),
    ...validateUsageTarget(target, path.child('target')),
  ];
}

function validateUsageTarget(target: v2.MetricTarget, path: FieldPath): FieldError[] {
  const errors = validateTarget(target, path);
  if (target.averageUtilization === undefined && target.averageValue === undefined) {
    errors.push(required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization'));
  }
  if (target.averageUtilization !== undefined && target.averageValue !== undefined) {
    errors.push(forbidden(path.child('averageValue'), 'may not set both a target raw value and a target utilization'));
  }
  return errors;
}

function validateTarget({ type, value, averageValue, averageUtilization }: v2.MetricTarget, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    errors.push(invalid(path.child('type'), typedValue(type), 'must be either Utilization, Value, or AverageValue'));
  }
  if (value !== undefined && Quantity.parse(value).sign !== 1) {
    errors.push(invalid(path.child('value'), value, 'must be positive'));
  }
  if (averageValue !== undefined && Quantity.parse(averageValue).sign !== 1) {
    errors.push(invalid(path.child('averageValue'), averageValue, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

function validateIdentifier({ name }: v2.MetricIdentifier, path: FieldPath): FieldError[] {
  if (name === '') return [required(path.child('name'), 'must specify a metric name')];
  return nameIsPathSegment(name, false).map((problem) => invalid(path.child('name'), name, problem));
}

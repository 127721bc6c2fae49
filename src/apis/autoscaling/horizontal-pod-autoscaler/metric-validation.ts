// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/validation/validation.go#validateMetrics
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { checkDns1123Label, nameIsPathSegment } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as v2 from '../../../schema/types/autoscaling-v2.ts';
import { validateContainerResourceName } from '../../common/resource-names.ts';
import type { ReferenceRules } from './reference-validation.ts';
import { validateReference } from './reference-validation.ts';

/** Sources in the order in which upstream looks at them. */
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
  if (first !== undefined) append(errors, validateSource(metric, first, path.child(first), rules));
  if (expected !== undefined && metric[expected] === undefined) {
    errors.push(required(path.child(expected), 'must populate information for the given metric source'));
  }
  if (present.length > 1) {
    const others = present.filter((source) => source !== expected);
    append(
      errors,
      others.map((source) => forbidden(path.child(source), 'must populate the given metric source only')),
    );
  }
  return errors;
}

/** What a target has to have: one of these fields, or exactly one where the other is forbidden beside it. */
interface TargetRule {
  readonly oneOf: readonly (keyof v2.MetricTarget)[];
  readonly missing: readonly [field: string, why: string];
  readonly both?: readonly [field: string, why: string];
}

const usage: TargetRule = {
  oneOf: ['averageUtilization', 'averageValue'],
  missing: ['averageUtilization', 'must set either a target raw value or a target utilization'],
  both: ['averageValue', 'may not set both a target raw value and a target utilization'],
};
const targetRules: Readonly<Record<Source, TargetRule>> = {
  object: { oneOf: ['value', 'averageValue'], missing: ['averageValue', 'must set either a target value or averageValue'] },
  external: {
    oneOf: ['value', 'averageValue'],
    missing: ['averageValue', 'must set either a target value for metric or a per-pod target'],
    both: ['value', 'may not set both a target value for metric and a per-pod target'],
  },
  pods: { oneOf: ['averageValue'], missing: ['averageValue', 'must specify a positive target averageValue'] },
  resource: usage,
  containerResource: usage,
};

function validateSource(metric: v2.MetricSpec, source: Source, path: FieldPath, rules: ReferenceRules): FieldError[] {
  const given = metric[source] as Partial<v2.ObjectMetricSource & v2.ContainerResourceMetricSource> & { target: v2.MetricTarget };
  const { describedObject, metric: identifier, name, container, target } = given;
  const checkName = source === 'containerResource' ? validateContainerResourceName : (): FieldError[] => [];
  return [
    ...(describedObject ? validateReference(describedObject, path.child('describedObject'), rules) : []),
    ...(identifier ? validateName(identifier.name, path.child('metric', 'name'), 'must specify a metric name', isSegment) : []),
    ...(name === undefined ? [] : validateName(name, path.child('name'), 'must specify a resource name', checkName)),
    ...(container === undefined ? [] : validateName(container, path.child('container'), 'must specify a container', isLabel)),
    ...validateTarget(target, path.child('target'), targetRules[source]),
  ];
}

type NameCheck = (name: string, path: FieldPath) => FieldError[];
const isSegment: NameCheck = (name, path) => nameIsPathSegment(name, false).map((why) => invalid(path, name, why));
const isLabel: NameCheck = (name, path) => checkDns1123Label(name).map((why) => invalid(path, name, why));

function validateName(name: string, path: FieldPath, whenEmpty: string, check: NameCheck): FieldError[] {
  return name === '' ? [required(path, whenEmpty)] : check(name, path);
}

function validateTarget(target: v2.MetricTarget, path: FieldPath, { oneOf, missing, both }: TargetRule): FieldError[] {
  const { type, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    errors.push(invalid(path.child('type'), typedValue(type), 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue'] as const) {
    const quantity = target[field];
    if (quantity !== undefined && Quantity.parse(quantity).sign !== 1)
      errors.push(invalid(path.child(field), quantity, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'));
  }
  const count = oneOf.filter((field) => target[field] !== undefined).length;
  if (count === 0) errors.push(required(path.child(missing[0]), missing[1]));
  if (count > 1 && both !== undefined) errors.push(forbidden(path.child(both[0]), both[1]));
  return errors;
}

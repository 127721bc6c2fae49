// Upstream: pkg/apis/autoscaling/v1/conversion.go (metrics and their statuses)
// Members stand in the order of the original's types: the result becomes the text of an annotation.
import { Quantity } from '../../../machinery/quantity.ts';
import type * as v1 from '../../../schema/types/autoscaling-v1.ts';
import type * as v2 from '../../../schema/types/autoscaling-v2.ts';

const zero = '0';

export function metricToV1(metric: v2.MetricSpec): v1.MetricSpec {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    ...(object && {
      object: {
        target: reference(object.describedObject),
        metricName: object.metric.name,
        targetValue: object.target.value ?? zero,
        ...given('selector', object.metric.selector),
        ...given('averageValue', object.target.averageValue),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? zero,
        ...given('selector', pods.metric.selector),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...averages(resource.target) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...averages(containerResource.target),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...given('metricSelector', external.metric.selector),
        ...given('targetValue', external.target.value),
        ...given('targetAverageValue', external.target.averageValue),
      },
    }),
  };
}

function averages({
  averageUtilization,
  averageValue,
}: v2.MetricTarget): Pick<v1.ResourceMetricSource, 'targetAverageUtilization' | 'targetAverageValue'> {
  return { ...given('targetAverageUtilization', averageUtilization), ...given('targetAverageValue', averageValue) };
}

export function metricFromV1(metric: v1.MetricSpec): v2.MetricSpec {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    ...(object && { object: objectFromV1(object) }),
    ...(pods && {
      pods: {
        metric: identifier(pods.metricName, pods.selector),
        target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
      },
    }),
    ...(resource && { resource: { name: resource.name, target: utilizationTarget(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        target: utilizationTarget(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        target: {
          type: external.targetValue === undefined ? 'AverageValue' : 'Value',
          ...given('value', external.targetValue),
          ...given('averageValue', external.targetAverageValue),
        },
      },
    }),
  };
}

function objectFromV1({ target, metricName, targetValue, selector, averageValue }: v1.ObjectMetricSource): v2.ObjectMetricSource {
  const describedObject = reference(target);
  const metric = identifier(metricName, selector);
  if (averageValue === undefined) return { describedObject, target: { type: 'Value', value: targetValue }, metric };
  // v1 cannot leave the value out and says 0, which no target may be.
  const value = Quantity.parse(targetValue).isZero ? undefined : targetValue;
  return { describedObject, target: { type: 'AverageValue', ...given('value', value), averageValue }, metric };
}

function utilizationTarget(source: v1.ResourceMetricSource): v2.MetricTarget {
  const { targetAverageUtilization, targetAverageValue } = source;
  return {
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    ...given('averageValue', targetAverageValue),
    ...given('averageUtilization', targetAverageUtilization),
  };
}

export function statusToV1(status: v2.MetricStatus): v1.MetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    ...(object && {
      object: {
        target: reference(object.describedObject),
        metricName: object.metric.name,
        currentValue: object.current.value ?? zero,
        ...given('selector', object.metric.selector),
        ...given('averageValue', object.current.averageValue),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? zero,
        ...given('selector', pods.metric.selector),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...currentAverages(resource.current) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...currentAverages(containerResource.current),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...given('metricSelector', external.metric.selector),
        currentValue: external.current.value ?? zero,
        ...given('currentAverageValue', external.current.averageValue),
      },
    }),
  };
}

function currentAverages({
  averageUtilization,
  averageValue = zero,
}: v2.MetricValueStatus): Pick<v1.ResourceMetricStatus, 'currentAverageUtilization' | 'currentAverageValue'> {
  return { ...given('currentAverageUtilization', averageUtilization), currentAverageValue: averageValue };
}

export function statusFromV1(status: v1.MetricStatus): v2.MetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    ...(object && {
      object: {
        metric: identifier(object.metricName, object.selector),
        current: { value: object.currentValue, ...given('averageValue', object.averageValue) },
        describedObject: reference(object.target),
      },
    }),
    ...(pods && {
      pods: { metric: identifier(pods.metricName, pods.selector), current: { averageValue: pods.currentAverageValue } },
    }),
    ...(resource && { resource: { name: resource.name, current: current(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        current: current(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        current: { value: external.currentValue, ...given('averageValue', external.currentAverageValue) },
      },
    }),
  };
}

function current({ currentAverageValue, currentAverageUtilization }: v1.ResourceMetricStatus): v2.MetricValueStatus {
  return { averageValue: currentAverageValue, ...given('averageUtilization', currentAverageUtilization) };
}

function identifier(name: string, selector: v2.MetricIdentifier['selector']): v2.MetricIdentifier {
  return { name, ...given('selector', selector) };
}

function reference({ kind, name, apiVersion }: v2.CrossVersionObjectReference): v2.CrossVersionObjectReference {
  return { kind, name, ...given('apiVersion', apiVersion) };
}

function given<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: V };
}

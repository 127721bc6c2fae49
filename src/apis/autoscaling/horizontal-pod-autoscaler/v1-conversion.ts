// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/v1/conversion.go
import { goJson } from '../../../machinery/go-format.ts';
import type * as v1 from '../../../schema/types/autoscaling-v1.ts';
import type * as v2 from '../../../schema/types/autoscaling-v2.ts';
import type { Conversion, KubeObject } from '../../../server/registry/definition.ts';
import { annotationNames, dropCarried } from './v1-annotations.ts';
import { behaviorText, readBehavior, readList } from './v1-carried-json.ts';
import { cpuMetric } from './defaults.ts';
import { metricFromV1, metricToV1, statusFromV1, statusToV1 } from './v1-metric-conversion.ts';

type Old = v1.HorizontalPodAutoscaler & KubeObject;
type Stored = v2.HorizontalPodAutoscaler & KubeObject;

/** autoscaling/v1 has a field for CPU utilization; all else travels in annotations. */
export const conversionV1: Conversion<Stored> = {
  toStorage(object) {
    const old = object as Old;
    const annotations = old.metadata.annotations ?? {};
    const { targetCPUUtilizationPercentage: target, ...spec } = old.spec;
    const { currentCPUUtilizationPercentage: current, ...status } = old.status ?? { currentReplicas: 0, desiredReplicas: 0 };

    const others = readList<v1.MetricSpec>(annotations[annotationNames.metrics])?.map(metricFromV1) ?? [];
    const metrics = target === undefined ? others : [...others, cpuMetric(target)];
    const behavior = readBehavior(annotations[annotationNames.behavior]);
    const currentMetrics =
      readList<v1.MetricStatus>(annotations[annotationNames.currentMetrics])?.map(statusFromV1) ??
      (current === undefined ? null : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]);
    const conditions = readList<v2.HorizontalPodAutoscalerCondition>(annotations[annotationNames.conditions]);

    const metadata = { ...old.metadata, ...(old.metadata.annotations && { annotations: { ...annotations } }) };
    dropCarried(metadata);
    return {
      ...old,
      metadata,
      spec: { ...spec, metrics: metrics.length > 0 ? metrics : [cpuMetric()], ...(behavior && { behavior }) },
      status: { ...status, currentMetrics, ...(conditions && { conditions }) },
    } as Stored;
  },

  fromStorage(stored) {
    const { metrics = [], behavior, ...spec } = stored.spec;
    // an object that is being created has none yet
    const { currentMetrics, conditions = [], currentReplicas = 0, desiredReplicas, ...status } = stored.status ?? { desiredReplicas: 0 };
    const cpu = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
    const others = metrics.filter((metric) => !isCpuUtilization(metric));
    // the last one wins, as in upstream
    const currentCpu = currentMetrics?.findLast(
      ({ resource }) => resource?.name === 'cpu' && resource.current.averageUtilization !== undefined,
    );

    const metadata = { ...stored.metadata, annotations: { ...stored.metadata.annotations } };
    const { annotations } = metadata;
    if (others.length > 0) annotations[annotationNames.metrics] = goJson(others.map(metricToV1));
    if (currentMetrics?.length) annotations[annotationNames.currentMetrics] = goJson(currentMetrics.map(statusToV1));
    if (behavior !== undefined) annotations[annotationNames.behavior] = behaviorText(behavior);
    if (conditions.length > 0) annotations[annotationNames.conditions] = goJson(conditions.map(orderedCondition));
    const { annotations: _, ...bare } = metadata;
    return {
      ...stored,
      metadata: Object.keys(annotations).length > 0 ? metadata : bare,
      spec: { ...spec, ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }) },
      status: {
        ...status,
        currentReplicas,
        desiredReplicas,
        ...(currentCpu && { currentCPUUtilizationPercentage: currentCpu.resource?.current.averageUtilization }),
      },
    };
  },
};

function isCpuUtilization({ type, resource }: v2.MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;
}

function orderedCondition(condition: v2.HorizontalPodAutoscalerCondition): unknown {
  const { type, status, lastTransitionTime, reason, message, observedGeneration } = condition;
  return { type, status, lastTransitionTime, reason, message, observedGeneration };
}

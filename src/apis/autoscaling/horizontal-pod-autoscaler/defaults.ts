// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/v2/defaults.go
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import type { HorizontalPodAutoscalerSpec, HPAScalingRules, MetricSpec } from '../../../schema/types/autoscaling-v2.ts';

const defaultCpuUtilization = 80;

/** Who asks for no metric gets CPU. */
export function cpuMetric(averageUtilization = defaultCpuUtilization): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

export function specDefaults(spec: HorizontalPodAutoscalerSpec): void {
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) spec.metrics = [cpuMetric()];
  if (spec.behavior === undefined) return;
  spec.behavior.scaleUp = withDefaults(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  // How long to wait before scaling down is the controller's choice.
  spec.behavior.scaleDown = withDefaults(spec.behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

/** Who states that there are no policies gets none, and is refused. */
function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  const { policies, ...others } = defaults;
  const takesPolicies = policies !== undefined && (rules === undefined || !isDistinct(rules, 'policies'));
  return { ...others, ...(takesPolicies && { policies }), ...rules };
}

// Made by `npm run generate`; do not edit.
import type { Int64, Quantity, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export type MetricSourceType = 'ContainerResource' | 'External' | 'Object' | 'Pods' | 'Resource' | (string & {});

export interface ContainerResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: Quantity;
  container: string;
}

export interface ContainerResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: Quantity;
  container: string;
}

export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}

export interface ExternalMetricSource {
  metricName: string;
  metricSelector?: metaV1.LabelSelector;
  targetValue?: Quantity;
  targetAverageValue?: Quantity;
}

export interface ExternalMetricStatus {
  metricName: string;
  metricSelector?: metaV1.LabelSelector;
  currentValue: Quantity;
  currentAverageValue?: Quantity;
}

export interface HorizontalPodAutoscaler extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status: HorizontalPodAutoscalerStatus;
}

export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
}

export interface HorizontalPodAutoscalerList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: HorizontalPodAutoscaler[] | null;
}

export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
}

export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: Int64;
  lastScaleTime?: Time;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
}

export interface MetricSpec {
  type: MetricSourceType;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}

export interface MetricStatus {
  type: MetricSourceType;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}

export interface ObjectMetricSource {
  target: CrossVersionObjectReference;
  metricName: string;
  targetValue: Quantity;
  selector?: metaV1.LabelSelector;
  averageValue?: Quantity;
}

export interface ObjectMetricStatus {
  target: CrossVersionObjectReference;
  metricName: string;
  currentValue: Quantity;
  selector?: metaV1.LabelSelector;
  averageValue?: Quantity;
}

export interface PodsMetricSource {
  metricName: string;
  targetAverageValue: Quantity;
  selector?: metaV1.LabelSelector;
}

export interface PodsMetricStatus {
  metricName: string;
  currentAverageValue: Quantity;
  selector?: metaV1.LabelSelector;
}

export interface ResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: Quantity;
}

export interface ResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: Quantity;
}

export interface Scale extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ScaleSpec;
  status: ScaleStatus;
}

export interface ScaleSpec {
  replicas?: number;
}

export interface ScaleStatus {
  replicas: number;
  selector?: string;
}

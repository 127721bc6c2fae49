// Made by `npm run generate`; do not edit.
import type { Int64, IntOrString, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export type UnhealthyPodEvictionPolicyType = 'AlwaysAllow' | 'IfHealthyBudget' | (string & {});

export interface Eviction extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  deleteOptions?: metaV1.DeleteOptions;
}

export interface PodDisruptionBudget extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PodDisruptionBudgetSpec;
  status: PodDisruptionBudgetStatus;
}

export interface PodDisruptionBudgetList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PodDisruptionBudget[] | null;
}

export interface PodDisruptionBudgetSpec {
  minAvailable?: IntOrString;
  selector?: metaV1.LabelSelector;
  maxUnavailable?: IntOrString;
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}

export interface PodDisruptionBudgetStatus {
  observedGeneration?: Int64;
  disruptedPods?: Record<string, Time>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: metaV1.Condition[];
}

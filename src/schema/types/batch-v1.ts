// Made by `npm run generate`; do not edit.
import type { Int64, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';
import type * as schedulingV1alpha3 from './scheduling-v1alpha3.ts';

export type CompletionMode = 'Indexed' | 'NonIndexed' | (string & {});

export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace' | (string & {});

export type PodFailurePolicyAction = 'Count' | 'FailIndex' | 'FailJob' | 'Ignore' | (string & {});

export type PodFailurePolicyOnExitCodesOperator = 'In' | 'NotIn' | (string & {});

export type PodReplacementPolicy = 'Failed' | 'TerminatingOrFailed' | (string & {});

export interface CronJob extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CronJobSpec;
  status: CronJobStatus;
}

export interface CronJobList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CronJob[] | null;
}

export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64;
  concurrencyPolicy?: ConcurrencyPolicy;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

export interface CronJobStatus {
  active?: coreV1.ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
}

export interface Job extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: JobSpec;
  status: JobStatus;
}

export interface JobCondition {
  type: string;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface JobList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Job[] | null;
}

export interface JobSchedulingConfiguration {
  schedulingPolicy?: schedulingV1alpha3.WorkloadPodGroupSchedulingPolicy;
  schedulingConstraints?: schedulingV1alpha3.WorkloadPodGroupSchedulingConstraints;
  disruptionMode?: schedulingV1alpha3.WorkloadPodGroupDisruptionMode;
  resourceClaims?: schedulingV1alpha3.WorkloadPodGroupResourceClaim[];
}

export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: Int64;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: metaV1.LabelSelector;
  manualSelector?: boolean;
  template: coreV1.PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: CompletionMode;
  suspend?: boolean;
  podReplacementPolicy?: PodReplacementPolicy;
  managedBy?: string;
  scheduling?: JobSchedulingConfiguration;
}

export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: Time;
  completionTime?: Time;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
}

export interface JobTemplateSpec {
  metadata: metaV1.ObjectMeta;
  spec: JobSpec;
}

export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[] | null;
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: PodFailurePolicyOnExitCodesOperator;
  values: number[] | null;
}

export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status: string;
}

export interface PodFailurePolicyRule {
  action: PodFailurePolicyAction;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}

export interface SuccessPolicy {
  rules: SuccessPolicyRule[] | null;
}

export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

export interface UncountedTerminatedPods {
  succeeded?: string[];
  failed?: string[];
}

// Upstream: k8s.io/kubernetes/pkg/apis/batch/v1/defaults.go
import type { JobSpec } from '../../../schema/types/batch-v1.ts';
import { defaultPodTemplate } from '../pod-spec/defaults.ts';

const backoffLimit = 6;
const noBackoffLimit = 2 ** 31 - 1;

/** What a job spec gets wherever it is: in a job, or in a cron job's template. */
export function defaultNestedJobSpec(spec: JobSpec): void {
  defaultPodTemplate(spec.template);
  for (const rule of spec.podFailurePolicy?.rules ?? []) for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
}

export function defaultJobSpec(spec: JobSpec): void {
  defaultNestedJobSpec(spec);
  if (spec.parallelism === undefined) {
    spec.completions ??= 1;
    spec.parallelism = 1;
  }
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? backoffLimit : noBackoffLimit;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}

// Upstream: k8s.io/kubernetes/pkg/api/job/{util,warnings}.go
import type { FieldPath } from '../../../machinery/field.ts';
import type { JobSpec } from '../../../schema/types/batch-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { dropDisabledTemplateFields } from '../pod-spec/disabled-fields.ts';
import { podTemplateWarnings } from '../pod-spec/warnings.ts';

const manyCompletions = 100_000;
const highParallelism = 10_000;

export function dropDisabledJobFields(spec: JobSpec, old: JobSpec | undefined, features: FeatureGates): void {
  if (!features.enabled('WorkloadWithJob') && old?.scheduling === undefined) delete spec.scheduling;
  dropDisabledTemplateFields(spec.template, old?.template, features);
}

export function jobWarnings(spec: JobSpec, path: FieldPath, features: FeatureGates): string[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const warnings = podTemplateWarnings(template, path.child('template'), features);
  if (completionMode !== 'Indexed' || completions <= manyCompletions || parallelism <= highParallelism) return warnings;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${path}: ${text}`, ...warnings];
}

// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#validateJobSpec
import { append } from '../../../machinery/append.ts';
import { invalid, notSupported, required, tooLong, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import { validateDomainPrefixedPath } from '../../../machinery/qualified-names.ts';
import type { JobSpec } from '../../../schema/types/batch-v1.ts';
import type { PodValidationOptions } from '../pod-spec/options.ts';
import { validatePodTemplateSpec } from '../pod-spec/template.ts';
import { shownSuccessPolicy } from './internal-forms.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './policies.ts';

const maxIndexed = 100_000;
const maxWithManyCompletions = 10_000;
const maxManagedByBytes = 63;
const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
] as const;

/** A job's spec but for its selector: what a job and a cron job's template have in common. */
export function validateJobSpec(spec: JobSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of counts) append(errors, validateNonNegative(spec[field], path.child(field)));
  if (spec.maxFailedIndexes !== undefined) {
    append(errors, validateNonNegative(spec.maxFailedIndexes, path.child('maxFailedIndexes')));
    if (spec.backoffLimitPerIndex === undefined)
      errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) {
    append(errors, validateDomainPrefixedPath(spec.managedBy, path.child('managedBy')));
    if (Buffer.byteLength(spec.managedBy) > maxManagedByBytes) errors.push(tooLong(path.child('managedBy'), maxManagedByBytes));
  }
  append(errors, validateCompletionMode(spec, path));
  if (spec.podFailurePolicy !== undefined) append(errors, validatePodFailurePolicy(spec, path.child('podFailurePolicy')));
  if (spec.successPolicy !== undefined) {
    const policyPath = path.child('successPolicy');
    if (spec.completionMode === 'Indexed') append(errors, validateSuccessPolicy(spec, policyPath));
    else errors.push(invalid(policyPath, shownSuccessPolicy(spec.successPolicy), 'requires indexed completion mode'));
  }
  return [
    ...errors,
    ...validateReplacement(spec, path.child('podReplacementPolicy')),
    ...validateGang(spec, path),
    ...validatePodTemplateSpec(spec.template, path.child('template'), options),
    ...validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy')),
  ];
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode: mode = 'NonIndexed', completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const failedPath = path.child('maxFailedIndexes');
  if (mode === 'NonIndexed') {
    const detail = 'requires indexed completion mode';
    if (backoffLimitPerIndex !== undefined) errors.push(invalid(path.child('backoffLimitPerIndex'), backoffLimitPerIndex, detail));
    if (maxFailedIndexes !== undefined) errors.push(invalid(failedPath, maxFailedIndexes, detail));
    return errors;
  }
  if (mode !== 'Indexed') return [notSupported(path.child('completionMode'), typedValue(mode), ['NonIndexed', 'Indexed'])];
  if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
  if (parallelism > maxIndexed) {
    const detail = `must be less than or equal to ${maxIndexed} when completion mode is Indexed`;
    errors.push(invalid(path.child('parallelism'), parallelism, detail));
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    errors.push(invalid(failedPath, maxFailedIndexes, 'must be less than or equal to completions'));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > maxIndexed) {
    errors.push(invalid(failedPath, maxFailedIndexes, `must be less than or equal to ${maxIndexed}`));
  }
  if ((completions ?? 0) <= maxIndexed || backoffLimitPerIndex === undefined) return errors;
  const limited = `must be less than or equal to ${maxWithManyCompletions} when completions are above ${maxIndexed} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) errors.push(required(failedPath, `must be specified when completions is above ${maxIndexed}`));
  if (parallelism > maxWithManyCompletions) errors.push(invalid(path.child('parallelism'), parallelism, limited));
  if ((maxFailedIndexes ?? 0) > maxWithManyCompletions) errors.push(invalid(failedPath, maxFailedIndexes, limited));
  return errors;
}

function validateReplacement({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  if (policy === undefined) return [];
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return supported.includes(policy) ? [] : [notSupported(path, typedValue(policy), supported)];
}

function validateGang({ scheduling, parallelism = 1 }: JobSpec, path: FieldPath): FieldError[] {
  const minCount = scheduling?.schedulingPolicy?.gang?.minCount;
  if (minCount === undefined || minCount <= parallelism) return [];
  const at = path.child('scheduling', 'schedulingPolicy', 'gang').child('minCount');
  return [invalid(at, minCount, `must not be greater than parallelism (${parallelism})`)];
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  const policy = template.spec.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, typedValue(policy), ['OnFailure', 'Never'])];
  if (podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalid(path, typedValue(policy), 'only "Never" is supported when podFailurePolicy is specified')];
}

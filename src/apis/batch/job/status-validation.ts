// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#ValidateJobStatusUpdate
// Upstream: k8s.io/kubernetes/pkg/registry/batch/job/strategy.go#getStatusValidationOptions
//
// Rules hold only for what a write changes: a status that was wrong before may stay so.
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath, duplicate, invalid, omitValue, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import type { JobCondition, JobStatus } from '../../../schema/types/batch-v1.ts';
import { countIndexes, overlappingIndex } from '../../common/job/indexes.ts';
import { validateCounts } from '../../common/workload/status.ts';
import type { JobObject } from './definition.ts';

const statusPath = FieldPath.root('status');
const conditionsPath = statusPath.child('conditions');

export function isTrue(conditions: readonly JobCondition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** What the conditions of a status say. */
class Outcome {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failureTarget: boolean;
  readonly successCriteriaMet: boolean;

  constructor({ conditions }: JobStatus) {
    this.complete = isTrue(conditions, 'Complete');
    this.failed = isTrue(conditions, 'Failed');
    this.failureTarget = isTrue(conditions, 'FailureTarget');
    this.successCriteriaMet = isTrue(conditions, 'SuccessCriteriaMet');
  }

  get finished(): boolean {
    return this.complete || this.failed;
  }
}

export function validateJobStatusUpdate(job: JobObject, old: JobObject): FieldError[] {
  const status = job.status ?? {};
  const before = old.status ?? {};
  const now = new Outcome(status);
  const was = new Outcome(before);
  const errors: FieldError[] = [];
  const refuseIf = (refused: boolean, path: FieldPath, value: unknown, detail: string): void =>
    void (refused && errors.push(invalid(path, value, detail)));
  const conditionsIf = (refused: boolean, detail: string): void => refuseIf(refused, conditionsPath, omitValue, detail);
  const changed = (...fields: readonly (keyof JobStatus)[]): boolean =>
    fields.some((field) => !semanticDeepEqual(status[field], before[field]));
  const turned = (...fields: readonly (keyof Outcome)[]): boolean => fields.some((field) => now[field] !== was[field]);

  append(errors, validateCounts(status, 'active', 'succeeded', 'failed', 'ready', 'terminating'), validateUncounted(status));
  conditionsIf(turned('complete', 'failed') && now.complete && now.failed, 'cannot set Complete=True and Failed=true conditions');
  conditionsIf(
    turned('complete', 'failureTarget') && now.complete && now.failureTarget,
    'cannot set Complete=True and FailureTarget=true conditions',
  );
  append(errors, validateTimes(job, now, turned('complete'), changed));
  conditionsIf(
    (turned('failed') || changed('failedIndexes')) && now.failed && !now.failureTarget,
    'cannot set Failed=True condition without the FailureTarget=true condition',
  );
  conditionsIf(
    turned('complete', 'successCriteriaMet') && now.complete && !now.successCriteriaMet,
    'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  );
  const { active = 0, ready, terminating } = status;
  refuseIf(
    (turned('finished') || changed('active')) && active > 0 && now.finished,
    statusPath.child('active'),
    active,
    'active>0 is invalid for finished job',
  );
  const emptySuspended = job.spec.suspend === true && job.spec.completions === 0;
  if ((turned('finished') || changed('startTime')) && !emptySuspended && status.startTime === undefined && now.finished) {
    errors.push(required(statusPath.child('startTime'), 'startTime is required for finished job'));
  }
  const uncounted = status.uncountedTerminatedPods;
  const hasUncounted = Boolean(uncounted?.failed?.length || uncounted?.succeeded?.length);
  refuseIf(
    (turned('finished') || changed('uncountedTerminatedPods')) && now.finished && hasUncounted,
    statusPath.child('uncountedTerminatedPods'),
    { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null },
    'must be empty for finished job',
  );
  append(errors, validateIndexes(job, changed));
  refuseIf(
    (turned('finished') || changed('terminating')) && (terminating ?? 0) > 0 && now.finished,
    statusPath.child('terminating'),
    terminating,
    'terminating>0 is invalid for finished job',
  );
  refuseIf(
    changed('ready', 'active') && ready !== undefined && ready > active,
    statusPath.child('ready'),
    ready,
    'cannot set more ready pods than active',
  );
  conditionsIf(now.successCriteriaMet && now.failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  conditionsIf(now.successCriteriaMet && now.failureTarget, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  conditionsIf(
    job.spec.successPolicy !== undefined && !now.successCriteriaMet && now.complete,
    'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  );
  return [...errors, ...validateTransition(job, before, now, was)];
}

function validateTransition({ spec, status = {} }: JobObject, before: JobStatus, now: Outcome, was: Outcome): FieldError[] {
  const errors: FieldError[] = [];
  const terminal = [
    ['Failed', 'failed'],
    ['Complete', 'complete'],
    ['FailureTarget', 'failureTarget'],
  ] as const;
  for (const [type, field] of terminal) {
    if (was[field] && !now[field]) errors.push(invalid(conditionsPath, omitValue, `cannot disable the terminal ${type}=True condition`));
  }
  const { failed = 0, succeeded = 0 } = status;
  if (failed < (before.failed ?? 0)) errors.push(invalid(statusPath.child('failed'), failed, 'cannot decrease the failed counter'));
  // A job whose completions follow its parallelism can shrink.
  const canShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!canShrink && succeeded < (before.succeeded ?? 0)) {
    errors.push(invalid(statusPath.child('succeeded'), succeeded, 'cannot decrease the succeeded counter'));
  }
  const { completionTime, startTime } = status;
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime) {
    errors.push(invalid(statusPath.child('completionTime'), completionTime, 'field is immutable'));
  }
  const resuming =
    isTrue(before.conditions, 'Suspended') &&
    status.conditions?.some(({ type, status: value }) => type === 'Suspended' && value === 'False') === true;
  if (before.startTime !== undefined && startTime !== before.startTime && !resuming && spec.suspend !== true) {
    errors.push(invalid(statusPath.child('startTime'), startTime ?? null, 'field is immutable for unsuspended job once set'));
  }
  if (was.successCriteriaMet && !now.successCriteriaMet) {
    errors.push(invalid(conditionsPath, omitValue, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  if (was.complete && !was.successCriteriaMet && now.successCriteriaMet) {
    errors.push(invalid(conditionsPath, omitValue, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'));
  }
  return errors;
}

type Changed = (...fields: readonly (keyof JobStatus)[]) => boolean;

function validateTimes({ status }: JobObject, now: Outcome, completed: boolean, changed: Changed): FieldError[] {
  const { startTime, completionTime } = status ?? {};
  const path = statusPath.child('completionTime');
  const errors: FieldError[] = [];
  if (completed || changed('completionTime')) {
    if (completionTime !== undefined && !now.complete) {
      errors.push(invalid(path, completionTime, 'cannot set completionTime when there is no Complete=True condition'));
    }
    if (completionTime === undefined && now.complete) errors.push(required(path, 'completionTime is required for Complete jobs'));
  }
  if (changed('startTime', 'completionTime') && startTime !== undefined && completionTime !== undefined && completionTime < startTime) {
    errors.push(invalid(path, completionTime, 'must be equal to or after `startTime`'));
  }
  return errors;
}

function validateIndexes({ spec, status }: JobObject, changed: Changed): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = '', failedIndexes } = status ?? {};
  const completedPath = statusPath.child('completedIndexes');
  const failedPath = statusPath.child('failedIndexes');
  const errors: FieldError[] = [];
  const checkFormat = (text: string, path: FieldPath, field: string): void => {
    const read = countIndexes(text, completions ?? 0);
    if ('problem' in read) errors.push(invalid(path, text, `error parsing ${field}: ${read.problem}`));
  };
  if (changed('completedIndexes') && completions !== undefined) checkFormat(completedIndexes, completedPath, 'completedIndexes');
  if (changed('failedIndexes') && completions !== undefined && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) {
    checkFormat(failedIndexes, failedPath, 'failedIndexes');
  }
  if (changed('completedIndexes') && completedIndexes !== '' && completionMode !== 'Indexed') {
    errors.push(invalid(completedPath, completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode'));
  }
  if (changed('failedIndexes') && backoffLimitPerIndex === undefined && failedIndexes !== undefined) {
    errors.push(invalid(failedPath, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
  }
  if (changed('failedIndexes', 'completedIndexes') && completions !== undefined && failedIndexes !== undefined) {
    const index = overlappingIndex(completedIndexes, failedIndexes, completions);
    if (index !== undefined) {
      errors.push(invalid(failedPath, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${index}`));
    }
  }
  return errors;
}

function validateUncounted({ uncountedTerminatedPods: uncounted }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (uncounted?.[field] ?? []).flatMap((uid, index) => {
      const path = statusPath.child('uncountedTerminatedPods', field).index(index);
      if (uid === '') return [invalid(path, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(path, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

// Upstream: k8s.io/kubernetes/pkg/registry/batch/cronjob/strategy.go, k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#ValidateCronJob*
import { validateCronSchedule, validateTimeZone } from '../../../machinery/cron.ts';
import { FieldPath, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { CronJob, JobTemplateSpec } from '../../../schema/types/batch-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { age, ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { defaultNestedJobSpec } from '../../common/job/defaults.ts';
import { dropDisabledJobFields, jobWarnings } from '../../common/job/hooks.ts';
import { validateJobSpec } from '../../common/job/validation.ts';
import { podTemplateValidationOptions } from '../../common/pod-spec/options.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import { containerColumns, selectorColumn } from '../../common/workload/columns.ts';
import { podNameWarnings } from '../../common/workload/name-warning.ts';
import { shownSelector } from '../../common/workload/selector.ts';

type CronJobObject = CronJob & KubeObject;

const maxNameLength = 52;
const successfulJobsHistoryLimit = 3;
const specPath = FieldPath.root('spec');
const templatePath = specPath.child('jobTemplate');
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];
const specDoc = (field: string): ReturnType<typeof docOf> => docOf('io.k8s.api.batch.v1.CronJobSpec', field);
const statusDoc = (field: string): ReturnType<typeof docOf> => docOf('io.k8s.api.batch.v1.CronJobStatus', field);

export const cronJobs = defineResource<CronJobObject>({
  group: 'batch',
  plural: 'cronjobs',
  strategy: {
    generation: true,
    defaults({ spec }) {
      defaultNestedJobSpec(spec.jobTemplate.spec);
      spec.concurrencyPolicy ||= 'Allow';
      spec.suspend ??= false;
      spec.successfulJobsHistoryLimit ??= successfulJobsHistoryLimit;
      spec.failedJobsHistoryLimit ??= 1;
    },
    prepareForCreate({ spec }, { features }) {
      dropDisabledJobFields(spec.jobTemplate.spec, undefined, features);
    },
    prepareForUpdate({ spec }, old, { features }) {
      dropDisabledJobFields(spec.jobTemplate.spec, old.spec.jobTemplate.spec, features);
    },
    validate: (cronJob, context) => [...validateSpec(cronJob, undefined, context), ...validateNameLength(cronJob)],
    validateUpdate: validateSpec,
    warningsOnCreate: ({ metadata, spec }, { features }) => [
      ...podNameWarnings(metadata.name),
      ...jobWarnings(spec.jobTemplate.spec, templatePath.child('spec'), features),
    ],
    warningsOnUpdate({ metadata, spec }, old, { features }) {
      const changed = metadata.generation !== old.metadata.generation;
      const warnings = changed ? jobWarnings(spec.jobTemplate.spec, templatePath.child('spec'), features) : [];
      if (!spec.schedule.includes('TZ')) return warnings;
      const where = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
      return [...warnings, `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${where}`];
    },
  },
  // A quirk kept: a status brings whatever metadata it likes.
  status: { skipsMetadataValidation: true },
  columns: [
    { name: 'Schedule', type: 'string', description: specDoc('schedule'), cell: ({ spec }) => spec.schedule ?? '' },
    { name: 'Timezone', type: 'string', description: specDoc('timeZone'), cell: ({ spec }) => spec.timeZone ?? '<none>' },
    { name: 'Suspend', type: 'boolean', description: specDoc('suspend'), cell: ({ spec }) => (spec.suspend === true ? 'True' : 'False') },
    { name: 'Active', type: 'integer', description: statusDoc('active'), cell: ({ status }) => status?.active?.length ?? 0 },
    {
      name: 'Last Schedule',
      type: 'string',
      description: statusDoc('lastScheduleTime'),
      cell: ({ status }, clock) => (status?.lastScheduleTime ? age(status.lastScheduleTime, clock) : '<none>'),
    },
    ageColumn,
    ...containerColumns<CronJobObject>(({ spec }) => spec.jobTemplate.spec.template.spec.containers),
    selectorColumn('io.k8s.api.batch.v1.JobSpec', ({ spec }) => spec.jobTemplate.spec.selector),
  ],
});

function validateSpec({ spec }: CronJobObject, old: CronJobObject | undefined, context: WriteContext): FieldError[] {
  const { schedule = '', timeZone, concurrencyPolicy, jobTemplate } = spec;
  const options = podTemplateValidationOptions(context, jobTemplate.spec.template, old?.spec.jobTemplate.spec.template);
  const hadZone = old?.spec.schedule.includes('TZ') ?? false;
  const schedulePath = specPath.child('schedule');
  return [
    ...(schedule === '' ? [required(schedulePath, '')] : validateCronSchedule(schedule, timeZone, hadZone, schedulePath)),
    ...validateNonNegative(spec.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds')),
    ...(old !== undefined && old.spec.timeZone === timeZone ? [] : validateTimeZone(timeZone, specPath.child('timeZone'))),
    ...validateConcurrency(concurrencyPolicy),
    ...validateJobTemplate(jobTemplate, options),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, specPath.child('successfulJobsHistoryLimit')),
    ...validateNonNegative(spec.failedJobsHistoryLimit, specPath.child('failedJobsHistoryLimit')),
  ];
}

function validateConcurrency(policy = ''): FieldError[] {
  const path = specPath.child('concurrencyPolicy');
  if (policy === '') return [required(path, '')];
  return concurrencyPolicies.includes(policy) ? [] : [notSupported(path, typedValue(policy), concurrencyPolicies)];
}

/** Jobs made from it get their selectors when they are made. */
function validateJobTemplate({ spec }: JobTemplateSpec, options: PodValidationOptions): FieldError[] {
  const path = templatePath.child('spec');
  const errors = validateJobSpec(spec, path, options);
  if (spec.selector !== undefined)
    errors.push(invalid(path.child('selector'), shownSelector(spec.selector), '`selector` will be auto-generated'));
  if (spec.manualSelector === true) errors.push(notSupported(path.child('manualSelector'), true, ['nil', 'false']));
  return errors;
}

/** Jobs add a time to the name. */
function validateNameLength({ metadata: { name = '' } }: CronJobObject): FieldError[] {
  return name.length > maxNameLength ? [invalid(FieldPath.root('metadata', 'name'), name, 'must be no more than 52 characters')] : [];
}

import { create, describeKind, merge, remove, table } from '../../../../test/support/kind-suite.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } };
const cronJob = (spec: object = {}, jobSpec: object = {}): object => ({
  spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template, ...jobSpec } }, ...spec },
});

describeKind('a CronJob', {
  path: '/apis/batch/v1/namespaces/{ns}/cronjobs',
  cases: [
    [
      'runs its jobs beside each other and keeps three that succeeded and one that failed, unless it says otherwise',
      [create(cronJob())],
      {
        fields: {
          metadata: { generation: 1 },
          spec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
          status: {},
        },
      },
    ],
    [
      'leaves the defaults of a job to the job',
      [create(cronJob())],
      {
        fields: {
          spec: {
            jobTemplate: {
              spec: {
                parallelism: undefined,
                completions: undefined,
                backoffLimit: undefined,
                template: { spec: { dnsPolicy: 'ClusterFirst' } },
              },
            },
          },
        },
      },
    ],
    [
      'needs a schedule, and a job that runs something',
      [create({ spec: {} })],
      {
        causes: [
          'spec.jobTemplate.spec.template.spec.containers: Required value',
          'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
          'spec.schedule: Required value',
        ],
      },
    ],
    [
      'needs a schedule of five fields or a word',
      [create(cronJob({ schedule: '* * * *' }))],
      { causes: ['spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]'] },
    ],
    ['knows the words of schedules', [create(cronJob({ schedule: '@hourly' }))], { fields: { spec: { schedule: '@hourly' } } }],
    [
      'has its time zone beside the schedule',
      [create(cronJob({ schedule: 'TZ=Europe/Oslo 0 0 * * *' }))],
      {
        causes: [
          'spec.schedule: Invalid value: "TZ=Europe/Oslo 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
        ],
      },
    ],
    [
      'knows the names of time zones',
      [create(cronJob({ timeZone: 'Europe/Atlantis' }))],
      { causes: ['spec.timeZone: Invalid value: "Europe/Atlantis": unknown time zone Europe/Atlantis'] },
    ],
    [
      'has no time zone that depends on the machine',
      [create(cronJob({ timeZone: 'Local' }))],
      {
        causes: [
          'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
        ],
      },
    ],
    ['has a time zone', [create(cronJob({ timeZone: 'Europe/Oslo' }))], { fields: { spec: { timeZone: 'Europe/Oslo' } } }],
    [
      'knows three manners of concurrency',
      [create(cronJob({ concurrencyPolicy: 'Maybe' }))],
      { causes: ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'] },
    ],
    [
      'counts nothing below zero',
      [create(cronJob({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }))],
      {
        causes: [
          'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
          'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'leaves selectors to the jobs',
      [create(cronJob({}, { manualSelector: true, selector: { matchLabels: { a: 'b' } } }))],
      {
        causes: [
          'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
          'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
        ],
      },
    ],
    [
      'has a name that leaves room for the time in those of its jobs',
      [create({ ...cronJob(), metadata: { name: 'a'.repeat(53) } })],
      {
        causes: [
          'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
        ],
      },
    ],
    [
      'changes all over',
      [create(cronJob()), merge({ spec: { schedule: '@daily', suspend: true } })],
      { fields: { metadata: { generation: 2 }, spec: { schedule: '@daily', suspend: true } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...cronJob(), status: { lastScheduleTime: '2024-01-01T00:00:00Z' } })],
      { fields: { status: { lastScheduleTime: undefined } } },
    ],
    [
      'takes a status alone',
      [create(cronJob()), merge({ spec: { suspend: true }, status: { lastScheduleTime: '2024-01-01T00:00:00Z' } }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { suspend: false }, status: { lastScheduleTime: '2024-01-01T00:00:00Z' } } },
    ],
    [
      'takes its jobs with it',
      [create(cronJob()), remove()],
      { fields: { status: 'Success', details: { name: '{name}', kind: 'cronjobs' } } },
    ],
    [
      'shows when it runs',
      [create(cronJob({ timeZone: 'Etc/UTC' })), table],
      {
        cells: {
          Name: '{name}',
          Schedule: '*/5 * * * *',
          Timezone: 'Etc/UTC',
          Suspend: 'False',
          Active: 0,
          'Last Schedule': '<none>',
          Age: /./,
          Containers: 'c',
          Images: 'x',
          Selector: '<none>',
        },
      },
    ],
    [
      'takes a status with whatever finalizer it brings',
      [create(cronJob()), merge({ metadata: { finalizers: ['a'] } }, 'status')],
      { fields: { metadata: { finalizers: ['a'] } } },
    ],
  ],
});

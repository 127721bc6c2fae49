import { create, describeKind, get, list, merge, remove, replace, table } from '../../../../test/support/kind-suite.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } };
const job = (spec: object = {}): object => ({ spec: { template, ...spec } });
const indexed = { completionMode: 'Indexed', completions: 3 };
const failIndex = { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] };
const at = (time: string): string => `2024-01-01T00:00:${time}Z`;
const condition = (type: string): object => ({
  type,
  status: 'True',
  reason: 'R',
  message: 'm',
  lastProbeTime: at('05'),
  lastTransitionTime: at('05'),
});
const complete = {
  conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  startTime: at('00'),
  completionTime: at('05'),
  succeeded: 1,
};

describeKind('a Job', {
  path: '/apis/batch/v1/namespaces/{ns}/jobs',
  cases: [
    [
      'whose name cannot be a label is told so of its template, which has the label at that time, not of itself',
      [create({ ...job(), metadata: { name: '', generateName: 'a b' } })],
      { causes: [/^metadata.generateName: /, /^metadata.name: /, /^spec.template.labels: Invalid value: "a b/] },
    ],
    [
      'has devices and mounts whose paths are compared by volume, of several of one volume the last',
      [
        create(
          job({
            template: {
              spec: {
                restartPolicy: 'Never',
                volumes: [
                  { name: 'v', emptyDir: {} },
                  { name: 'd', persistentVolumeClaim: { claimName: 'd' } },
                ],
                containers: [
                  {
                    name: 'c',
                    image: 'x',
                    volumeMounts: [{ name: 'v', mountPath: '/a' }],
                    volumeDevices: [
                      { name: 'd', devicePath: '/a' },
                      { name: 'd', devicePath: '/b' },
                    ],
                  },
                ],
              },
            },
          }),
        ),
      ],
      {
        causes: [
          'spec.template.spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
          'spec.template.spec.containers[0].volumeDevices[1].name: Invalid value: "d": must be unique',
        ],
      },
    ],
    [
      'is one pod that may fail six times unless it says otherwise',
      [create(job())],
      {
        fields: {
          metadata: { generation: 1 },
          spec: {
            parallelism: 1,
            completions: 1,
            backoffLimit: 6,
            completionMode: 'NonIndexed',
            suspend: false,
            podReplacementPolicy: 'TerminatingOrFailed',
            manualSelector: false,
          },
          status: {},
        },
      },
    ],
    [
      'selects its pods by its own uid and labels them with it and its name',
      [create(job())],
      {
        fields: {
          spec: {
            selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': /^[\da-f-]{36}$/ } },
            template: {
              metadata: {
                labels: {
                  'batch.kubernetes.io/controller-uid': /^[\da-f-]{36}$/,
                  'batch.kubernetes.io/job-name': '{name}',
                  'controller-uid': /^[\da-f-]{36}$/,
                  'job-name': '{name}',
                },
              },
            },
          },
        },
      },
    ],
    [
      'has as many completions as pods only when both are left out',
      [create(job({ parallelism: 3 }))],
      { fields: { spec: { parallelism: 3, completions: undefined } } },
    ],
    [
      'takes no selector of others',
      [create(job({ selector: { matchLabels: { app: 'a' } } }))],
      {
        causes: [
          /^spec\.selector: Invalid value: .*: `selector` not auto-generated$/,
          /^spec\.template\.metadata\.labels: Invalid value: .*: `selector` does not match template `labels`$/,
        ],
      },
    ],
    [
      'takes a selector when it is told that this is meant',
      [
        create(
          job({
            manualSelector: true,
            selector: { matchLabels: { app: 'a' } },
            template: { ...template, metadata: { labels: { app: 'a' } } },
          }),
        ),
      ],
      { fields: { spec: { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } } } } } },
    ],
    [
      'needs containers, and pods that end',
      [create({ spec: { template: {} } })],
      {
        causes: [
          'spec.template.spec.containers: Required value',
          'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
        ],
      },
    ],
    [
      'counts nothing below zero',
      [create(job({ parallelism: -1, completions: -1, backoffLimit: -1, activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 }))],
      {
        causes: [
          'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
          'spec.completions: Invalid value: -1: must be greater than or equal to 0',
          'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
          'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'knows how many there are when they are indexed',
      [create(job({ completionMode: 'Indexed', parallelism: 100_001 }))],
      {
        causes: [
          'spec.completions: Required value: when completion mode is Indexed',
          'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
        ],
      },
    ],
    [
      'limits failures per index only when pods have one',
      [create(job({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }))],
      {
        causes: [
          'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
          'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
        ],
      },
    ],
    [
      'has no limit of its own when each index has one',
      [create(job({ ...indexed, backoffLimitPerIndex: 1 }))],
      { fields: { spec: { backoffLimit: 2147483647, backoffLimitPerIndex: 1 } } },
    ],
    [
      'fails an index only when there is a limit for it',
      [create(job({ ...indexed, podFailurePolicy: failIndex }))],
      { causes: ['spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'] },
    ],
    [
      'has a failure policy only for pods that are not restarted',
      [
        create(
          job({
            podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] },
            template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } },
          }),
        ),
      ],
      {
        causes: [
          'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
          'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
        ],
      },
    ],
    [
      'replaces pods that failed when it has a failure policy',
      [create(job({ podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] } }))],
      {
        fields: {
          spec: {
            podReplacementPolicy: 'Failed',
            podFailurePolicy: { rules: [{ onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] },
          },
        },
      },
    ],
    [
      'has a success policy only when pods are indexed',
      [create(job({ successPolicy: { rules: [{ succeededCount: 1 }] } }))],
      {
        causes: [
          'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
        ],
      },
    ],
    [
      'that is indexed has a name that its pods can have as host name',
      [create({ ...job(indexed), metadata: { name: 'a.b' } })],
      { causes: ['metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-2'] },
    ],
    [
      'is managed by a controller with a domain',
      [create(job({ managedBy: 'me' }))],
      { causes: ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'] },
    ],
    [
      'warns of a name that its pods cannot have as host name',
      [create({ ...job(), metadata: { name: 'a.b' } })],
      {
        warnings: [
          'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
        ],
      },
    ],
    [
      'keeps its completions, mode and template',
      [
        create(job()),
        replace({ spec: { completions: 2, completionMode: 'Indexed', template: { spec: { terminationGracePeriodSeconds: 9 } } } }),
      ],
      {
        causes: [
          'spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism',
          /^spec\.template: Invalid value: .*: field is immutable$/,
          'spec.completionMode: Invalid value: "Indexed": field is immutable',
        ],
      },
    ],
    [
      'is made narrower or wider and suspended',
      [
        create(job()),
        merge({ spec: { parallelism: 5, suspend: true, activeDeadlineSeconds: 9, backoffLimit: 2, ttlSecondsAfterFinished: 5 } }),
      ],
      { fields: { metadata: { generation: 2 }, spec: { parallelism: 5, suspend: true } } },
    ],
    [
      'gets where its pods may run while it is suspended',
      [create(job({ suspend: true })), merge({ spec: { template: { spec: { nodeSelector: { a: 'b' } } } } })],
      { fields: { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } } },
    ],
    [
      'that is indexed grows with its parallelism',
      [create(job({ ...indexed, parallelism: 3 })), merge({ spec: { completions: 5, parallelism: 5 } })],
      { fields: { spec: { completions: 5, parallelism: 5 } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...job(), status: { active: 3 } }), merge({ status: { active: 5 } })],
      { fields: { status: { active: undefined } } },
    ],
    [
      'keeps the labels of its template when its status comes without any',
      [
        create(job({ template: { ...template, metadata: { labels: { app: 'a' } } } })),
        replace({ metadata: { labels: null }, spec: { template: { metadata: null } } }, 'status'),
      ],
      { fields: { metadata: { labels: { app: 'a', 'job-name': '{name}' } } } },
    ],
    [
      'takes a status alone',
      [
        create(job()),
        merge({ spec: { parallelism: 9 }, status: { startTime: at('00'), active: 1, uncountedTerminatedPods: {} } }, 'status'),
      ],
      { fields: { spec: { parallelism: 1 }, status: { startTime: at('00'), active: 1 } } },
    ],
    [
      'is complete with the time when',
      [create(job()), merge({ status: complete }, 'status')],
      { fields: { status: { completionTime: at('05'), succeeded: 1 } } },
    ],
    [
      'is not complete without having started, or with pods that run',
      [create(job()), merge({ status: { ...complete, startTime: undefined, active: 1 } }, 'status')],
      {
        causes: [
          'status.active: Invalid value: 1: active>0 is invalid for finished job',
          'status.startTime: Required value: startTime is required for finished job',
        ],
      },
    ],
    [
      'is complete or failed, not both',
      [
        create(job()),
        merge({ status: { ...complete, conditions: [...complete.conditions, condition('FailureTarget'), condition('Failed')] } }, 'status'),
      ],
      {
        causes: [
          'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
          'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
          'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
          'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
        ],
      },
    ],
    [
      'stays complete',
      [
        create(job()),
        merge({ status: complete }, 'status'),
        merge({ status: { conditions: [condition('SuccessCriteriaMet')], completionTime: null } }, 'status'),
      ],
      { causes: ['status.conditions: Invalid value: cannot disable the terminal Complete=True condition'] },
    ],
    [
      'does not forget when it started',
      [create(job()), merge({ status: { startTime: at('00'), active: 1 } }, 'status'), merge({ status: { startTime: null } }, 'status')],
      { causes: ['status.startTime: Invalid value: null: field is immutable for unsuspended job once set'] },
    ],
    [
      'forgets when it started while it is suspended',
      [
        create(job({ suspend: true })),
        merge({ status: { startTime: at('00') } }, 'status'),
        merge({ status: { startTime: null } }, 'status'),
      ],
      { fields: { status: { startTime: undefined } } },
    ],
    [
      'is found by the pods that succeeded',
      [create(job()), merge({ status: { startTime: at('00'), succeeded: 7 } }, 'status'), list('fieldSelector=status.successful=7')],
      { fields: { items: [{ metadata: { name: '{name}' } }] } },
    ],
    ['has no scale', [create(job()), get('scale')], { status: 404, message: 'the server could not find the requested resource' }],
    [
      'leaves its pods behind unless it is said otherwise',
      [create(job()), remove()],
      {
        warnings: [
          'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
        ],
      },
    ],
    [
      'shows how far it has come',
      [create(job({ suspend: true })), table],
      {
        cells: {
          Name: '{name}',
          Status: 'Running',
          Completions: '0/1',
          Duration: '',
          Age: /./,
          Containers: 'c',
          Images: 'x',
          Selector: /^batch\.kubernetes\.io\/controller-uid=/,
        },
      },
    ],
    [
      'has a template to which an empty source of a variable is a change',
      [
        create(
          job({ template: { spec: { ...template.spec, containers: [{ name: 'c', image: 'x', env: [{ name: 'A', value: 'b' }] }] } } }),
        ),
        replace({
          spec: {
            template: { spec: { containers: [{ name: 'c', image: 'x', env: [{ name: 'A', value: 'b', valueFrom: {} }] }] } },
          },
        }),
      ],
      {
        causes: [
          /^spec\.template\.spec\.containers\[0\]\.env\[0\]\.valueFrom: /,
          /^spec\.template: Invalid value: .*"EvictionResponders":null.*: field is immutable$/,
        ],
      },
    ],
    [
      'shows conditions of its failure policy that were given as empty',
      [
        create(
          job({ podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] } }),
        ),
        replace({ spec: { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [] }] } } }),
      ],
      {
        causes: [
          'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
          'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[]}]}: field is immutable',
        ],
      },
    ],
    [
      'forgets responders to evictions that it may not have, empty or not',
      [create(job()), replace({ spec: { template: { spec: { hostname: 'a', evictionResponders: [] } } } })],
      { causes: [/^spec\.template: Invalid value: .*"EvictionResponders":null.*: field is immutable$/] },
    ],
  ],
});

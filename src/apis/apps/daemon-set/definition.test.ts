import { create, describeKind, merge, remove, replace, table } from '../../../../test/support/kind-suite.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const daemonSet = (spec: object = {}): object => ({ spec: { selector: { matchLabels: { app: 'a' } }, template, ...spec } });
const counts = { currentNumberScheduled: 2, numberMisscheduled: 0, desiredNumberScheduled: 3, numberReady: 1 };

describeKind('a DaemonSet', {
  path: '/apis/apps/v1/namespaces/{ns}/daemonsets',
  cases: [
    [
      'is rolled one node at a time unless it says otherwise',
      [create(daemonSet())],
      {
        fields: {
          metadata: { generation: 1, annotations: { 'deprecated.daemonset.template.generation': '1' } },
          spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }, revisionHistoryLimit: 10 },
          status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
        },
      },
    ],
    [
      'needs a selector and a template that runs something',
      [create({ spec: {} })],
      {
        causes: [
          'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
          'spec.template.spec.containers: Required value',
        ],
      },
    ],
    [
      'selects the pods of its template',
      [create(daemonSet({ selector: { matchLabels: { app: 'b' } } }))],
      { causes: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
    ],
    [
      'does not select every pod',
      [create(daemonSet({ selector: {} }))],
      { causes: ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset'] },
    ],
    [
      'restarts its pods always, without a deadline',
      [create(daemonSet({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } }))],
      {
        causes: [
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
          'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
        ],
      },
    ],
    [
      'updates its pods in one of two manners',
      [create(daemonSet({ updateStrategy: { type: 'Random' } }))],
      {
        causes: [
          'spec.updateStrategy: Unsupported value: {"Type":"Random","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
        ],
      },
    ],
    [
      'surges or has fewer pods, not both',
      [create(daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }))],
      { causes: ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'] },
    ],
    [
      'surges or has fewer pods, not neither',
      [create(daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }))],
      { causes: ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'] },
    ],
    [
      'counts nothing below zero',
      [create(daemonSet({ minReadySeconds: -1, revisionHistoryLimit: -1 }))],
      {
        causes: [
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'keeps its selector',
      [create(daemonSet()), replace({ spec: { selector: { matchLabels: { b: 'b' } }, template: { metadata: { labels: { b: 'b' } } } } })],
      { causes: ['spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"b"}}: field is immutable'] },
    ],
    [
      'counts the generations of its template',
      [create(daemonSet()), merge({ spec: { template: { spec: { containers: [{ name: 'c', image: 'y' }] } } } })],
      { fields: { metadata: { generation: 2, annotations: { 'deprecated.daemonset.template.generation': '2' } } } },
    ],
    [
      'has the generation of its template while another field changes',
      [create(daemonSet()), merge({ spec: { minReadySeconds: 5 } })],
      { fields: { metadata: { generation: 2, annotations: { 'deprecated.daemonset.template.generation': '1' } } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...daemonSet(), status: counts }), merge({ status: counts })],
      { fields: { metadata: { generation: 1 }, status: { numberReady: 0 } } },
    ],
    [
      'takes a status alone',
      [create(daemonSet()), merge({ spec: { minReadySeconds: 9 }, status: counts }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { minReadySeconds: undefined }, status: counts } },
    ],
    [
      'counts nothing below zero in its status',
      [
        create(daemonSet()),
        merge(
          {
            status: {
              currentNumberScheduled: -1,
              desiredNumberScheduled: -1,
              numberReady: -1,
              numberMisscheduled: -1,
              updatedNumberScheduled: -1,
              numberAvailable: -1,
              numberUnavailable: -1,
              observedGeneration: -1,
            },
          },
          'status',
        ),
      ],
      {
        causes: [
          'status.currentNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
          'status.numberMisscheduled: Invalid value: -1: must be greater than or equal to 0',
          'status.desiredNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
          'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
          'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
          'status.updatedNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
          'status.numberAvailable: Invalid value: -1: must be greater than or equal to 0',
          'status.numberUnavailable: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'leaves its pods to the garbage collector when it is deleted',
      [create({ ...daemonSet(), metadata: { finalizers: ['example.com/wait'] } }), remove({ propagationPolicy: 'Orphan' })],
      { fields: { metadata: { deletionTimestamp: /./, finalizers: ['example.com/wait', 'orphan'] } } },
    ],
    [
      'shows its nodes',
      [
        create(daemonSet({ template: { ...template, spec: { ...template.spec, nodeSelector: { disk: 'ssd' } } } })),
        merge({ status: counts }, 'status'),
        table,
      ],
      {
        cells: {
          Name: '{name}',
          Desired: 3,
          Current: 2,
          Ready: 1,
          'Up-to-date': 0,
          Available: 0,
          'Node Selector': 'disk=ssd',
          Age: /./,
          Containers: 'c',
          Images: 'x',
          Selector: 'app=a',
        },
      },
    ],
    [
      'has a new template when an empty struct came into it',
      [create(daemonSet()), merge({ spec: { template: { spec: { affinity: {} } } } })],
      { fields: { metadata: { annotations: { 'deprecated.daemonset.template.generation': '2' } } } },
    ],
  ],
});

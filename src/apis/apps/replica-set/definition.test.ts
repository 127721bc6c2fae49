import { create, describeKind, get, list, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const replicaSet = (spec: object = {}): object => ({ spec: { selector: { matchLabels: { app: 'a' } }, template, ...spec } });

describeKind('a ReplicaSet', {
  path: '/apis/apps/v1/namespaces/{ns}/replicasets',
  cases: [
    [
      'is one replica unless it says otherwise',
      [create(replicaSet())],
      {
        fields: {
          metadata: { generation: 1 },
          spec: { replicas: 1, template: { spec: { restartPolicy: 'Always' } } },
          status: { replicas: 0 },
        },
      },
    ],
    [
      'needs a selector and a template that runs something',
      [create({ spec: {} })],
      {
        causes: [
          'spec.selector: Required value',
          'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
          'spec.template.spec.containers: Required value',
        ],
      },
    ],
    [
      'selects the pods of its template',
      [create(replicaSet({ selector: { matchLabels: { app: 'b' } } }))],
      { causes: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
    ],
    [
      'does not select every pod',
      [create(replicaSet({ selector: {} }))],
      { causes: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'] },
    ],
    [
      'restarts its pods always',
      [create(replicaSet({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } } }))],
      {
        causes: [
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
          'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
        ],
      },
    ],
    [
      'counts nothing below zero',
      [create(replicaSet({ replicas: -1, minReadySeconds: -1 }))],
      {
        causes: [
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'keeps its selector',
      [create(replicaSet()), replace({ spec: { selector: { matchLabels: { b: 'b' } }, template: { metadata: { labels: { b: 'b' } } } } })],
      { causes: ['spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"b"}}: field is immutable'] },
    ],
    [
      'has a new generation when its spec changes',
      [create(replicaSet()), merge({ spec: { replicas: 2 } })],
      { fields: { metadata: { generation: 2 } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...replicaSet(), status: { replicas: 3 } }), merge({ status: { replicas: 5 } })],
      { fields: { metadata: { generation: 1 }, status: { replicas: 0 } } },
    ],
    [
      'takes a status alone',
      [create(replicaSet()), merge({ spec: { replicas: 9 }, status: { replicas: 2, readyReplicas: 1 } }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 2, readyReplicas: 1 } } },
    ],
    [
      'has no more ready replicas than replicas',
      [create(replicaSet()), merge({ status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 } }, 'status')],
      {
        causes: [
          'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
        ],
      },
    ],
    [
      'is scaled',
      [create(replicaSet()), merge({ spec: { replicas: 4 } }, 'scale')],
      { fields: { kind: 'Scale', spec: { replicas: 4 }, status: { replicas: 0, selector: 'app=a' } } },
    ],
    [
      'has a new generation when it was scaled',
      [create(replicaSet()), merge({ spec: { replicas: 4 } }, 'scale'), get()],
      { fields: { metadata: { generation: 2 }, spec: { replicas: 4 } } },
    ],
    [
      'is found by its name and namespace alone',
      [list('fieldSelector=status.replicas=5')],
      { status: 400, message: '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"' },
    ],
    [
      'shows how many are ready',
      [create(replicaSet({ replicas: 3 })), merge({ status: { replicas: 3, readyReplicas: 2 } }, 'status'), table],
      { cells: { Name: '{name}', Desired: 3, Current: 3, Ready: 2, Age: /./, Containers: 'c', Images: 'x', Selector: 'app=a' } },
    ],
  ],
});

import { create, describeKind, get, list, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const controller = (spec: object = {}): object => ({ spec: { selector: { app: 'a' }, template, ...spec } });

describeKind('a ReplicationController', {
  path: '/api/v1/namespaces/{ns}/replicationcontrollers',
  cases: [
    [
      'is one replica that has the labels of its template, and selects them, unless it says otherwise',
      [create({ spec: { template } })],
      {
        fields: {
          metadata: { generation: 1, labels: { app: 'a' } },
          spec: { replicas: 1, selector: { app: 'a' } },
          status: { replicas: 0 },
        },
      },
    ],
    [
      'may be named by the server',
      [create({ metadata: { name: '', generateName: 'made-' }, spec: { template } })],
      { fields: { metadata: { generateName: 'made-' } } },
    ],
    [
      'has labels of its own',
      [create({ metadata: { labels: { own: 'x' } }, spec: { template } })],
      { fields: { metadata: { labels: { own: 'x', app: undefined } } } },
    ],
    [
      'needs a template, and a selector if the template has no labels',
      [create({ spec: {} })],
      { causes: ['spec.selector: Required value', 'spec.template: Required value'] },
    ],
    [
      'selects the pods of its template',
      [create(controller({ selector: { app: 'b' } }))],
      { causes: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
    ],
    [
      'shows labels in the order of their bytes, also those that look like integers',
      [create(controller({ selector: { app: 'b' }, template: { ...template, metadata: { labels: { '9': 'x', '10': 'x', '1a': 'x' } } } }))],
      {
        causes: ['spec.template.metadata.labels: Invalid value: {"10":"x","1a":"x","9":"x"}: `selector` does not match template `labels`'],
      },
    ],
    [
      'restarts its pods always',
      [create(controller({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 1 } } }))],
      {
        causes: [
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
          'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
        ],
      },
    ],
    [
      'counts nothing below zero',
      [create(controller({ replicas: -1, minReadySeconds: -1 }))],
      {
        causes: [
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'may select other pods than before',
      [create(controller()), replace({ spec: { selector: { app: 'b' }, template: { metadata: { labels: { app: 'b' } } } } })],
      { fields: { metadata: { generation: 2 }, spec: { selector: { app: 'b' } } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...controller(), status: { replicas: 3 } }), merge({ status: { replicas: 5 } })],
      { fields: { metadata: { generation: 1 }, status: { replicas: 0 } } },
    ],
    [
      'takes a status alone',
      [create(controller()), merge({ spec: { replicas: 9 }, status: { replicas: 2, readyReplicas: 1 } }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 2, readyReplicas: 1 } } },
    ],
    [
      'has no more ready replicas than replicas',
      [create(controller()), merge({ status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 } }, 'status')],
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
      [create(controller()), merge({ spec: { replicas: 4 } }, 'scale')],
      { fields: { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 4 }, status: { replicas: 0, selector: 'app=a' } } },
    ],
    [
      'has a new generation when it was scaled',
      [create(controller()), merge({ spec: { replicas: 4 } }, 'scale'), get()],
      { fields: { metadata: { generation: 2 } } },
    ],
    [
      'is found by its replicas',
      [
        create({ ...controller(), metadata: { labels: { find: 'it' } } }),
        merge({ status: { replicas: 5 } }, 'status'),
        list('fieldSelector=status.replicas=5&labelSelector=find'),
      ],
      { fields: { items: [{ metadata: { name: '{name}' } }] } },
    ],
    [
      'shows how many are ready',
      [create(controller({ replicas: 3 })), merge({ status: { replicas: 3, readyReplicas: 2 } }, 'status'), table],
      { cells: { Name: '{name}', Desired: 3, Current: 3, Ready: 2, Age: /./, Containers: 'c', Images: 'x', Selector: 'app=a' } },
    ],
    [
      'shows labels that were given as empty',
      [
        create(controller()),
        send('PUT', '/api/v1/namespaces/{ns}/replicationcontrollers/{name}', {
          metadata: { name: '{name}' },
          ...controller({ template: { ...template, metadata: { labels: {} } } }),
        }),
      ],
      { causes: ['spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`'] },
    ],
    [
      'takes no status with a finalizer that has no domain',
      [create(controller()), replace({ metadata: { finalizers: ['a'] } }, 'status')],
      { causes: ['metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified'] },
    ],
  ],
});

import { create, describeKind, get, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const deployment = (spec: object = {}): object => ({ spec: { selector: { matchLabels: { app: 'a' } }, template, ...spec } });

describeKind('a Deployment', {
  path: '/apis/apps/v1/namespaces/{ns}/deployments',
  cases: [
    [
      'is one replica, rolled a quarter at a time, unless it says otherwise',
      [create(deployment())],
      {
        fields: {
          metadata: { generation: 1 },
          spec: {
            replicas: 1,
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
            revisionHistoryLimit: 10,
            progressDeadlineSeconds: 600,
            template: {
              spec: {
                restartPolicy: 'Always',
                dnsPolicy: 'ClusterFirst',
                schedulerName: 'default-scheduler',
                terminationGracePeriodSeconds: 30,
              },
            },
          },
          status: {},
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
      [create(deployment({ selector: { matchLabels: { app: 'b' } } }))],
      { causes: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
    ],
    [
      'does not select every pod',
      [create(deployment({ selector: {} }))],
      { causes: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'] },
    ],
    [
      'restarts its pods always',
      [create(deployment({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }))],
      { causes: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'] },
    ],
    [
      'has no deadline for its pods',
      [create(deployment({ template: { ...template, spec: { ...template.spec, activeDeadlineSeconds: 5 } } }))],
      { causes: ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'] },
    ],
    [
      'counts nothing below zero',
      [create(deployment({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }))],
      {
        causes: [
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
          'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
        ],
      },
    ],
    [
      'waits longer for progress than for readiness',
      [create(deployment({ minReadySeconds: 60, progressDeadlineSeconds: 60 }))],
      { causes: ['spec.progressDeadlineSeconds: Invalid value: 60: must be greater than minReadySeconds'] },
    ],
    [
      'knows two strategies',
      [create(deployment({ strategy: { type: 'Other' } }))],
      {
        causes: ['spec.strategy: Unsupported value: {"Type":"Other","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"'],
      },
    ],
    [
      'has no parameters of a roll when it recreates',
      [create(deployment({ strategy: { type: 'Recreate', rollingUpdate: {} } }))],
      { causes: ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"] },
    ],
    [
      'rolls something at a time',
      [create(deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }))],
      { causes: ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'] },
    ],
    [
      'rolls by numbers and percentages',
      [create(deployment({ strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } } }))],
      {
        causes: [
          `spec.strategy.rollingUpdate.maxSurge: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
          'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
        ],
      },
    ],
    [
      'keeps its selector',
      [create(deployment()), replace({ spec: { selector: { matchLabels: { b: 'b' } }, template: { metadata: { labels: { b: 'b' } } } } })],
      { causes: ['spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"b"}}: field is immutable'] },
    ],
    [
      'has a new generation when its spec changes',
      [create(deployment()), merge({ spec: { replicas: 3 } })],
      { fields: { metadata: { generation: 2 }, spec: { replicas: 3 } } },
    ],
    [
      'has its generation when its labels change',
      [create(deployment()), merge({ metadata: { labels: { b: 'b' } } })],
      { fields: { metadata: { generation: 1, labels: { b: 'b' } } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...deployment(), status: { replicas: 3 } }), merge({ status: { replicas: 5 } })],
      { fields: { metadata: { generation: 1 }, status: { replicas: undefined } } },
    ],
    [
      'takes a status alone',
      [create(deployment()), merge({ spec: { replicas: 9 }, status: { replicas: 2, readyReplicas: 1, updatedReplicas: 1 } }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 2, readyReplicas: 1, updatedReplicas: 1 } } },
    ],
    [
      'has no more ready replicas than replicas',
      [create(deployment()), merge({ status: { replicas: 1, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 } }, 'status')],
      {
        causes: [
          'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
        ],
      },
    ],
    [
      'does not forget its hash collisions',
      [create(deployment()), merge({ status: { collisionCount: 2 } }, 'status'), merge({ status: { collisionCount: null } }, 'status')],
      { causes: ['status.collisionCount: Invalid value: 0: cannot be decremented'] },
    ],
    [
      'counts hash collisions upwards only',
      [create(deployment()), merge({ status: { collisionCount: 2 } }, 'status'), merge({ status: { collisionCount: 1 } }, 'status')],
      { causes: ['status.collisionCount: Invalid value: 1: cannot be decremented'] },
    ],
    [
      'is scaled',
      [create(deployment()), merge({ spec: { replicas: 4 } }, 'scale')],
      { fields: { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 4 }, status: { replicas: 0, selector: 'app=a' } } },
    ],
    [
      'is not scaled below zero',
      [create(deployment()), merge({ spec: { replicas: -1 } }, 'scale')],
      { causes: ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'] },
    ],
    [
      'shows its replicas as a Scale',
      [create(deployment({ replicas: 7 })), get('scale')],
      { fields: { metadata: { name: '{name}' }, spec: { replicas: 7 } } },
    ],
    [
      'warns of a port that a container declares twice',
      [
        create(
          deployment({
            template: {
              ...template,
              spec: { containers: [{ name: 'c', image: 'x', ports: [{ containerPort: 1 }, { containerPort: 1 }] }] },
            },
          }),
        ),
      ],
      { warnings: ['spec.template.spec.containers[0].ports[1]: duplicate port definition with spec.template.spec.containers[0].ports[0]'] },
    ],
    [
      'is replaced without a precondition',
      [
        create(deployment()),
        send('PUT', '/apis/apps/v1/namespaces/{ns}/deployments/{name}', { metadata: { name: '{name}' }, ...deployment({ replicas: 2 }) }),
      ],
      { fields: { spec: { replicas: 2 } } },
    ],
    [
      'shows how far it has come',
      [
        create(deployment({ replicas: 3 })),
        merge({ status: { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 } }, 'status'),
        table,
      ],
      { cells: { Name: '{name}', Ready: '2/3', 'Up-to-date': 3, Available: 1, Age: /./, Containers: 'c', Images: 'x', Selector: 'app=a' } },
    ],
  ],
});

import { create, describeKind, get, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const statefulSet = (spec: object = {}): object => ({
  spec: { serviceName: 's', selector: { matchLabels: { app: 'a' } }, template, ...spec },
});
const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };

describeKind('a StatefulSet', {
  path: '/apis/apps/v1/namespaces/{ns}/statefulsets',
  cases: [
    [
      'is one replica, made in order and updated from the last, unless it says otherwise',
      [create(statefulSet())],
      {
        fields: {
          metadata: { generation: 1 },
          spec: {
            replicas: 1,
            podManagementPolicy: 'OrderedReady',
            updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
            revisionHistoryLimit: 10,
            persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
          },
          status: { replicas: 0, availableReplicas: 0 },
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
      [create(statefulSet({ selector: { matchLabels: { app: 'b' } } }))],
      { causes: ['spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`'] },
    ],
    [
      'makes its pods in one of two manners',
      [create(statefulSet({ podManagementPolicy: 'Random' }))],
      { causes: [`spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`] },
    ],
    [
      'updates its pods in one of two manners',
      [create(statefulSet({ updateStrategy: { type: 'Random' } }))],
      { causes: [`spec.updateStrategy: Invalid value: {"Type":"Random","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`] },
    ],
    [
      'has no partition when pods are updated by deletion',
      [create(statefulSet({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }))],
      {
        causes: [
          `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
        ],
      },
    ],
    [
      'counts nothing below zero',
      [
        create(
          statefulSet({
            replicas: -1,
            minReadySeconds: -1,
            revisionHistoryLimit: -1,
            ordinals: { start: -1 },
            updateStrategy: { rollingUpdate: { partition: -1 } },
          }),
        ),
      ],
      {
        causes: [
          'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
          'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
          'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
    [
      'restarts its pods always',
      [
        create(
          statefulSet({ template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure', activeDeadlineSeconds: 5 } } }),
        ),
      ],
      {
        causes: [
          'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
          'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
        ],
      },
    ],
    [
      'keeps or deletes claims',
      [create(statefulSet({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Maybe', whenScaled: 'Delete' } }))],
      {
        causes: ['spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Maybe": supported values: "Retain", "Delete"'],
      },
    ],
    [
      'has claims that are pending',
      [create(statefulSet({ volumeClaimTemplates: [claim] }))],
      {
        fields: {
          spec: {
            volumeClaimTemplates: [
              { kind: 'PersistentVolumeClaim', apiVersion: 'v1', spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
            ],
          },
        },
      },
    ],
    [
      'changes only in what its pods and their number are',
      [
        create(statefulSet({ volumeClaimTemplates: [claim] })),
        replace({ spec: { serviceName: 'other', podManagementPolicy: 'Parallel' } }),
      ],
      {
        causes: [
          'spec.serviceName: Invalid value: "other": field is immutable',
          'spec.podManagementPolicy: Invalid value: "Parallel": field is immutable',
        ],
      },
    ],
    [
      'changes in replicas, template, strategy, ordinals, history, retention and readiness',
      [
        create(statefulSet()),
        merge({
          spec: {
            replicas: 2,
            template: { spec: { containers: [{ name: 'c', image: 'y' }] } },
            updateStrategy: { rollingUpdate: { partition: 1 } },
            ordinals: { start: 1 },
            revisionHistoryLimit: 3,
            minReadySeconds: 1,
            persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
          },
        }),
      ],
      { fields: { metadata: { generation: 2 }, spec: { replicas: 2 } } },
    ],
    [
      'does not take a status with its spec',
      [create({ ...statefulSet(), status: { replicas: 3 } }), merge({ status: { replicas: 5 } })],
      { fields: { metadata: { generation: 1 }, status: { replicas: 0 } } },
    ],
    [
      'takes a status alone',
      [create(statefulSet()), merge({ spec: { replicas: 9 }, status: { replicas: 2, readyReplicas: 1, currentRevision: 'r' } }, 'status')],
      { fields: { metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 2, readyReplicas: 1, currentRevision: 'r' } } },
    ],
    [
      'has no more ready replicas than replicas',
      [
        create(statefulSet()),
        merge({ status: { replicas: 1, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 3 } }, 'status'),
      ],
      {
        causes: [
          'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 3: cannot be greater than status.readyReplicas',
        ],
      },
    ],
    [
      'is scaled',
      [create(statefulSet()), merge({ spec: { replicas: 4 } }, 'scale')],
      { fields: { kind: 'Scale', spec: { replicas: 4 }, status: { replicas: 0, selector: 'app=a' } } },
    ],
    [
      'has a new generation when it was scaled',
      [create(statefulSet()), merge({ spec: { replicas: 4 } }, 'scale'), get()],
      { fields: { metadata: { generation: 2 }, spec: { replicas: 4 } } },
    ],
    [
      'warns of claims for a part of a byte',
      [
        create(
          statefulSet({
            volumeClaimTemplates: [
              { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1m' } } } },
            ],
          }),
        ),
      ],
      { warnings: ['spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer'] },
    ],
    [
      'is not scaled below zero',
      [create(statefulSet()), merge({ spec: { replicas: -4 } }, 'scale')],
      { causes: ['spec.replicas: Invalid value: -4: must be greater than or equal to 0'] },
    ],
    [
      'shows how many are ready',
      [create(statefulSet({ replicas: 3 })), merge({ status: { replicas: 3, readyReplicas: 2 } }, 'status'), table],
      { cells: { Name: '{name}', Ready: '2/3', Age: /./, Containers: 'c', Images: 'x' } },
    ],
  ],
});

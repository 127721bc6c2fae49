import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const capacity = (fields: object = {}): object => ({ storageClassName: 'fast', capacity: '1Gi', ...fields });

describeKind('a CSIStorageCapacity', {
  path: '/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities',
  cases: [
    [
      'says how much there is of a class',
      [create(capacity())],
      {
        fields: {
          metadata: { generation: undefined },
          storageClassName: 'fast',
          capacity: '1Gi',
          nodeTopology: undefined,
          maximumVolumeSize: undefined,
        },
      },
    ],
    [
      'needs a class',
      [create({ capacity: '1Gi' })],
      {
        causes: [
          `storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    [
      'needs a class of a name that can be',
      [create(capacity({ storageClassName: 'A_b' }))],
      {
        causes: [
          `storageClassName: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    ['may say nothing of how much', [create({ storageClassName: 'fast' })], { fields: { capacity: undefined } }],
    [
      'has no less than nothing',
      [create(capacity({ capacity: '-1', maximumVolumeSize: '-1' }))],
      { causes: ['capacity: Invalid value: "-1": must be greater than or equal to 0'] },
    ],
    [
      'selects nodes by labels that can be',
      [create(capacity({ nodeTopology: { matchExpressions: [{ key: 'a', operator: 'In' }] } }))],
      { causes: ["nodeTopology.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"] },
    ],
    [
      'changes in how much there is',
      [create(capacity()), merge({ capacity: '2Gi', maximumVolumeSize: '1Gi' })],
      { fields: { capacity: '2Gi', maximumVolumeSize: '1Gi' } },
    ],
    [
      'keeps its class and its nodes',
      [
        create(capacity({ nodeTopology: { matchLabels: { a: 'b' } } })),
        replace({ storageClassName: 'slow', nodeTopology: { matchLabels: { a: 'c' } } }),
      ],
      {
        causes: [
          'nodeTopology: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
          'storageClassName: Invalid value: "slow": field is immutable',
        ],
      },
    ],
    ['writes quantities in their usual form', [create(capacity({ capacity: '1024Mi' }))], { fields: { capacity: '1Gi' } }],
    ['shows when it was made', [create(capacity()), table], { cells: { Name: '{name}', 'Created At': /./ } }],
  ],
});

import { create, describeKind, list, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const storageClass = (fields: object = {}): object => ({ provisioner: 'example.com/disk', ...fields });
const path = '/apis/storage.k8s.io/v1/storageclasses';

describeKind('a StorageClass', {
  path,
  cases: [
    [
      'deletes volumes that are released and binds them at once, unless it says otherwise',
      [create(storageClass())],
      {
        fields: {
          metadata: { generation: undefined },
          reclaimPolicy: 'Delete',
          volumeBindingMode: 'Immediate',
          allowVolumeExpansion: undefined,
        },
      },
    ],
    ['needs a provisioner', [create({})], { causes: ['provisioner: Required value'] }],
    [
      'needs a provisioner with a qualified name',
      [create(storageClass({ provisioner: 'a b' }))],
      {
        causes: [
          `provisioner: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'knows its policies',
      [create(storageClass({ reclaimPolicy: 'Recycle', volumeBindingMode: 'Later' }))],
      {
        causes: [
          'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
          'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
        ],
      },
    ],
    [
      'has parameters with names',
      [create(storageClass({ parameters: { '': 'x' } }))],
      { causes: ['parameters: Invalid value: "": field can not be empty.'] },
    ],
    [
      'has few parameters',
      [create(storageClass({ parameters: Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, 'x'])) }))],
      { causes: ['parameters: Too long: may not be more than 512 bytes'] },
    ],
    [
      'has topologies that differ in values',
      [create(storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'a'] }] }] }))],
      { causes: ['allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"'] },
    ],
    [
      'has topologies of labels that can be',
      [create(storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'a b', values: [] }] }] }))],
      {
        causes: [
          'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
          `allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'keeps its parameters, provisioner and policies',
      [
        create(storageClass({ parameters: { a: 'b' } })),
        replace({
          parameters: { a: 'c' },
          provisioner: 'example.com/other',
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
        }),
      ],
      {
        causes: [
          'provisioner: Invalid value: null: field is immutable',
          'parameters: Invalid value: null: field is immutable',
          'reclaimPolicy: Invalid value: null: field is immutable',
          'volumeBindingMode: Invalid value: null: field is immutable',
        ],
      },
    ],
    [
      'allows expansion later',
      [create(storageClass()), merge({ allowVolumeExpansion: true, mountOptions: ['ro'] })],
      { fields: { allowVolumeExpansion: true, mountOptions: ['ro'] } },
    ],
    [
      'warns of topologies that are about to go',
      [
        create(
          storageClass({
            allowedTopologies: [{ matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', values: ['a'] }] }],
          }),
        ),
      ],
      {
        warnings: ['allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
      },
    ],
    [
      'is replaced without a precondition',
      [
        create(storageClass()),
        send('PUT', `${path}/{name}`, { metadata: { name: '{name}' }, ...storageClass({ allowVolumeExpansion: true }) }),
      ],
      { fields: { allowVolumeExpansion: true } },
    ],
    [
      'is found by its name alone',
      [list('fieldSelector=provisioner=example.com/disk')],
      { status: 400, message: '"provisioner" is not a known field selector: only "metadata.name", "metadata.namespace"' },
    ],
    [
      'shows itself',
      [create(storageClass()), table],
      {
        cells: {
          Name: '{name}',
          Provisioner: 'example.com/disk',
          ReclaimPolicy: 'Delete',
          VolumeBindingMode: 'Immediate',
          AllowVolumeExpansion: false,
          Age: /./,
        },
      },
    ],
    [
      'shows that it is the default',
      [create({ ...storageClass(), metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } }), table],
      {
        cells: {
          Name: '{name}',
          Provisioner: 'example.com/disk',
          ReclaimPolicy: 'Delete',
          VolumeBindingMode: 'Immediate',
          AllowVolumeExpansion: false,
          Age: /./,
        },
      },
    ],
  ],
});

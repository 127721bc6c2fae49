import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const attributes = (fields: object = {}): object => ({ driverName: 'disk.example.com', parameters: { iops: '100' }, ...fields });

describeKind('a VolumeAttributesClass', {
  path: '/apis/storage.k8s.io/v1/volumeattributesclasses',
  cases: [
    [
      'is parameters for a driver',
      [create(attributes())],
      { fields: { metadata: { generation: undefined }, driverName: 'disk.example.com', parameters: { iops: '100' } } },
    ],
    [
      'needs a driver and parameters',
      [create({})],
      { causes: ['driverName: Required value', 'parameters: Required value: must contain at least one key/value pair'] },
    ],
    [
      'needs a driver of a name that can be',
      [create(attributes({ driverName: 'a b' }))],
      {
        causes: [
          `driverName: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'has parameters with names',
      [create(attributes({ parameters: { '': 'x' } }))],
      { causes: ['parameters: Invalid value: "": field can not be empty.'] },
    ],
    [
      'has few parameters',
      [create(attributes({ parameters: Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, 'x'])) }))],
      { causes: ['parameters: Too long: may not be more than 512 bytes'] },
    ],
    [
      'keeps its driver',
      [create(attributes()), replace({ driverName: 'other.example.com' })],
      { causes: ['driverName: Forbidden: updates to driverName are forbidden.'] },
    ],
    [
      'keeps its parameters',
      [create(attributes()), merge({ parameters: { iops: '200' } })],
      { causes: ['parameters: Forbidden: updates to parameters are forbidden.'] },
    ],
    ['gets labels', [create(attributes()), merge({ metadata: { labels: { a: 'b' } } })], { fields: { metadata: { labels: { a: 'b' } } } }],
    ['shows its driver', [create(attributes()), table], { cells: { Name: '{name}', DriverName: 'disk.example.com', Age: /./ } }],
  ],
});

import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const exactly = { deviceClassName: 'gpu.example.com' };
const claimTemplate = (devices: object, metadata: object = {}): object => ({ spec: { metadata, spec: { devices } } });
const one = { requests: [{ name: 'r', exactly }] };

describeKind('a ResourceClaimTemplate', {
  path: '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates',
  cases: [
    [
      'asks for one device of a class unless it says otherwise',
      [create(claimTemplate(one, { labels: { a: 'b' } }))],
      {
        fields: {
          metadata: { generation: undefined },
          spec: {
            metadata: { labels: { a: 'b' } },
            spec: { devices: { requests: [{ name: 'r', exactly: { ...exactly, allocationMode: 'ExactCount', count: 1 } }] } },
          },
        },
      },
    ],
    ['may ask for nothing', [create({ spec: { spec: {} } })], { fields: { spec: { spec: {} } } }],
    [
      'needs a class in each request',
      [create(claimTemplate({ requests: [{ name: 'r', exactly: {} }] }))],
      { causes: ['spec.spec.devices.requests[0].exactly.deviceClassName: Required value'] },
    ],
    [
      'asks for a device exactly or for the first that is available',
      [create(claimTemplate({ requests: [{ name: 'r' }] }))],
      { causes: ['spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'] },
    ],
    [
      'names each request once',
      [
        create(
          claimTemplate({
            requests: [
              { name: 'r', exactly },
              { name: 'r', exactly },
            ],
          }),
        ),
      ],
      {
        causes: [
          'spec.spec.devices.requests[1]: Duplicate value: {"name":"r","exactly":{"deviceClassName":"gpu.example.com","allocationMode":"ExactCount","count":1}}',
        ],
      },
    ],
    [
      'counts devices from one',
      [create(claimTemplate({ requests: [{ name: 'r', exactly: { ...exactly, count: -1 } }] }))],
      { causes: ['spec.spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero'] },
    ],
    [
      'takes all devices or so many',
      [create(claimTemplate({ requests: [{ name: 'r', exactly: { ...exactly, allocationMode: 'All', count: 2 } }] }))],
      { causes: ["spec.spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"] },
    ],
    [
      'constrains requests that are there',
      [create(claimTemplate({ ...one, constraints: [{ requests: ['none'], matchAttribute: 'example.com/numa' }] }))],
      {
        causes: [
          `spec.spec.devices.constraints[0].requests[0]: Invalid value: "none": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
        ],
      },
    ],
    [
      'has selectors that can be evaluated',
      [
        create(
          claimTemplate({ requests: [{ name: 'r', exactly: { ...exactly, selectors: [{ cel: { expression: 'device.driver' } }] } }] }),
        ),
      ],
      {
        causes: [
          'spec.spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
        ],
      },
    ],
    [
      'gives claims labels that can be',
      [create(claimTemplate(one, { labels: { 'a b': 'c' } }))],
      {
        causes: [
          `spec.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'gives claims no other metadata, not even an empty list of it',
      [create(claimTemplate(one, { managedFields: [] }))],
      { causes: ['spec.metadata.managedFields: Forbidden: cannot be set'] },
    ],
    [
      'keeps its spec',
      [create(claimTemplate({})), replace({ spec: { spec: { devices: one } } })],
      { causes: [/^spec: Invalid value: .*: field is immutable$/] },
    ],
    [
      'gets labels of its own',
      [create(claimTemplate(one)), merge({ metadata: { labels: { a: 'b' } } })],
      { fields: { metadata: { labels: { a: 'b' } } } },
    ],
    ['shows when it was made', [create(claimTemplate(one)), table], { cells: { Name: '{name}', Age: /./ } }],
  ],
});

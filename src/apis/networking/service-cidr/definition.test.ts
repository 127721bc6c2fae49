import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const range = (...cidrs: string[]): object => ({ spec: { cidrs } });

describeKind('a ServiceCIDR', {
  path: '/apis/networking.k8s.io/v1/servicecidrs',
  cases: [
    [
      'is a range',
      [create(range('198.18.1.0/24'))],
      { fields: { metadata: { generation: undefined }, spec: { cidrs: ['198.18.1.0/24'] } } },
    ],
    [
      'is a range of each family',
      [create(range('198.18.2.0/24', '2001:db8:2::/64'))],
      { fields: { spec: { cidrs: ['198.18.2.0/24', '2001:db8:2::/64'] } } },
    ],
    [
      'keeps its range',
      [create(range('198.18.11.0/24')), replace({ spec: { cidrs: [] } })],
      { causes: ['spec.cidrs: Invalid value: []: field is immutable'] },
    ],
    ['needs a range', [create({ spec: {} })], { causes: ['spec.cidrs: Required value: at least one CIDR required'] }],
    [
      'is one range of a family',
      [create(range('198.18.3.0/24', '198.18.4.0/24'))],
      {
        causes: [
          'spec.cidrs: Invalid value: ["198.18.3.0/24","198.18.4.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
        ],
      },
    ],
    [
      'is two ranges at most',
      [create(range('198.18.3.0/24', '2001:db8:3::/64', '198.18.4.0/24'))],
      {
        causes: ['spec.cidrs: Invalid value: {"CIDRs":["198.18.3.0/24","2001:db8:3::/64","198.18.4.0/24"]}: may only hold up to 2 values'],
      },
    ],
    [
      'is written as ranges are',
      [create(range('198.18.5.1/24'))],
      { causes: ['spec.cidrs[0]: Invalid value: "198.18.5.1/24": must not have bits set beyond the prefix length'] },
    ],
    [
      'is no text',
      [create(range('x'))],
      { causes: ['spec.cidrs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'] },
    ],
    [
      'keeps its ranges',
      [create(range('198.18.6.0/24')), replace({ spec: { cidrs: ['198.18.7.0/24'] } })],
      { causes: ['spec.cidrs[0]: Invalid value: "198.18.7.0/24": field is immutable'] },
    ],
    [
      'gets a range of the other family',
      [create(range('198.18.8.0/24')), merge({ spec: { cidrs: ['198.18.8.0/24', '2001:db8:8::/64'] } })],
      { status: 200 },
    ],
    [
      'takes a status alone',
      [
        create(range('198.18.9.0/24')),
        merge(
          {
            spec: { cidrs: ['198.18.10.0/24'] },
            status: {
              conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2024-01-01T00:00:00Z' }],
            },
          },
          'status',
        ),
      ],
      { fields: { spec: { cidrs: ['198.18.9.0/24'] }, status: { conditions: [{ type: 'Ready', status: 'True' }] } } },
    ],
    ['shows its ranges', [create(range('198.18.11.0/24')), table], { cells: { Name: '{name}', CIDRs: '198.18.11.0/24', Age: /./ } }],
  ],
});

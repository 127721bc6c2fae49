import { create, describeKind, list, merge, send, table } from '../../../../test/support/kind-suite.ts';

const endpoints = (subset: object = {}): object => ({ subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }], ...subset }] });

describeKind('an Endpoints', {
  path: '/api/v1/namespaces/{ns}/endpoints',
  cases: [
    [
      'has TCP ports unless it says otherwise',
      [create(endpoints())],
      { fields: { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] } },
    ],
    [
      'warns that there are EndpointSlices',
      [create(endpoints())],
      { warnings: ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'] },
    ],
    ['may be empty', [create({})], { fields: { subsets: undefined } }],
    [
      'has addresses, ready or not, in each subset',
      [create({ subsets: [{ ports: [{ port: 80 }] }] })],
      { causes: ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'] },
    ],
    [
      'has addresses of other machines than the server itself',
      [create(endpoints({ addresses: [{ ip: '127.0.0.1' }, { ip: '169.254.1.1' }, { ip: '224.0.0.1' }, { ip: '0.0.0.0' }, { ip: 'x' }] }))],
      {
        causes: [
          'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
          'subsets[0].addresses[1].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
          'subsets[0].addresses[2].ip: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
          'subsets[0].addresses[3].ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
          'subsets[0].addresses[4].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'subsets[0].addresses[4].ip: Invalid value: "x": must be a valid IP address',
        ],
      },
    ],
    [
      'has host names that are labels',
      [create(endpoints({ addresses: [{ ip: '192.0.2.1', hostname: 'A.b', nodeName: 'A_b' }] }))],
      {
        causes: [
          `subsets[0].addresses[0].hostname: Invalid value: "A.b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
          `subsets[0].addresses[0].nodeName: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    [
      'names its ports once there are two',
      [create(endpoints({ ports: [{ port: 80 }, { port: 81, name: 'b' }] }))],
      { causes: ['subsets[0].ports[0].name: Required value'] },
    ],
    [
      'judges each port by itself',
      [create(endpoints({ ports: [{ port: 0, name: 'A', protocol: 'tcp', appProtocol: 'a b' }] }))],
      {
        causes: [
          `subsets[0].ports[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
          'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'subsets[0].ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
          `subsets[0].ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        ],
      },
    ],
    [
      'keeps its subsets as they were given',
      [
        create({
          subsets: [
            { addresses: [{ ip: '192.0.2.3' }], ports: [{ port: 80 }] },
            { addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.3' }], ports: [{ port: 80 }] },
          ],
        }),
      ],
      { fields: { subsets: [{ addresses: [{ ip: '192.0.2.3' }] }, { addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.3' }] }] } },
    ],
    [
      'becomes empty, without a generation that tells',
      [create(endpoints()), merge({ subsets: [] })],
      { fields: { metadata: { generation: undefined }, subsets: undefined } },
    ],
    [
      'may say that an address is on another node than before',
      [
        create(endpoints({ addresses: [{ ip: '192.0.2.1', nodeName: 'a' }] })),
        merge({ subsets: [{ addresses: [{ ip: '192.0.2.1', nodeName: 'b' }], ports: [{ port: 80 }] }] }),
      ],
      { fields: { subsets: [{ addresses: [{ ip: '192.0.2.1', nodeName: 'b' }] }] } },
    ],
    [
      'is replaced without a precondition',
      [create(endpoints()), send('PUT', '/api/v1/namespaces/{ns}/endpoints/{name}', { metadata: { name: '{name}' } })],
      { fields: { subsets: undefined } },
    ],
    [
      'warns when it is listed',
      [create(endpoints()), list('fieldSelector=metadata.name={name}')],
      { warnings: ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'] },
    ],
    [
      'shows three addresses and how many more there are',
      [create(endpoints({ addresses: ['1', '2', '3', '4', '5'].map((n) => ({ ip: `192.0.2.${n}` })) })), table],
      { cells: { Name: '{name}', Endpoints: '192.0.2.1:80,192.0.2.2:80,192.0.2.3:80 + 2 more...', Age: /./ } },
    ],
  ],
});

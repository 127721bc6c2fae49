import { create, describeKind, send } from '../../../../test/support/kind-suite.ts';

const service = { namespace: 'n', name: 's' };
const apiService = (group: string, spec: object = {}): object => ({
  metadata: { name: `v1.${group}` },
  spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service, insecureSkipTLSVerify: true, ...spec },
});
const statusOf = (group: string): string => `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}/status`;

describeKind('an APIService', {
  path: '/apis/apiregistration.k8s.io/v1/apiservices',
  cases: [
    [
      'is at port 443 of its service unless it says otherwise',
      [create(apiService('a.example.com'))],
      { fields: { spec: { service: { ...service, port: 443 } }, status: {} } },
    ],
    [
      'is named after its version and group',
      [create({ ...apiService('b.example.com'), metadata: { name: 'v2.b.example.com' } })],
      { causes: ['metadata.name: Invalid value: "v2.b.example.com": must be `spec.version+"."+spec.group`: "v1.b.example.com"'] },
    ],
    [
      'needs a version and priorities',
      [create({ metadata: { name: '.c.example.com' }, spec: { group: 'c.example.com', service, insecureSkipTLSVerify: true } })],
      {
        causes: [
          `spec.version: Invalid value: "": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
          'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
          'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
        ],
      },
    ],
    [
      'has priorities within bounds',
      [create(apiService('d.example.com', { groupPriorityMinimum: 20_001, versionPriority: 1001 }))],
      {
        causes: [
          'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
          'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000',
        ],
      },
    ],
    [
      'needs a service, a namespace and a name',
      [create(apiService('e.example.com', { service: {} }))],
      { causes: ['spec.service.namespace: Required value', 'spec.service.name: Required value'] },
    ],
    [
      'trusts a bundle or skips verification, not both',
      [create(apiService('f.example.com', { caBundle: 'eA==' }))],
      { causes: ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'] },
    ],
    [
      'has a port that can be',
      [create(apiService('g.example.com', { service: { ...service, port: 70_000 } }))],
      { causes: ['spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive'] },
    ],
    [
      'of the server itself has no need to verify',
      [create(apiService('h.example.com', { service: undefined, groupPriorityMinimum: 5 }))],
      { causes: ['spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify'] },
    ],
    [
      'does not take a status with its spec',
      [create({ ...apiService('i.example.com'), status: { conditions: [{ type: 'Available', status: 'True' }] } })],
      { fields: { status: { conditions: undefined } } },
    ],
    [
      'keeps its group and version since it keeps its name',
      [
        create(apiService('j.example.com')),
        send(
          'PATCH',
          '/apis/apiregistration.k8s.io/v1/apiservices/v1.j.example.com',
          { spec: { version: 'v2' } },
          { 'content-type': 'application/merge-patch+json' },
        ),
      ],
      { causes: ['metadata.name: Invalid value: "v1.j.example.com": must be `spec.version+"."+spec.group`: "v2.j.example.com"'] },
    ],
    [
      'has a status of its own',
      [create(apiService('k.example.com')), send('GET', statusOf('k.example.com'))],
      { fields: { kind: 'APIService', spec: { group: 'k.example.com' } } },
    ],
    [
      'for a group of the server itself is there from the start',
      [send('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps')],
      {
        fields: {
          metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
          spec: { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 },
          status: {
            conditions: [{ type: 'Available', status: 'True', reason: 'Local', message: 'Local APIServices are always available' }],
          },
        },
      },
    ],
    [
      'with a bad label is told so by each rule that finds it',
      [
        create(apiService('l.example.com')),
        send(
          'PATCH',
          '/apis/apiregistration.k8s.io/v1/apiservices/v1.l.example.com',
          { metadata: { labels: { a: '-' } } },
          { 'content-type': 'application/merge-patch+json' },
        ),
      ],
      { causes: Array.from({ length: 4 }, () => /^metadata\.labels: Invalid value: "-": a valid label must be/) },
    ],
  ],
});

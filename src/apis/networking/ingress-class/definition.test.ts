import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const ingressClass = (spec: object = {}): object => ({ spec: { controller: 'example.com/controller', ...spec } });
const parameters = { apiGroup: 'example.com', kind: 'Thing', name: 't' };

describeKind('an IngressClass', {
  path: '/apis/networking.k8s.io/v1/ingressclasses',
  cases: [
    [
      'names a controller',
      [create(ingressClass())],
      { fields: { metadata: { generation: 1 }, spec: { controller: 'example.com/controller' } } },
    ],
    [
      'needs a controller that has a domain and a path',
      [create(ingressClass({ controller: 'me' }))],
      { causes: ['spec.controller: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'] },
    ],
    ['needs a controller', [create({ spec: {} })], { causes: ['spec.controller: Required value'] }],
    [
      'has parameters of the cluster unless it says otherwise',
      [create(ingressClass({ parameters }))],
      { fields: { spec: { parameters: { ...parameters, scope: 'Cluster' } } } },
    ],
    [
      'needs the kind and name of its parameters',
      [create(ingressClass({ parameters: {} }))],
      { causes: ['spec.parameters.kind: Required value', 'spec.parameters.name: Required value'] },
    ],
    [
      'has no parameters of unknown scope',
      [create(ingressClass({ parameters: { ...parameters, scope: 'World' } }))],
      { causes: ['spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"'] },
    ],
    [
      'has the namespace of its parameters only where they have one',
      [create(ingressClass({ parameters: { ...parameters, namespace: 'n' } }))],
      { causes: ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"] },
    ],
    [
      'has the namespace of its parameters where they have one',
      [create(ingressClass({ parameters: { ...parameters, scope: 'Namespace' } }))],
      { causes: ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"] },
    ],
    [
      'keeps its controller',
      [create(ingressClass()), replace({ spec: { controller: 'example.com/other' } })],
      { causes: ['spec.controller: Invalid value: "example.com/other": field is immutable'] },
    ],
    ['counts its generations', [create(ingressClass()), merge({ spec: { parameters } })], { fields: { metadata: { generation: 2 } } }],
    [
      'shows its controller and parameters',
      [create(ingressClass({ parameters })), table],
      { cells: { Name: '{name}', Controller: 'example.com/controller', Parameters: 'Thing.example.com/t', Age: /./ } },
    ],
    [
      'keeps the link to itself that it was given only while nothing is stored',
      [
        create(ingressClass()),
        send(
          'PATCH',
          '/apis/networking.k8s.io/v1/ingressclasses/{name}?dryRun=All',
          { metadata: { selfLink: '/x' } },
          { 'content-type': 'application/merge-patch+json' },
        ),
      ],
      { fields: { metadata: { selfLink: '/x' } } },
    ],
    [
      'is not stored with a link to itself',
      [create(ingressClass()), merge({ metadata: { selfLink: '/x', labels: { a: 'b' } } })],
      { fields: { metadata: { selfLink: undefined, labels: { a: 'b' } } } },
    ],
    [
      'of another uid is named without the prefix of the store while nothing is stored',
      [
        create(ingressClass()),
        send('PUT', '/apis/networking.k8s.io/v1/ingressclasses/{name}?dryRun=All', {
          metadata: { name: '{name}', uid: 'x' },
          ...ingressClass(),
        }),
      ],
      {
        status: 409,
        message: /Code: 4, Key: \/ingressclasses\/case-\d+, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID/,
      },
    ],
  ],
});

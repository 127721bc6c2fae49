import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const binding = (spec: object = {}): object => ({ spec: { policyName: 'none.example.com', ...spec } });

describeKind('a MutatingAdmissionPolicyBinding', {
  path: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
  cases: [
    [
      'names a policy, which need not be there',
      [create(binding())],
      { fields: { metadata: { generation: 1 }, spec: { policyName: 'none.example.com', matchResources: undefined, paramRef: undefined } } },
    ],
    ['needs a policy', [create({ spec: {} })], { causes: ['spec.policyName: Required value'] }],
    [
      'needs the name of a policy that could be',
      [create(binding({ policyName: 'A_b' }))],
      {
        causes: [
          `spec.policyName: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    [
      'matches everything equivalent where it matches at all',
      [
        create(
          binding({
            matchResources: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
          }),
        ),
      ],
      {
        fields: {
          spec: {
            matchResources: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{ scope: '*' }] },
          },
        },
      },
    ],
    [
      'has rules of operations and resources',
      [
        create(
          binding({
            matchResources: { matchPolicy: 'Roughly', resourceRules: [{ apiGroups: [''], resources: ['pods'], operations: ['FLY'] }] },
          }),
        ),
      ],
      {
        causes: [
          'spec.matchResources.matchPolicy: Unsupported value: "Roughly": supported values: "Equivalent", "Exact"',
          'spec.matchResources.resourceRules[0].operations[0]: Unsupported value: "FLY": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
          'spec.matchResources.resourceRules[0].apiVersions: Required value',
          'spec.matchResources.resourceRules.operations: Unsupported value: "FLY": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
        ],
      },
    ],
    [
      'names a parameter or selects some',
      [create(binding({ paramRef: { name: 'p', selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' } }))],
      {
        causes: [
          'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
          'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
        ],
      },
    ],
    [
      'says what happens without its parameter',
      [create(binding({ paramRef: { name: 'p' } }))],
      { causes: ['spec.paramRef.parameterNotFoundAction: Required value'] },
    ],
    [
      'allows or denies without its parameter',
      [create(binding({ paramRef: { name: 'p', parameterNotFoundAction: 'Wait' } }))],
      { causes: ['spec.paramRef.parameterNotFoundAction: Unsupported value: "Wait": supported values: "Deny", "Allow"'] },
    ],
    [
      'counts its generations',
      [create(binding()), merge({ spec: { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } } })],
      { fields: { metadata: { generation: 2 } } },
    ],
    [
      'is judged again when it is replaced',
      [create(binding()), replace({ spec: { policyName: '' } })],
      { causes: ['spec.policyName: Required value'] },
    ],
    [
      'shows its policy',
      [create(binding()), table],
      { cells: { Name: '{name}', PolicyName: 'none.example.com', ParamRef: '<unset>', Age: /./ } },
    ],
  ],
});

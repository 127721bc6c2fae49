import { apply, create, describeKind, merge, post, send, table } from '../../../../test/support/kind-suite.ts';

const account = { apiVersion: 'v1', kind: 'ServiceAccount' };
const forServer = { audiences: ['https://kubernetes.default.svc.cluster.local'] };

describeKind('a ServiceAccount', {
  path: '/api/v1/namespaces/{ns}/serviceaccounts',
  cases: [
    [
      'is a name',
      [create({})],
      {
        fields: {
          secrets: undefined,
          imagePullSecrets: undefined,
          automountServiceAccountToken: undefined,
          metadata: { generation: undefined },
        },
      },
    ],
    [
      'names secrets and says whether pods get a token',
      [create({ secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false })],
      { fields: { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false } },
    ],
    ['needs no secret that exists', [create({}), merge({ secrets: [{ name: 'none' }] })], { fields: { secrets: [{ name: 'none' }] } }],
    [
      'has no name that is no name of a subdomain',
      [create({ metadata: { name: 'A_b' } })],
      {
        causes: [
          `metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    [
      'is replaced without a precondition',
      [
        create({ automountServiceAccountToken: true }),
        send('PUT', '/api/v1/namespaces/{ns}/serviceaccounts/{name}', { metadata: { name: '{name}' } }),
      ],
      { fields: { automountServiceAccountToken: undefined } },
    ],
    [
      'warns of secrets that it alone may mount',
      [create({ metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } })],
      {
        warnings: [
          'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
        ],
      },
    ],
    [
      'gives a token for an hour',
      [create({}), post('token', { spec: {} })],
      {
        status: 201,
        fields: {
          kind: 'TokenRequest',
          metadata: { name: '{name}', namespace: '{ns}' },
          spec: { expirationSeconds: 3600 },
          status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, expirationTimestamp: /./ },
        },
      },
    ],
    [
      'gives no token for less than ten minutes',
      [create({}), post('token', { spec: { ...forServer, expirationSeconds: 599 } })],
      { causes: ['spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes'] },
    ],
    [
      'gives no token for more than 2^32 seconds',
      [create({}), post('token', { spec: { ...forServer, expirationSeconds: 4294967297 } })],
      { causes: ['spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds'] },
    ],
    [
      'binds tokens to pods, secrets and nodes alone',
      [create({}), post('token', { spec: { ...forServer, boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'c' } } })],
      { status: 400, message: 'cannot bind token to object of type /v1, Kind=ConfigMap' },
    ],
    [
      'binds no token to what is not there',
      [create({}), post('token', { spec: { ...forServer, boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } } })],
      { status: 404, message: 'secrets "none" not found' },
    ],
    [
      'gives no token in the name of another',
      [create({}), post('token', { metadata: { name: 'other' }, spec: {} })],
      {
        status: 422,
        message:
          'TokenRequest.authentication.k8s.io "{name}" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
      },
    ],
    ['gives no token when it is not there', [post('token', { spec: {} })], { status: 404, message: 'serviceaccounts "{name}" not found' }],
    ['shows when it was made', [create({ secrets: [{ name: 's' }] }), table], { cells: { Name: '{name}', Age: /./ } }],
    [
      'with a secret that has no name cannot be applied: where that is, is said',
      [apply({ ...account, secrets: [{ name: '' }] }, 'm'), apply(account, 'm')],
      {
        status: 500,
        message: /typed live object .*: \.secrets: element 0: associative list with keys has an element that omits all key fields/,
      },
    ],
  ],
});

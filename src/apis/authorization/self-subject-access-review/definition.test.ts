import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = (spec: object, headers?: Readonly<Record<string, string>>): ReturnType<typeof send> => send('POST', path, { spec }, headers);
const readPods = { namespace: 'n', verb: 'get', resource: 'pods', version: 'v1' };
const asJane = { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' };

describeKind('a SelfSubjectAccessReview', {
  path,
  cases: [
    [
      'allows the masters everything',
      [review({ resourceAttributes: readPods })],
      { status: 201, fields: { spec: { resourceAttributes: readPods }, status: { allowed: true, reason: undefined } } },
    ],
    [
      'denies others what no role allows them',
      [review({ resourceAttributes: readPods }, asJane)],
      { fields: { status: { allowed: false } } },
    ],
    [
      'is itself allowed to everybody',
      [review({ resourceAttributes: { group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews', verb: 'create' } }, asJane)],
      {
        fields: {
          status: {
            allowed: true,
            reason:
              'RBAC: allowed by ClusterRoleBinding "system:basic-user" of ClusterRole "system:basic-user" to Group "system:authenticated"',
          },
        },
      },
    ],
    [
      'is about paths too',
      [review({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }, asJane)],
      { fields: { status: { allowed: false } } },
    ],
    [
      'is about a resource or a path',
      [review({})],
      { causes: ['spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'] },
    ],
    [
      'is not about a resource and a path',
      [review({ resourceAttributes: readPods, nonResourceAttributes: { path: '/', verb: 'get' } })],
      {
        causes: [
          'spec: Invalid value: {"Path":"/","Verb":"get"}: exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ],
      },
    ],
    [
      'does not take a status',
      [send('POST', path, { spec: { resourceAttributes: readPods }, status: { allowed: true, reason: 'because' } }, asJane)],
      { fields: { status: { allowed: false, reason: undefined } } },
    ],
    [
      'has no name',
      [send('POST', path, { metadata: { name: 'n' }, spec: { resourceAttributes: readPods } })],
      { causes: [/^metadata: Invalid value: \{"name":"n",.*\}: must be empty$/] },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});

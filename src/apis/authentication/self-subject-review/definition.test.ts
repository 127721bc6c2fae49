import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describeKind('a SelfSubjectReview', {
  path,
  cases: [
    [
      'says who asks',
      [send('POST', path, {})],
      {
        status: 201,
        fields: {
          metadata: { creationTimestamp: /./, name: undefined, uid: undefined },
          status: {
            userInfo: {
              username: 'kubernetes-admin',
              groups: ['system:masters', 'system:authenticated'],
              uid: undefined,
              extra: { 'authentication.kubernetes.io/credential-id': [/^X509SHA256=[\da-f]{64}$/] },
            },
          },
        },
      },
    ],
    [
      'says as whom one acts',
      [
        send(
          'POST',
          path,
          {},
          {
            'impersonate-user': 'jane',
            'impersonate-group': 'system:authenticated',
            'impersonate-uid': 'u-1',
            'impersonate-extra-scopes': 'view',
          },
        ),
      ],
      { fields: { status: { userInfo: { username: 'jane', uid: 'u-1', groups: ['system:authenticated'], extra: { scopes: ['view'] } } } } },
    ],
    [
      'says the groups that a user is in by being one',
      [send('POST', path, {}, { 'impersonate-user': 'jane' })],
      { fields: { status: { userInfo: { username: 'jane', groups: ['system:authenticated'] } } } },
    ],
    [
      'says what a service account is',
      [send('POST', path, {}, { 'impersonate-user': 'system:serviceaccount:n:s' })],
      {
        fields: {
          status: {
            userInfo: {
              username: 'system:serviceaccount:n:s',
              groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
            },
          },
        },
      },
    ],
    [
      'forgets what it was given',
      [send('POST', path, { metadata: { name: 'n', labels: { a: 'b' } }, status: { userInfo: { username: 'root' } } })],
      { fields: { metadata: { name: undefined, labels: undefined }, status: { userInfo: { username: 'kubernetes-admin' } } } },
    ],
    ['may be asked in vain', [send('POST', `${path}?dryRun=All`, {})], { status: 201 }],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
    [
      'is no other kind',
      [send('POST', path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' })],
      {
        status: 400,
        message:
          'TokenReview in version "v1" cannot be handled as a SelfSubjectReview: converting (v1.TokenReview) to (authentication.SelfSubjectReview): unknown conversion',
      },
    ],
  ],
});

import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authentication.k8s.io/v1/tokenreviews';
const review = (spec: object): ReturnType<typeof send> => send('POST', path, { spec });

describeKind('a TokenReview', {
  path,
  cases: [
    [
      'says of a token that is none that it is none',
      [review({ token: 'none' })],
      { status: 201, fields: { spec: { token: 'none' }, status: { user: {}, authenticated: undefined, error: 'invalid bearer token' } } },
    ],
    ['needs a token', [review({})], { status: 400, message: 'token is required for TokenReview in authentication' }],
    [
      'may have a name',
      [send('POST', path, { metadata: { name: 'n' }, spec: { token: 't' } })],
      { status: 201, fields: { metadata: { name: 'n' } } },
    ],
    [
      'is of no namespace, whatever it says',
      [send('POST', path, { metadata: { namespace: 'n' }, spec: { token: 't' } })],
      { status: 201, fields: { metadata: { namespace: undefined } } },
    ],
    [
      'does not take a status',
      [send('POST', path, { spec: { token: 'none' }, status: { authenticated: true, user: { username: 'root' } } })],
      { fields: { status: { user: {}, authenticated: undefined } } },
    ],
    [
      'keeps the audiences that were asked for',
      [review({ token: 'none', audiences: ['a', 'b'] })],
      { fields: { spec: { audiences: ['a', 'b'] }, status: { audiences: undefined } } },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});

import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const asJane = { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' };
const review = (namespace: string, headers?: Readonly<Record<string, string>>): ReturnType<typeof send> =>
  send('POST', path, { spec: { namespace } }, headers);
const ownReview = { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] };
const ownAccess = {
  verbs: ['create'],
  apiGroups: ['authorization.k8s.io'],
  resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
};

/** The order of the rules is ours: upstream promises none. */
describeKind('a SelfSubjectRulesReview', {
  path,
  cases: [
    [
      'lists what every user may',
      [review('default', asJane)],
      { status: 201, fields: { status: { incomplete: false, resourceRules: [ownAccess, ownReview], evaluationError: undefined } } },
    ],
    ['forgets what was asked', [review('default', asJane)], { fields: { metadata: { name: undefined }, spec: { namespace: undefined } } }],
    [
      'lists what the masters may besides',
      [review('default')],
      { fields: { status: { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, ownAccess, ownReview] } } },
    ],
    ['is about a namespace', [send('POST', path, {})], { status: 400, message: 'no namespace on request' }],
    ['is about a namespace that need not be there', [review('none', asJane)], { fields: { status: { incomplete: false } } }],
    [
      'does not take a status',
      [
        send(
          'POST',
          path,
          { spec: { namespace: 'default' }, status: { resourceRules: [{ verbs: ['*'] }], nonResourceRules: [], incomplete: true } },
          asJane,
        ),
      ],
      { fields: { status: { incomplete: false, resourceRules: [ownAccess, ownReview] } } },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});

import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const review = (spec: object): ReturnType<typeof send> => send('POST', path, { spec });
const readPods = { namespace: 'n', verb: 'get', resource: 'pods', version: 'v1' };

describeKind('a SubjectAccessReview', {
  path,
  cases: [
    [
      'denies what no role allows',
      [review({ user: 'jane', resourceAttributes: readPods })],
      {
        status: 201,
        fields: { spec: { user: 'jane', resourceAttributes: readPods }, status: { allowed: false, denied: undefined, reason: undefined } },
      },
    ],
    [
      'allows the masters everything',
      [review({ groups: ['system:masters'], resourceAttributes: readPods })],
      { fields: { status: { allowed: true, reason: undefined } } },
    ],
    [
      'says which binding allows',
      [review({ groups: ['system:authenticated'], nonResourceAttributes: { path: '/version', verb: 'get' } })],
      {
        fields: {
          status: {
            allowed: true,
            reason:
              /^RBAC: allowed by ClusterRoleBinding "system:[a-z-]+" of ClusterRole "system:[a-z-]+" to Group "system:authenticated"$/,
          },
        },
      },
    ],
    [
      'knows nothing of a path that no role allows',
      [review({ user: 'jane', nonResourceAttributes: { path: '/secret', verb: 'get' } })],
      { fields: { status: { allowed: false } } },
    ],
    [
      'is about somebody',
      [review({ resourceAttributes: readPods })],
      { causes: ['spec.user: Invalid value: "": at least one of user or group must be specified'] },
    ],
    [
      'is about a resource or a path',
      [review({ user: 'jane' })],
      { causes: ['spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'] },
    ],
    [
      'is not about a resource and a path',
      [review({ user: 'jane', resourceAttributes: readPods, nonResourceAttributes: { path: '/', verb: 'get' } })],
      {
        causes: [
          'spec: Invalid value: {"Path":"/","Verb":"get"}: exactly one of nonResourceAttributes or resourceAttributes must be specified',
        ],
      },
    ],
    [
      'understands selectors of fields and labels',
      [
        review({
          user: 'jane',
          resourceAttributes: {
            ...readPods,
            verb: 'list',
            fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n'] }] },
            labelSelector: { rawSelector: 'a=b' },
          },
        }),
      ],
      { fields: { status: { allowed: false } } },
    ],
    [
      'has selectors that are one thing or the other',
      [
        review({
          user: 'jane',
          resourceAttributes: {
            ...readPods,
            fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
            labelSelector: { requirements: [{ key: 'a', operator: 'In' }] },
          },
        }),
      ],
      {
        causes: [
          'spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
          "spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      },
    ],
    [
      'has no name',
      [send('POST', path, { metadata: { name: 'n' }, spec: { user: 'jane', resourceAttributes: readPods } })],
      { causes: [/^metadata: Invalid value: \{"name":"n",.*\}: must be empty$/] },
    ],
    [
      'does not take a status',
      [send('POST', path, { spec: { user: 'jane', resourceAttributes: readPods }, status: { allowed: true } })],
      { fields: { status: { allowed: false } } },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});

import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews';
const review = (spec: object): ReturnType<typeof send> => send('POST', path, { spec });
const readPods = { namespace: '{ns}', verb: 'get', resource: 'pods', version: 'v1' };

describeKind('a LocalSubjectAccessReview', {
  path,
  cases: [
    [
      'denies what no role allows',
      [review({ user: 'jane', resourceAttributes: readPods })],
      { status: 201, fields: { metadata: { namespace: '{ns}' }, status: { allowed: false } } },
    ],
    [
      'allows the masters everything',
      [review({ groups: ['system:masters'], resourceAttributes: readPods })],
      { fields: { status: { allowed: true } } },
    ],
    [
      'is about its own namespace',
      [review({ user: 'jane', resourceAttributes: { ...readPods, namespace: 'other' } })],
      { causes: ['spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace'] },
    ],
    [
      'is not about no namespace',
      [review({ user: 'jane', resourceAttributes: { verb: 'get', resource: 'pods' } })],
      { causes: ['spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace'] },
    ],
    [
      'is not about paths',
      [review({ user: 'jane', nonResourceAttributes: { path: '/', verb: 'get' } })],
      { causes: ['spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request'] },
    ],
    [
      'is about somebody',
      [review({ resourceAttributes: readPods })],
      { causes: ['spec.user: Invalid value: "": at least one of user or group must be specified'] },
    ],
    [
      'is of the namespace that it is sent to',
      [send('POST', path, { metadata: { namespace: 'other' }, spec: { user: 'jane', resourceAttributes: readPods } })],
      { status: 400, message: 'the namespace of the provided object does not match the namespace sent on the request' },
    ],
    [
      'does not take a status',
      [send('POST', path, { spec: { user: 'jane', resourceAttributes: readPods }, status: { allowed: true } })],
      { fields: { status: { allowed: false } } },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});

import { create, describeKind, merge, send, table } from '../../../../test/support/kind-suite.ts';

const readPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const asUser = { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' };

describeKind('a Role', {
  path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
  cases: [
    ['is a list of rules', [create({ rules: [readPods] })], { fields: { rules: [readPods] } }],
    ['may allow nothing', [create({})], { fields: { rules: null } }],
    [
      'allows verbs on resources of groups',
      [create({ rules: [{ resources: ['pods'] }, { verbs: ['get'], apiGroups: [''] }, { verbs: ['get'], resources: ['pods'] }] })],
      {
        causes: [
          'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
          'rules[1].resources: Required value: resource rules must supply at least one resource',
          'rules[2].apiGroups: Required value: resource rules must supply at least one api group',
          'rules[0].verbs: Required value',
        ],
      },
    ],
    [
      'knows no paths, since they are no part of a namespace',
      [create({ rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] })],
      { causes: ['rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs'] },
    ],
    [
      'takes resources that nobody knows',
      [create({ rules: [{ apiGroups: ['none.example.com'], resources: ['things/parts'], verbs: ['fly'], resourceNames: ['one'] }] })],
      { fields: { rules: [{ verbs: ['fly'], apiGroups: ['none.example.com'], resources: ['things/parts'], resourceNames: ['one'] }] } },
    ],
    [
      'may have a name with colons',
      [create({ metadata: { name: 'system:some:{name}' } })],
      { fields: { metadata: { name: 'system:some:{name}' } } },
    ],
    [
      'has a name that can stand in a path',
      [create({ metadata: { name: 'a%b' } })],
      { causes: [`metadata.name: Invalid value: "a%b": may not contain '%'`] },
    ],
    [
      'changes, without a generation that tells',
      [create({}), merge({ rules: [readPods] })],
      { fields: { metadata: { generation: undefined }, rules: [readPods] } },
    ],
    [
      'is replaced without a precondition',
      [
        create({ rules: [readPods] }),
        send('PUT', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/{name}', { metadata: { name: '{name}' } }),
      ],
      { fields: { rules: null } },
    ],
    [
      'is not made by a user who may not make roles',
      [send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', { metadata: { name: 'x' } }, asUser)],
      {
        status: 403,
        message:
          'roles.rbac.authorization.k8s.io is forbidden: User "jane" cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "{ns}"',
      },
    ],
    [
      'does not grant more than the user has who makes it',
      [
        send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
          metadata: { name: 'maker' },
          rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] }],
        }),
        send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings', {
          metadata: { name: 'maker' },
          subjects: [{ kind: 'User', name: 'jane' }],
          roleRef: { kind: 'Role', name: 'maker' },
        }),
        send(
          'POST',
          '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
          { metadata: { name: '{name}' }, rules: [readPods] },
          asUser,
        ),
      ],
      {
        status: 403,
        message:
          'roles.rbac.authorization.k8s.io "{name}" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
      },
    ],
    ['shows when it was made', [create({ rules: [readPods] }), table], { cells: { Name: '{name}', 'Created At': /./ } }],
  ],
});

import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const jane = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' };

describeKind('a RoleBinding', {
  path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
  cases: [
    [
      'names the groups of its role and subjects by itself',
      [
        create({
          roleRef: { kind: 'Role', name: 'r' },
          subjects: [
            { kind: 'User', name: 'jane' },
            { kind: 'ServiceAccount', name: 's', namespace: 'n' },
          ],
        }),
      ],
      { fields: { roleRef, subjects: [jane, { kind: 'ServiceAccount', name: 's', namespace: 'n', apiGroup: undefined }] } },
    ],
    ['may bind a role that is not there to nobody', [create({ roleRef })], { fields: { roleRef, subjects: undefined } }],
    [
      'to a role that is not there is not made by a user who may not bind: what is not found is said to be a binding',
      [
        send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
          metadata: { name: 'binder' },
          rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['create'] }],
        }),
        send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings', {
          metadata: { name: 'binder' },
          subjects: [{ kind: 'User', name: 'jane' }],
          roleRef: { kind: 'Role', name: 'binder' },
        }),
        send(
          'POST',
          '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
          { metadata: { name: '{name}' }, roleRef: { kind: 'Role', name: 'none' } },
          { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' },
        ),
      ],
      { status: 404, message: 'rolebindings.rbac.authorization.k8s.io "none" not found' },
    ],
    [
      'needs a role',
      [create({})],
      { causes: ['roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"', 'roleRef.name: Required value'] },
    ],
    [
      'binds roles of the namespace or the cluster alone',
      [create({ roleRef: { apiGroup: 'other.example.com', kind: 'Pod', name: 'p' } })],
      {
        causes: [
          'roleRef.apiGroup: Unsupported value: "other.example.com": supported values: "rbac.authorization.k8s.io"',
          'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
        ],
      },
    ],
    [
      'binds users, groups and service accounts alone',
      [create({ roleRef, subjects: [{ kind: 'Robot', name: 'r' }] })],
      { causes: ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'] },
    ],
    [
      'needs the name of each subject',
      [create({ roleRef, subjects: [{ kind: 'User' }, { kind: 'Group' }, { kind: 'ServiceAccount' }] })],
      { causes: ['subjects[0].name: Required value', 'subjects[1].name: Required value', 'subjects[2].name: Required value'] },
    ],
    [
      'knows each subject in its own group',
      [
        create({
          roleRef,
          subjects: [
            { kind: 'User', name: 'u', apiGroup: 'other' },
            { kind: 'ServiceAccount', name: 's', namespace: 'n', apiGroup: 'other' },
          ],
        }),
      ],
      {
        causes: [
          'subjects[0].apiGroup: Unsupported value: "other": supported values: "rbac.authorization.k8s.io"',
          'subjects[1].apiGroup: Unsupported value: "other": supported values: ""',
        ],
      },
    ],
    [
      'keeps its role',
      [create({ roleRef, subjects: [jane] }), replace({ roleRef: { name: 'other' } })],
      { causes: ['roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: field is immutable'] },
    ],
    [
      'gets other subjects',
      [create({ roleRef, subjects: [jane] }), merge({ subjects: [{ kind: 'Group', name: 'g' }] })],
      { fields: { metadata: { generation: undefined }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'g' }] } },
    ],
    [
      'may have a name with colons',
      [create({ metadata: { name: 'a:b:{name}' }, roleRef })],
      { fields: { metadata: { name: 'a:b:{name}' } } },
    ],
    [
      'shows who may what',
      [create({ roleRef, subjects: [jane, { kind: 'Group', name: 'g' }, { kind: 'ServiceAccount', name: 's', namespace: 'n' }] }), table],
      { cells: { Name: '{name}', Role: 'Role/r', Age: /./, Users: 'jane', Groups: 'g', ServiceAccounts: 'n/s' } },
    ],
  ],
});

import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'none' };
const jane = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' };

describeKind('a ClusterRoleBinding', {
  path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  cases: [
    [
      'names the groups of its role and subjects by itself',
      [create({ roleRef: { kind: 'ClusterRole', name: 'none' }, subjects: [{ kind: 'User', name: 'jane' }] })],
      { fields: { roleRef, subjects: [jane] } },
    ],
    [
      'needs a role',
      [create({})],
      { causes: ['roleRef.kind: Unsupported value: "": supported values: "ClusterRole"', 'roleRef.name: Required value'] },
    ],
    [
      'binds roles of the cluster alone',
      [create({ roleRef: { ...roleRef, kind: 'Role' } })],
      { causes: ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'] },
    ],
    [
      'binds a role of a name that can be one',
      [create({ roleRef: { ...roleRef, name: 'a/b' } })],
      { causes: [`roleRef.name: Invalid value: "a/b": may not contain '/'`] },
    ],
    [
      'needs the namespace of a service account',
      [create({ roleRef, subjects: [{ kind: 'ServiceAccount', name: 's' }] })],
      { causes: ['subjects[0].namespace: Required value'] },
    ],
    [
      'keeps its role',
      [create({ roleRef, subjects: [jane] }), replace({ roleRef: { name: 'other' } })],
      {
        causes: [
          'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"other"}: field is immutable',
        ],
      },
    ],
    ['gets other subjects', [create({ roleRef, subjects: [jane] }), merge({ subjects: null })], { fields: { subjects: undefined } }],
    [
      'is replaced without a precondition',
      [
        create({ roleRef }),
        send('PUT', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/{name}', {
          metadata: { name: '{name}' },
          roleRef,
          subjects: [jane],
        }),
      ],
      { fields: { subjects: [jane] } },
    ],
    [
      'of the masters is there from the start',
      [send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin')],
      { fields: { roleRef: { name: 'cluster-admin' }, subjects: [{ kind: 'Group', name: 'system:masters' }] } },
    ],
    [
      'shows who may what',
      [create({ roleRef, subjects: [jane] }), table],
      { cells: { Name: '{name}', Role: 'ClusterRole/none', Age: /./, Users: 'jane', Groups: '', ServiceAccounts: '' } },
    ],
  ],
});

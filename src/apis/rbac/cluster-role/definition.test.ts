import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const readPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

describeKind('a ClusterRole', {
  path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  cases: [
    ['is a list of rules', [create({ rules: [readPods] })], { fields: { rules: [readPods], aggregationRule: undefined } }],
    [
      'allows paths too',
      [create({ rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/metrics/*'] }] })],
      { fields: { rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/metrics/*'] }] } },
    ],
    [
      'allows paths or resources in a rule',
      [create({ rules: [{ ...readPods, nonResourceURLs: ['/healthz'] }] })],
      {
        causes: [
          'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
        ],
      },
    ],
    [
      'needs verbs in each rule',
      [create({ rules: [{ apiGroups: [''], resources: ['pods'] }, { nonResourceURLs: ['/healthz'] }] })],
      { causes: ['rules[0].verbs: Required value', 'rules[1].verbs: Required value'] },
    ],
    [
      'selects roles that it consists of',
      [create({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } })],
      { fields: { rules: null, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } } },
    ],
    [
      'consists of something when it is put together',
      [create({ aggregationRule: {} })],
      {
        causes: [
          'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
        ],
      },
    ],
    [
      'selects by labels that can be',
      [create({ aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] } })],
      {
        causes: [
          "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
          'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
        ],
      },
    ],
    [
      'is no longer put together when it is told so',
      [
        create({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }),
        merge({ aggregationRule: null, rules: [readPods] }),
      ],
      { fields: { aggregationRule: undefined, rules: [readPods] } },
    ],
    [
      'is of no namespace, whatever it says',
      [create({ metadata: { namespace: 'default' } })],
      { fields: { metadata: { namespace: undefined } } },
    ],
    [
      'is judged again when it is replaced',
      [create({ rules: [readPods] }), replace({ rules: [{ verbs: ['get'] }] })],
      {
        causes: [
          'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
          'rules[0].resources: Required value: resource rules must supply at least one resource',
        ],
      },
    ],
    [
      'of the server is there from the start',
      [send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin')],
      {
        fields: {
          metadata: {
            labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
            annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
          },
          rules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
            { verbs: ['*'], nonResourceURLs: ['*'] },
          ],
        },
      },
    ],
    ['shows when it was made', [create({ rules: [readPods] }), table], { cells: { Name: '{name}', 'Created At': /./ } }],
  ],
});

// What somebody with rights in one namespace can put there, for one request to meet it.
import type { Case, World } from './case.ts';
import { bodyLimit, fill, fillMap, headerLimit, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const dry = '?dryRun=All';
const core = (namespace: string): string => `/api/v1/namespaces/${namespace}`;
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const share = (size: number): number => size / bodyLimit;
const post = (path: string, body: unknown, headers: Sent['headers'] = {}): Sent => ({
  method: 'POST',
  path,
  body: json(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const get = (path: string, headers: Sent['headers'] = {}): Sent => ({ method: 'GET', path, headers });
const merge = (path: string, body: object): Sent => ({
  method: 'PATCH',
  path,
  body: json(body),
  headers: { 'content-type': 'application/merge-patch+json' },
});

/** Text that makes objects large without anything to be said about it. */
const ballast = (bytes: number): object => ({ annotations: { ballast: 'x'.repeat(Math.min(bytes, 250_000)) } });
const namespaceOf = (name: string): readonly Sent[] => [
  post('/api/v1/namespaces', { metadata: { name } }),
  post(`${core(name)}/serviceaccounts`, { metadata: { name: 'default' } }),
];
const container = { name: 'a', image: 'a' };
const podsOf =
  (namespace: string, count: number, pod: (index: number) => object, metadata: object = {}): World =>
  () => [
    ...namespaceOf(namespace),
    times(count).map((index) => post(`${core(namespace)}/pods`, { metadata: { name: `p${index}`, ...metadata }, spec: pod(index) })),
  ];

const levelled = podsOf('levelled', 4000, () => ({ containers: [{ ...container, securityContext: { privileged: true } }] }));
const onNode = podsOf('pinned', 150, (index) => ({
  nodeName: 'n1',
  automountServiceAccountToken: false,
  volumes: times(2000).map((at) => ({ name: `v${at}`, secret: { secretName: `s${index}-${at}` } })),
  containers: [container],
}));
const budgets: World = () => [
  ...namespaceOf('budgets'),
  post(`${core('budgets')}/pods`, { metadata: { name: 'evicted', labels: { a: 'b' } }, spec: { containers: [container] } }),
  merge(`${core('budgets')}/pods/evicted/status`, { status: { phase: 'Running' } }),
  times(150).map((index) =>
    post('/apis/policy/v1/namespaces/budgets/poddisruptionbudgets', {
      metadata: { name: `b${index}` },
      spec: { selector: { matchExpressions: [{ key: 'k', operator: 'In', values: times(40_000).map((at) => `v${at}`) }] } },
    }),
  ),
];
const endpoints: World = () => [
  ...namespaceOf('endpoints'),
  post(`${core('endpoints')}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }),
  times(300).map((index) =>
    post('/apis/discovery.k8s.io/v1/namespaces/endpoints/endpointslices', {
      metadata: { name: `e${index}`, labels: { 'kubernetes.io/service-name': index < 150 ? 's' : 'other' }, ...ballast(200_000) },
      addressType: 'IPv4',
      ports: [{ name: 'other', port: 81 }],
      endpoints: times(1000).map((at) => ({ addresses: [`10.${index % 250}.${Math.floor(at / 250)}.${(at % 250) + 1}`] })),
    }),
  ),
];
const largeQuotas: World = () => [
  ...namespaceOf('quotas'),
  times(150).map((index) =>
    post(`${core('quotas')}/resourcequotas`, {
      metadata: { name: `q${index}` },
      spec: { hard: fillMap(700_000, (at) => `count/r${at}.g${index}.example.com`, '1k', 19_000) },
    }),
  ),
];
const accounts: World = () => [
  ...namespaceOf('accounts'),
  times(200).map((index) =>
    post(`${core('accounts')}/serviceaccounts`, {
      metadata: { name: `a${index}` },
      imagePullSecrets: times(19_000).map((at) => ({ name: `s${at}` })),
    }),
  ),
];
/** Expressions of selectors of devices may be 10 KiB long each. */
const expression = (length: number): string => `${'device.driver == "a" || '.repeat(length / 24)}true`;
const deviceRequests = (size: number): object[] =>
  times(32).map((index) => ({
    name: `r${index}`,
    exactly: { deviceClassName: 'a', selectors: times(32 * share(size)).map(() => ({ cel: { expression: expression(2800) } })) },
  }));
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/bound';
const bindings: World = () => [
  ...namespaceOf('bound'),
  post(`${rbac}/roles`, { metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  times(60).map((index) =>
    post(`${rbac}/rolebindings`, {
      metadata: { name: `b${index}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: times(15_000).map((at) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `u${index}-${at}` })),
    }),
  ),
];
const flows: World = () => [
  times(30).map((index) =>
    post('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', {
      metadata: { name: `f${index}` },
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 100 + index,
        rules: [
          {
            subjects: times(15_000).map((at) => ({ kind: 'User', user: { name: `u${index}-${at}` } })),
            resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          },
        ],
      },
    }),
  ),
];
const policy: World = () => [
  post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    metadata: { name: 'tenant' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }] },
      matchConditions: [{ name: 'named', expression: 'object.metadata.name == "judged"' }],
      variables: [{ name: 'names', expression: 'object.data.map(k, k + "!")' }],
      validations: times(5).map((index) => ({
        expression: `!variables.names.all(k, k != "none${index}")`,
        messageExpression: 'variables.names.join(", ")',
      })),
      auditAnnotations: [{ key: 'names', valueExpression: 'variables.names.join("")' }],
    },
  }),
  post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
    metadata: { name: 'tenant' },
    spec: { policyName: 'tenant', validationActions: ['Deny', 'Audit'] },
  }),
  ...times(20).map(() => get('/readyz')),
];

export const tenantCases: readonly Case[] = [
  {
    name: 'a level of security for a namespace with 4,000 pods',
    world: [levelled],
    request: () =>
      merge(`/api/v1/namespaces/levelled${dry}`, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }),
  },
  {
    name: 'a secret that a node asks for whose pods name 300,000',
    world: [onNode],
    request: () => get(`${core('pinned')}/secrets/none`, { 'impersonate-user': 'system:node:n1', 'impersonate-group': ['system:nodes'] }),
  },
  {
    name: 'an eviction among 150 budgets of 40,000 values',
    world: [budgets],
    request: () => post(`${core('budgets')}/pods/evicted/eviction${dry}`, { metadata: { name: 'evicted' } }),
  },
  {
    name: 'the proxy of a service with 300 large slices of endpoints',
    world: [endpoints],
    request: () => get(`${core('endpoints')}/services/s:80/proxy/`),
  },
  {
    name: 'a pod among 150 large quotas',
    world: [largeQuotas],
    request: () => post(`${core('quotas')}/pods${dry}`, { metadata: { name: 'a' }, spec: { containers: [container] } }),
  },
  {
    name: 'pods of 200 large accounts',
    world: [accounts],
    before: () =>
      times(200).map((index) =>
        post(`${core('accounts')}/pods${dry}`, {
          metadata: { name: 'a' },
          spec: { automountServiceAccountToken: false, serviceAccountName: `a${index}`, containers: [container] },
        }),
      ),
    request: () => get('/livez'),
  },
  {
    name: 'impersonation: groups, each in a line',
    limit: headerLimit / 2,
    request: (size) =>
      get('/api/v1/configmaps?limit=1', { 'impersonate-user': 'u', 'impersonate-group': fill(size / 3, (index) => `group-${index}`) }),
  },
  {
    name: 'impersonation: extra, each of a name',
    limit: headerLimit / 2,
    request: (size) =>
      get('/api/v1/configmaps?limit=1', {
        'impersonate-user': 'u',
        ...Object.fromEntries(times(size / 40).map((index) => [`impersonate-extra-k${index}`, 'v'])),
      }),
  },
  {
    name: 'expressions of a claim for devices',
    request: (size) =>
      post(`/apis/resource.k8s.io/v1/namespaces/default/resourceclaims${dry}`, {
        metadata: { name: 'a' },
        spec: { devices: { requests: deviceRequests(size) } },
      }),
  },
  {
    name: 'expressions of a template of claims',
    request: (size) =>
      post(`/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates${dry}`, {
        metadata: { name: 'a' },
        spec: { spec: { devices: { requests: deviceRequests(size) } } },
      }),
  },
  {
    name: 'a request after one of 60 bindings of 15,000 subjects has changed',
    world: [bindings],
    before: () => [merge(`${rbac}/rolebindings/b7`, { metadata: { labels: { a: `v${Math.random()}` } } })],
    request: () => get(`${core('bound')}/pods/none`, { 'impersonate-user': 'u3-5' }),
  },
  {
    name: 'rules of a subject of 60 bindings of 15,000',
    world: [bindings],
    request: () =>
      post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'bound' } }, { 'impersonate-user': 'u3-5' }),
  },
  {
    name: 'a watch of labels in a long set',
    limit: headerLimit / 2,
    request: (size) =>
      get(
        `/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=0&labelSelector=${encodeURIComponent(
          `a in (${times(Math.min(size / 8, 24_000))
            .map((index) => `v${index}`)
            .join(',')})`,
        )}`,
      ),
  },
  {
    name: 'a policy on an object of many names, with messages that are worked out',
    world: [policy],
    request: (size) =>
      post(`${core('default')}/configmaps${dry}`, {
        metadata: { name: 'judged' },
        data: fillMap(size / 2, (index) => `k${index}`, 'a', 45_000),
      }),
  },
  {
    name: 'owners that are not there, each another',
    request: (size) =>
      post(`${core('default')}/configmaps${dry}`, {
        metadata: {
          name: 'owned',
          ownerReferences: times(19_000 * share(size)).map((index) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: `o${index}`,
            uid: `u${index}`,
            blockOwnerDeletion: true,
          })),
        },
      }),
  },
  {
    name: 'a request that 30 flow schemas of 15,000 subjects are asked about',
    world: [flows],
    request: () => get('/api/v1/configmaps?limit=1', { 'impersonate-user': 'nobody' }),
  },
];

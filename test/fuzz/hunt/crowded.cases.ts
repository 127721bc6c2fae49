// Small requests that meet much: many objects, bindings, policies, or definitions that were there before.
import type { Case, World } from './case.ts';
import { bodyLimit, fill, fillMap, headerLimit, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const crowd = '/api/v1/namespaces/crowd';
const dry = '?dryRun=All';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const columned = '/apis/crowd.example.com/v1/namespaces/default/columned';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : json(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const get = (path: string, headers: Record<string, string> = {}): Sent => ({ method: 'GET', path, headers });
const remove = (path: string): Sent => ({ method: 'DELETE', path });
const share = (size: number): number => size / bodyLimit;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const asUser = { 'impersonate-user': 'crowded' };

const namespace: World = () => [post('/api/v1/namespaces', { metadata: { name: 'crowd' } })];
const objects: World = () => [
  times(12_000).map((index) => post(`${crowd}/configmaps`, { metadata: { name: `n${index}`, labels: { x: 'y' } }, data: { a: 'b' } })),
];
const large: World = () => [
  times(12).map((index) =>
    post(`${crowd}/secrets`, { metadata: { name: `large-${index}` }, data: fillMap(700_000, (at) => `k${at}`, 'YWFhYWFh', 150_000) }),
  ),
];
const user = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'crowded' };
const roleRef = (kind: string, name: string): object => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const bindings: World = () => [
  post(`${rbac}/namespaces/crowd/roles`, {
    metadata: { name: 'wide' },
    rules: times(5000).map((index) => ({ apiGroups: [`g${index}`], resources: ['b'], resourceNames: ['c'], verbs: ['get'] })),
  }),
  times(2000).map((index) =>
    post(`${rbac}/namespaces/crowd/rolebindings`, {
      metadata: { name: `b${index}` },
      roleRef: roleRef('Role', 'wide'),
      subjects: [user],
    }),
  ),
];
const wardens = '/apis/rbac.authorization.k8s.io/v1/namespaces/wardens';
const asWarden = { 'impersonate-user': 'warden' };
const roles: World = () => [
  post('/api/v1/namespaces', { metadata: { name: 'wardens' } }),
  times(100).map((index) =>
    post(`${wardens}/roles`, {
      metadata: { name: `r${index}` },
      rules: times(9000).map((at) => ({ apiGroups: [''], resources: ['pods'], resourceNames: [`p${at}`], verbs: ['get'] })),
    }),
  ),
  times(4000).map((index) =>
    post(`${wardens}/rolebindings`, {
      metadata: { name: `b${index}` },
      roleRef: roleRef('Role', `r${index % 100}`),
      subjects: [{ ...user, name: index < 100 ? 'warden' : `u${index}` }],
    }),
  ),
];
const account: World = () => [post(`${crowd}/serviceaccounts`, { metadata: { name: 'default' } })];
const rules = (resources: string[]): object => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources }],
});
const policy: World = () => [
  post(`${admission}/validatingadmissionpolicies`, {
    metadata: { name: 'crowd' },
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: rules(['secrets']),
      validations: [{ expression: 'params.data.a != object.metadata.name' }],
    },
  }),
  post(`${admission}/validatingadmissionpolicybindings`, {
    metadata: { name: 'crowd' },
    spec: {
      policyName: 'crowd',
      paramRef: { namespace: 'crowd', selector: {}, parameterNotFoundAction: 'Allow' },
      validationActions: ['Deny'],
    },
  }),
  ...times(20).map(() => get('/readyz')),
];
const noPolicy = [remove(`${admission}/validatingadmissionpolicybindings/crowd`), remove(`${admission}/validatingadmissionpolicies/crowd`)];
const budgets: World = () => [
  post(`${crowd}/pods`, { metadata: { name: 'evicted', labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } }),
  merge(`${crowd}/pods/evicted/status`, { status: { phase: 'Running' } }),
  times(2000).map((index) =>
    post('/apis/policy/v1/namespaces/crowd/poddisruptionbudgets', {
      metadata: { name: `b${index}` },
      spec: { selector: { matchExpressions: times(20).map((at) => ({ key: `k${at}`, operator: 'DoesNotExist' })) } },
    }),
  ),
];
const quotas: World = () => [
  times(400).map((index) =>
    post(`${crowd}/resourcequotas`, {
      metadata: { name: `q${index}` },
      spec: { hard: fillMap(30_000, (at) => `count/r${at}.g${index}`, '1k') },
    }),
  ),
];
const amounts = { cpu: '1', memory: '1Mi' };
const counted = Object.fromEntries(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]).map((name) => [name, '1T']),
);
const podQuotas: World = () => [
  post('/api/v1/namespaces', { metadata: { name: 'counted' } }),
  post('/api/v1/namespaces/counted/serviceaccounts', { metadata: { name: 'default' } }),
  ...times(300).flatMap((index) => {
    const status = { hard: counted, used: Object.fromEntries(Object.keys(counted).map((name) => [name, '0'])) };
    return [
      post('/api/v1/namespaces/counted/resourcequotas', { metadata: { name: `q${index}` }, spec: { hard: counted } }),
      merge(`/api/v1/namespaces/counted/resourcequotas/q${index}/status`, { status }),
    ];
  }),
];
const ranges: World = () => [
  post('/api/v1/namespaces', { metadata: { name: 'ranged' } }),
  post('/api/v1/namespaces/ranged/serviceaccounts', { metadata: { name: 'default' } }),
  times(300).map((index) =>
    post('/api/v1/namespaces/ranged/limitranges', {
      metadata: { name: `r${index}` },
      spec: { limits: [{ type: 'Container', min: amounts, max: amounts, default: amounts }] },
    }),
  ),
];

const definition = (name: string, version: object): Sent =>
  post(definitions, {
    metadata: { name: `${name}.crowd.example.com` },
    spec: {
      group: 'crowd.example.com',
      names: { plural: name, singular: name, kind: `K${name}`, listKind: `K${name}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
    },
  });
const anything = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const waiting = (path: string): Sent => ({ ...get(path), until: 200 });
const columns =
  (paths: readonly string[]): (() => readonly Sent[]) =>
  () => [
    remove(`${definitions}/columned.crowd.example.com`),
    { ...get(`${definitions}/columned.crowd.example.com`), until: 404 },
    definition('columned', {
      schema: anything,
      additionalPrinterColumns: paths.map((jsonPath, index) => ({ name: `c${index}`, type: 'string', jsonPath })),
    }),
    waiting(columned),
    ...times(2).map((index) =>
      post(columned, {
        apiVersion: 'crowd.example.com/v1',
        kind: 'Kcolumned',
        metadata: { name: `n${index}` },
        spec: {
          list: times(15_000).map((at) => ({ a: at, b: { c: `v${at}` } })),
          deep: JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) as unknown,
        },
      }),
    ),
  ];
const columnCase = (name: string, paths: readonly string[]): Case => ({
  name: `columns: ${name}`,
  before: columns(paths),
  request: () => get(columned, { accept: table }),
});
const wide: World = () => [
  definition('wide', {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: fillMap(1_300_000, (index) => `p${index}`, { type: 'string' }, 40_000) } },
      },
    },
  }),
  waiting('/apis/crowd.example.com/v1/namespaces/default/wide'),
];
const versions: World = () => [
  post(definitions, {
    metadata: { name: 'versions.many.example.com' },
    spec: {
      group: 'many.example.com',
      names: { plural: 'versions', singular: 'version', kind: 'Version', listKind: 'VersionList' },
      scope: 'Namespaced',
      versions: times(600).map((index) => ({ name: `v${index + 1}`, served: true, storage: index === 0, schema: anything })),
    },
  }),
  waiting('/apis/many.example.com/v1/namespaces/default/versions'),
];
const huge: World = () => [
  definition('huge', {
    schema: anything,
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  }),
  waiting('/apis/crowd.example.com/v1/namespaces/default/huge'),
  post('/apis/crowd.example.com/v1/namespaces/default/huge', {
    apiVersion: 'crowd.example.com/v1',
    kind: 'Khuge',
    metadata: { name: 'a' },
    spec: { replicas: 1, ...fillMap(1_200_000, (index) => `k${index}`, 'v', 45_000) },
    status: { replicas: 1 },
  }),
];
const hugeOne = '/apis/crowd.example.com/v1/namespaces/default/huge/a';
const merge = (path: string, body: object): Sent => ({
  method: 'PATCH',
  path,
  body: json(body),
  headers: { 'content-type': 'application/merge-patch+json' },
});

const forms: readonly (readonly [name: string, accept: string, query?: string])[] = [
  ['JSON', 'application/json'],
  ['indented', 'application/json', '?pretty=true'],
  ['YAML', 'application/yaml'],
  ['CBOR', 'application/cbor'],
  ['protobuf', 'application/vnd.kubernetes.protobuf'],
  ['a table', table],
  ['a table with objects', table, '?includeObject=Object'],
  ['an indented table', table, '?pretty=true'],
  ['metadata', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['indented metadata', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', '?pretty=true'],
  ['metadata in protobuf', 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['metadata in YAML', 'application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['metadata in CBOR', 'application/cbor;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['a table in YAML', 'application/yaml;as=Table;v=v1;g=meta.k8s.io'],
];
const requirements = (count: number): string =>
  times(count)
    .map((index) => `k${index}!=v`)
    .join(',');
const token = (start: string): string => Buffer.from(json({ v: 'meta.k8s.io/v1', rv: -1, start })).toString('base64url');

/** What pods of many containers are counted or limited by. */
const crowdedPods: readonly (readonly [name: string, namespace: string, world: readonly World[], resources: object])[] = [
  ['400 quotas', 'crowd', [namespace, account, quotas], {}],
  ['300 quotas that count it', 'counted', [podQuotas], { requests: amounts, limits: amounts }],
  ['300 limit ranges', 'ranged', [ranges], { requests: amounts, limits: amounts }],
];
/** Small requests for parts of 12,000 objects. */
const lists: readonly (readonly [name: string, path: string, accept?: string])[] = [
  ['one of a selector that nothing matches', `/api/v1/configmaps?limit=1&labelSelector=${requirements(900)},nothing`],
  ['one of a field that nothing has', '/api/v1/configmaps?limit=1&fieldSelector=metadata.name=none'],
  ['at a revision of long ago', `${crowd}/configmaps?resourceVersion=900&resourceVersionMatch=Exact`],
  ['pages of one at a revision', `${crowd}/configmaps?resourceVersion=9000&resourceVersionMatch=Exact&limit=1`],
  ['continued where no page ended', `${crowd}/configmaps?limit=5&continue=${token('n5\0')}`],
  ['watch from long ago', `${crowd}/configmaps?watch=1&resourceVersion=900&timeoutSeconds=1`],
  [
    'watch of what no selector matches, from long ago',
    `${crowd}/configmaps?watch=1&resourceVersion=900&timeoutSeconds=1&labelSelector=${requirements(900)},nothing`,
  ],
  [
    'watch with initial events',
    `${crowd}/configmaps?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
  ],
  [
    'watch as metadata',
    `${crowd}/configmaps?watch=1&resourceVersion=0&timeoutSeconds=1`,
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  ],
];

export const crowdedCases: readonly Case[] = [
  ...forms.map(([name, accept, query = '']): Case => ({
    name: `12,000 objects as ${name}`,
    world: [namespace, objects],
    request: () => get(`${crowd}/configmaps${query}`, { accept }),
  })),
  ...forms.map(([name, accept, query = '']): Case => ({
    name: `large objects as ${name}`,
    world: [namespace, large],
    request: () => get(`${crowd}/secrets${query}`, { accept }),
  })),
  ...lists.map(([name, path, accept = 'application/json']): Case => ({
    name,
    world: [namespace, objects],
    request: () => get(path, { accept }),
  })),
  {
    name: 'continued at a long key',
    world: [namespace, objects],
    limit: headerLimit,
    request: (size) => get(`${crowd}/configmaps?limit=5&continue=${token('n5'.repeat(size / 4))}`),
  },
  { name: 'dry run of a delete of all', world: [namespace, objects], request: () => ({ ...remove(`${crowd}/configmaps${dry}`) }) },
  {
    name: 'a policy with 12,000 parameters',
    world: [namespace, objects, policy],
    request: () => post(`/api/v1/namespaces/default/secrets${dry}`, { metadata: { name: 'a' } }),
  },
  {
    name: 'rules of a user with 2,000 bindings of 5,000 rules',
    world: [namespace, bindings],
    before: () => noPolicy,
    request: () => post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'crowd' } }, asUser),
  },
  { name: 'a request of a user with 2,000 bindings', world: [namespace, bindings], request: () => get(`${crowd}/pods`, asUser) },
  {
    name: 'a role that a user with 2,000 bindings makes',
    world: [namespace, bindings],
    request: (size) =>
      post(
        `${rbac}/namespaces/crowd/roles${dry}`,
        {
          metadata: { name: 'a' },
          rules: fill(size / 4, (index) => ({ apiGroups: [`g${index}`], resources: ['b'], resourceNames: ['d'], verbs: ['get'] })),
        },
        asUser,
      ),
  },
  {
    name: 'a request of a user with 100 roles of 9,000 rules',
    world: [roles],
    request: () => get('/api/v1/namespaces/wardens/pods/none', asWarden),
  },
  {
    name: 'a request after a binding among 4,000 has changed',
    world: [roles],
    before: (size) => [merge(`${wardens}/rolebindings/b200`, { metadata: { labels: { a: `v${size}-${Math.random()}` } } })],
    request: () => get('/api/v1/namespaces/default/pods', asWarden),
  },
  {
    name: 'rules of a user with 100 roles of 9,000 rules',
    world: [roles],
    request: () => post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'wardens' } }, asWarden),
  },
  {
    name: 'a role that a user with 100 roles of 9,000 rules makes',
    world: [roles],
    request: () =>
      post(
        `${wardens}/roles${dry}`,
        { metadata: { name: 'a' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
        asWarden,
      ),
  },
  {
    name: 'access review: a raw selector',
    request: (size) =>
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: {
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            fieldSelector: { rawSelector: 'metadata.name!=a,'.repeat(size / 36) },
            labelSelector: { rawSelector: '!a,'.repeat(size / 8) },
          },
        },
      }),
  },
  {
    name: 'access review: values of a requirement',
    request: (size) =>
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: {
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            labelSelector: { requirements: [{ key: 'a', operator: 'In', values: fill(size, (index) => `v${index}`) }] },
            fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: fill(size / 2, (index) => `v${index}`) }] },
          },
        },
      }),
  },
  {
    name: 'access review: extra',
    request: (size) =>
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: {
          user: 'u',
          extra: fillMap(size / 2, (index) => `k${index}`, ['v'], 19_000),
          nonResourceAttributes: { path: '/a'.repeat(1000), verb: 'get' },
        },
      }),
  },
  {
    name: 'audiences of a token',
    world: [namespace, account],
    request: (size) =>
      post(`${crowd}/serviceaccounts/default/token`, { spec: { audiences: fill(size, (index) => `a${index}`), expirationSeconds: 3600 } }),
  },
  {
    name: 'an audience of a token, long',
    world: [namespace, account],
    request: (size) => post(`${crowd}/serviceaccounts/default/token`, { spec: { audiences: ['a'.repeat(size)] } }),
  },
  {
    name: 'encodings accepted',
    limit: headerLimit,
    request: (size) => get('/api/v1/configmaps', { 'accept-encoding': 'br;q=0.1,'.repeat(size / 9) }),
  },
  {
    name: 'an eviction among 2,000 budgets',
    world: [namespace, account, budgets],
    request: () => post(`${crowd}/pods/evicted/eviction${dry}`, { metadata: { name: 'evicted' } }),
  },
  ...crowdedPods.map(([name, where, world, resources]): Case => ({
    name: `a pod among ${name}`,
    world,
    request: (size) =>
      post(`/api/v1/namespaces/${where}/pods${dry}`, {
        metadata: { name: 'a' },
        spec: { containers: times(5000 * share(size)).map((index) => ({ name: `c${index}`, image: 'a', resources })) },
      }),
  })),
  columnCase(
    'a thousand',
    times(1000).map((index) => `.spec.list[${index}].b.c`),
  ),
  columnCase(
    'of all items',
    times(50).map(() => '.spec.list[*].b.c'),
  ),
  columnCase(
    'recursive',
    times(20).map(() => '.spec..c'),
  ),
  columnCase('recursive, twice', ['.spec..a..c', '.spec..a..a', '.spec..a..a..a']),
  columnCase(
    'filters',
    times(20).map(() => '.spec.list[?(@.b.c=="none")].a'),
  ),
  columnCase('filters in filters', ['.spec.list[?(@.b.c=="v1")]..c', '.spec..[?(@.a==1)].a']),
  columnCase(
    'slices and unions',
    times(50).map(() => ".spec.list[0:15000:1]['a','b'].c"),
  ),
  { name: 'OpenAPI v3 of a wide definition', world: [wide], request: () => get('/openapi/v3/apis/crowd.example.com/v1') },
  { name: 'OpenAPI v2 of a wide definition', world: [wide], request: () => get('/openapi/v2') },
  {
    name: 'OpenAPI v2 of a wide definition, protobuf',
    world: [wide],
    request: () => get('/openapi/v2', { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' }),
  },
  { name: 'OpenAPI v3 index', world: [wide], request: () => get('/openapi/v3') },
  {
    name: 'an object of a wide definition, applied',
    world: [wide],
    request: (size) => ({
      ...merge(`/apis/crowd.example.com/v1/namespaces/default/wide/a?fieldManager=m&dryRun=All`, {
        apiVersion: 'crowd.example.com/v1',
        kind: 'Kwide',
        metadata: { name: 'a' },
        spec: fillMap(size / 3, (index) => `p${index}`, 'a', 40_000),
      }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    }),
  },
  {
    name: 'discovery of 600 versions',
    world: [versions],
    request: () => get('/apis', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }),
  },
  { name: 'OpenAPI v2 of 600 versions', world: [versions], request: () => get('/openapi/v2') },
  {
    name: 'a definition of 600 versions, changed',
    world: [versions],
    request: () => merge(`${definitions}/versions.many.example.com`, { spec: { names: { shortNames: ['vs'] } } }),
  },
  { name: 'scale of a huge object', world: [huge], request: () => merge(`${hugeOne}/scale`, { spec: { replicas: 2 } }) },
  { name: 'status of a huge object', world: [huge], request: () => merge(`${hugeOne}/status`, { status: { replicas: 3 } }) },
  { name: 'a huge object as YAML', world: [huge], request: () => get(hugeOne, { accept: 'application/yaml' }) },
  { name: 'a huge object as a table', world: [huge], request: () => get(`${hugeOne}?includeObject=Object`, { accept: table }) },
  {
    name: 'a huge object, applied',
    world: [huge],
    request: () => ({
      ...merge(`${hugeOne}?fieldManager=m&dryRun=All&force=true`, {
        apiVersion: 'crowd.example.com/v1',
        kind: 'Khuge',
        metadata: { name: 'a' },
        spec: { k1: 'x' },
      }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    }),
  },
  {
    name: 'JSON patch: tests of deep and large values',
    world: [huge],
    request: (size) => ({
      ...merge(
        `${hugeOne}${dry}`,
        times(Math.min(9000, size / 60))
          .map(() => ({ op: 'test', path: '/spec', value: { a: 1 } }))
          .concat(),
      ),
      headers: { 'content-type': 'application/json-patch+json' },
    }),
  },
  { name: 'a delete of all', world: [namespace, objects], once: true, request: () => remove(`${crowd}/configmaps`) },
];

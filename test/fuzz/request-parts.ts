// What wrecked requests are made of.
import type { Format } from './mutations.ts';

export interface Target {
  /** of the collection */
  readonly path: string;
  readonly object: { readonly apiVersion: string; readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly subresources?: readonly string[];
}

const labels = { app: 'a' };
const podSpec = { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'X', value: 'y' }] }] };

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fuzzies.fuzz.example' },
  spec: {
    group: 'fuzz.example',
    scope: 'Namespaced',
    names: { plural: 'fuzzies', singular: 'fuzzy', kind: 'Fuzzy', listKind: 'FuzzyList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer', default: 1, maximum: 10 },
                  rules: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^[a-z]+$' } } },
                  },
                  any: { 'x-kubernetes-preserve-unknown-fields': true },
                  port: { 'x-kubernetes-int-or-string': true },
                  at: { type: 'string', format: 'date-time' },
                },
                'x-kubernetes-validations': [{ rule: '!has(self.replicas) || self.replicas < 9' }],
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
} as const;

export const targets: readonly Target[] = [
  {
    path: '/api/v1/namespaces/default/configmaps',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { x: 'y' } },
      data: { k: 'v' },
      binaryData: { b: 'AAEC' },
    },
  },
  {
    path: '/api/v1/namespaces/default/secrets',
    object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type: 'Opaque', data: { k: 'dg==' } },
  },
  {
    path: '/api/v1/namespaces/default/services',
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { selector: labels, ports: [{ name: 'p', port: 80, targetPort: 'http' }] },
    },
    subresources: ['status'],
  },
  {
    path: '/api/v1/namespaces/default/pods',
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels }, spec: podSpec },
    subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers', 'resize', 'log', 'exec'],
  },
  {
    path: '/api/v1/namespaces',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
    subresources: ['status', 'finalize'],
  },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
    subresources: ['status', 'scale'],
  },
  {
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    object: { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a' }, revision: 1, data: { any: [{ thing: 1 }] } },
  },
  {
    path: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    object: {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
    },
    subresources: ['status'],
  },
  {
    path: '/apis/batch/v1/namespaces/default/cronjobs',
    object: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } } },
    },
    subresources: ['status'],
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'a' },
      spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
    },
    subresources: ['status'],
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], verbs: ['get'], resources: ['pods'] }],
    },
  },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    object: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { renewTime: '2024-01-01T00:00:00.000000Z' },
    },
  },
  { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object: definition, subresources: ['status'] },
  {
    path: '/apis/fuzz.example/v1/namespaces/default/fuzzies',
    object: {
      apiVersion: 'fuzz.example/v1',
      kind: 'Fuzzy',
      metadata: { name: 'a' },
      spec: { replicas: 2, rules: [{ name: 'one' }], any: { thing: [1] }, port: 'x', at: '2024-01-01T00:00:00Z' },
    },
    subresources: ['status', 'scale'],
  },
  {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    object: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    },
  },
  {
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'eyJhbGciOiJub25lIn0.e30.' } },
  },
];

export const otherPaths: readonly string[] = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/nope.example/v1/things',
  '/api/v2/pods',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1?hash=x',
  '/version',
  '/healthz',
  '/livez?verbose',
  '/readyz?exclude=x',
  '/metrics',
  '/api/v1/watch/pods?timeoutSeconds=1',
  '/api/v1/namespaces/default/pods/a/proxy/x',
  '/api/v1/namespaces/default/services/http:a:80/proxy/',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
];

export const segments: readonly string[] = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%2f',
  'a%2fb',
  '%ff',
  'x'.repeat(300),
  '%F0%9F%98%80',
  '*',
  'a b',
  '?',
  'watch',
  'status',
];

export const values: readonly string[] = [
  '',
  '0',
  '-1',
  '1',
  'x',
  '9'.repeat(30),
  '1.5',
  '%00',
  '%ff',
  '%',
  '=',
  ',',
  '!',
  'a=b',
  'a in (',
  'a in (b),!c',
  'a notin (b,c),d',
  'a>1',
  'metadata.name=x',
  'metadata.namespace=default',
  'status.phase!=y',
  'spec.nope=1',
  'true',
  'TRUE',
  'maybe',
  'All',
  'Exact',
  'NotOlderThan',
  'Strict',
  'Warn',
  'Ignore',
  'Background',
  'Foreground',
  'Orphan',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi94In0',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYSJ9',
  'bm9wZQ',
  '__proto__',
  'a'.repeat(5000),
  '%F0%9F%98%80',
  '%22%3E%3Cscript%3E',
];

export const parameters: readonly string[] = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'includeObject',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'export',
  'timeout',
  'nope',
  '',
  '%ff',
];

export const accepts: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  '*/*',
  'application/*',
  'text/html',
  ';;;',
  'a/b/c',
  '',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=Nope;v=v9;g=x',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/json;q=x',
  'application/json;stream=watch',
];

/** Headers that a client may send, with values that they may not have. */
export const headers: readonly (readonly [string, readonly string[]])[] = [
  ['accept-encoding', ['gzip', 'br', 'gzip;q=0', 'x, y;;', '*']],
  ['if-none-match', ['"x"', '*', 'W/"y"']],
  ['impersonate-user', ['u', '', 'system:serviceaccount:a:b', 'système']],
  ['impersonate-group', ['g', '']],
  ['impersonate-extra-a%2', ['x']],
  ['impersonate-uid', ['1']],
  ['user-agent', ['', 'x/y', 'a'.repeat(3000), 'kubectl/v1.37 (%)']],
  ['authorization', ['Bearer x', 'Basic !', 'Bearer ', 'Bearer a.b.c', 'Nope']],
  ['x-forwarded-for', ['1.2.3.4, x', '::1']],
  ['origin', ['null', 'http://x']],
  ['traceparent', ['00-0-0-0', 'x']],
  ['content-encoding', ['gzip', 'nope']],
  ['expect', ['nope']],
  ['range', ['bytes=0-1']],
];

export const contentTypes: readonly (readonly [string, Format])[] = [
  ['application/json', 'json'],
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['text/plain', 'json'],
  ['application/json; charset=nope', 'json'],
  ['application/cbor', 'json'],
  ['application/merge-patch+json', 'json'],
  [';', 'json'],
  ['', 'json'],
];

export const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;

export const jsonPatch: readonly object[] = [
  { op: 'replace', path: '/metadata/labels', value: { z: '1' } },
  { op: 'test', path: '/kind', value: 'x' },
  { op: 'copy', from: '/metadata', path: '/data/a' },
  { op: 'move', from: '/spec', path: '/status' },
  { op: 'add', path: '/metadata/finalizers/-', value: 'x/y' },
  { op: 'remove', path: '/metadata/annotations/a~1b' },
];

/** Parts of strategic patches that only make sense elsewhere. */
export const directives: readonly object[] = [
  { $patch: 'replace' },
  { $patch: 'delete' },
  { $patch: 'merge' },
  { $patch: 'nope' },
  { $retainKeys: ['metadata'] },
  { '$setElementOrder/containers': [{ name: 'c' }] },
  { '$deleteFromPrimitiveList/finalizers': ['x/y'] },
  { metadata: { $patch: 'replace', finalizers: ['x/y'], '$setElementOrder/finalizers': ['z'] } },
  { spec: { $retainKeys: 1 } },
  { spec: { template: { spec: { containers: [{ name: 'c', $patch: 'delete' }, { name: 'd' }] } } } },
  { spec: { ports: [{ port: 80, $patch: 'replace' }], '$setElementOrder/ports': [{ port: 81 }, 5] } },
];

export const deleteOptions = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 0,
  preconditions: { uid: 'x' },
  propagationPolicy: 'Orphan',
} as const;

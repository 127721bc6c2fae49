/** What `audit.ts` asks of both servers, and the policy under which they record it. */

export interface AuditCase {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** sent as it is instead of a body as JSON */
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** without a client certificate */
  readonly anonymous?: boolean;
  /** the client goes away after a moment */
  readonly leaves?: boolean;
}

const ofEach = ['meta', 'request', 'full', 'plain'] as const;
export const namespaces: readonly string[] = [...ofEach, 'quiet'];

export const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'None', resources: [{ group: '', resources: ['secrets'] }], namespaces: ['quiet'] },
    { level: 'Metadata', namespaces: ['meta'] },
    { level: 'Request', namespaces: ['request'], omitStages: ['RequestReceived'] },
    { level: 'RequestResponse', namespaces: ['plain'], omitManagedFields: true, omitStages: ['RequestReceived', 'ResponseStarted'] },
    { level: 'None', resources: [{ group: '', resources: ['pods/log', '*/exec'] }], namespaces: ['quiet'] },
    { level: 'Request', resources: [{ group: 'apps', resources: ['deployments/*'], resourceNames: ['named'] }] },
    { level: 'Metadata', nonResourceURLs: ['/version', '/healthz*', '/openapi*'] },
    { level: 'Metadata', verbs: ['deletecollection'], resources: [{ group: '*' }], namespaces: ['quiet'] },
    { level: 'Request', userGroups: ['system:unauthenticated'] },
    { level: 'RequestResponse' },
  ],
};

const merge = 'application/merge-patch+json';
const configMap = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'x' } },
  data: { a: '<1> & 2' },
  ...more,
});

/** The life of an object, once for each level. */
function life(namespace: string): Record<string, AuditCase> {
  const all = `/api/v1/namespaces/${namespace}/configmaps`;
  const one = `${all}/one`;
  const get = (path: string, accept?: string): AuditCase => ({ method: 'GET', path, ...(accept !== undefined && { headers: { accept } }) });
  return {
    create: { method: 'POST', path: `${all}?fieldManager=judge`, body: configMap('one') },
    'create again': { method: 'POST', path: all, body: configMap('one') },
    'create with a bad name': { method: 'POST', path: all, body: configMap('Not A Name') },
    'create a generated name': {
      method: 'POST',
      path: all,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'g-' } },
    },
    'create in another namespace': { method: 'POST', path: all, body: configMap('two', { metadata: { name: 'two', namespace: 'other' } }) },
    'create what is no JSON': { method: 'POST', path: all, text: '{"a"' },
    'create another kind': { method: 'POST', path: all, body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } } },
    'create with an unknown field': { method: 'POST', path: `${all}?fieldValidation=Strict`, body: configMap('odd', { odd: true }) },
    'create dry': { method: 'POST', path: `${all}?dryRun=All`, body: configMap('dry') },
    'create from YAML': {
      method: 'POST',
      path: all,
      text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\n',
      type: 'application/yaml',
    },
    get: get(one),
    'get pretty': get(`${one}?pretty=true`),
    'get what is not there': get(`${all}/none`),
    'get as YAML': get(one, 'application/yaml'),
    'get as protobuf': get(one, 'application/vnd.kubernetes.protobuf'),
    'get as table': get(one, 'application/json;as=Table;v=v1;g=meta.k8s.io'),
    'get metadata': get(one, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'),
    list: get(all),
    'list one label': get(`${all}?labelSelector=app%3Dx`),
    'list by name': get(`${all}?fieldSelector=metadata.name%3Done`),
    'list as protobuf': get(all, 'application/vnd.kubernetes.protobuf'),
    'list with a bad selector': get(`${all}?labelSelector=%3D%3D`),
    'list what cannot be': get(all, 'text/csv'),
    update: { method: 'PUT', path: one, body: configMap('one', { data: { b: '2' } }) },
    'update of another version': { method: 'PUT', path: one, body: configMap('one', { metadata: { name: 'one', resourceVersion: '1' } }) },
    'update with another name': { method: 'PUT', path: one, body: configMap('two') },
    'patch by JSON patch': {
      method: 'PATCH',
      path: one,
      type: 'application/json-patch+json',
      text: '[ {"op": "add", "path": "/data/c", "value": "a  b"} ]',
    },
    'patch by merge': { method: 'PATCH', path: one, type: merge, body: { data: { d: '3' } } },
    'patch strategically': { method: 'PATCH', path: one, type: 'application/strategic-merge-patch+json', body: { data: { e: '4' } } },
    'patch what is not there': { method: 'PATCH', path: `${all}/none`, type: merge, body: {} },
    'patch with what is no JSON': { method: 'PATCH', path: one, type: merge, text: '{' },
    'patch with an unknown type': { method: 'PATCH', path: one, type: 'text/plain', text: '{}' },
    apply: {
      method: 'PATCH',
      path: `${all}/applied?fieldManager=judge`,
      type: 'application/apply-patch+yaml',
      text: 'kind: ConfigMap\napiVersion: v1\ndata:\n  z: "1"\n  a: x\n',
    },
    'apply in conflict': {
      method: 'PATCH',
      path: `${all}/applied?fieldManager=other`,
      type: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', data: { z: '2' } },
    },
    watch: get(`${all}?watch=1&timeoutSeconds=1`),
    'watch a version that is none': get(`${all}?watch=1&resourceVersion=x`),
    'delete with options': {
      method: 'DELETE',
      path: `${all}/applied`,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
    },
    'delete with nameless options': { method: 'DELETE', path: `${all}/applied`, body: { gracePeriodSeconds: 0 } },
    'delete with meta options': {
      method: 'DELETE',
      path: `${all}/yaml`,
      body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] },
    },
    'delete plainly': { method: 'DELETE', path: `${one}?gracePeriodSeconds=0` },
    'delete all that have a label': { method: 'DELETE', path: `${all}?labelSelector=app%3Dx` },
    'delete all with options': { method: 'DELETE', path: all, body: { kind: 'DeleteOptions', apiVersion: 'v1' } },
  };
}

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } };
const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'x' } }, template },
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container] } };
const pods = '/api/v1/namespaces/full/pods';
const deployments = '/apis/apps/v1/namespaces/full/deployments';
const review = (user: string): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user, resourceAttributes: { verb: 'get', resource: 'pods' } },
});

const registration = 'admissionregistration.k8s.io/v1';
const widgets = '/apis/example.com/v1/namespaces/full/widgets';
const widget = (name: string, more: object = {}): object => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, ...more });

/** What is created before: a kind of its own, and a policy that leaves traces. */
export const before: readonly (readonly [path: string, object: object])[] = [
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: ['v1', 'v1alpha1'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          deprecated: name !== 'v1',
          subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        })),
      },
    },
  ],
  [
    `/apis/${registration}/validatingadmissionpolicies`,
    {
      apiVersion: registration,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'traces' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'], resourceNames: ['judged', 'denied'] },
          ],
        },
        validations: [{ expression: 'object.metadata.name != "judged"', message: 'is judged' }],
        auditAnnotations: [{ key: 'name', valueExpression: "'named ' + object.metadata.name" }],
      },
    },
  ],
  [
    `/apis/${registration}/validatingadmissionpolicybindings`,
    {
      apiVersion: registration,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'traces' },
      spec: { policyName: 'traces', validationActions: ['Audit'] },
    },
  ],
];

const more: Record<string, AuditCase> = {
  'create a custom resource': { method: 'POST', path: widgets, body: widget('w', { spec: { replicas: 1, big: 12345678901234 } }) },
  'get a custom resource': { method: 'GET', path: `${widgets}/w` },
  'get a custom resource as YAML': { method: 'GET', path: `${widgets}/w`, headers: { accept: 'application/yaml' } },
  'list custom resources': { method: 'GET', path: widgets },
  'list custom resources of a deprecated version': { method: 'GET', path: widgets.replace('v1', 'v1alpha1') },
  'watch custom resources of a deprecated version': {
    method: 'GET',
    path: `${widgets.replace('v1', 'v1alpha1')}?watch=1&timeoutSeconds=1`,
  },
  'patch the status of a custom resource': { method: 'PATCH', path: `${widgets}/w/status`, type: merge, body: { status: { replicas: 1 } } },
  'scale a custom resource': { method: 'PATCH', path: `${widgets}/w/scale`, type: merge, body: { spec: { replicas: 2 } } },
  'update a custom resource that is none': { method: 'PUT', path: `${widgets}/none`, body: widget('none') },
  'apply a custom resource': {
    method: 'PATCH',
    path: `${widgets}/applied?fieldManager=judge`,
    type: 'application/apply-patch+yaml',
    text: 'apiVersion: example.com/v1\nkind: Widget\nspec: {a: 1}\n',
  },
  'delete a custom resource': { method: 'DELETE', path: `${widgets}/w` },
  'delete all custom resources': { method: 'DELETE', path: widgets },
  'what a policy annotates': { method: 'POST', path: '/api/v1/namespaces/meta/configmaps', body: configMap('denied') },
  'what a policy would deny': { method: 'POST', path: '/api/v1/namespaces/full/configmaps', body: configMap('judged') },
  'an older version': {
    method: 'POST',
    path: '/apis/autoscaling/v1/namespaces/full/horizontalpodautoscalers',
    body: {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    },
  },
  'the same in a newer version': { method: 'GET', path: '/apis/autoscaling/v2/namespaces/full/horizontalpodautoscalers/h' },
  'create a service': {
    method: 'POST',
    path: '/api/v1/namespaces/full/services',
    body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
  },
  'create a secret': {
    method: 'POST',
    path: '/api/v1/namespaces/full/secrets',
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } },
  },
  'create a node': { method: 'POST', path: '/api/v1/nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } } },
  'proxy to a node that does not answer': { method: 'GET', path: '/api/v1/nodes/n/proxy/pods' },
  'create a pod there': {
    method: 'POST',
    path: '/api/v1/namespaces/plain/pods',
    body: { ...pod, spec: { ...pod.spec, nodeName: 'n', automountServiceAccountToken: false } },
  },
  'log of a pod that is not there': { method: 'GET', path: '/api/v1/namespaces/full/pods/none/log' },
  'exec in a pod that is not there': { method: 'POST', path: '/api/v1/namespaces/full/pods/none/exec?command=ls&stdout=1' },
  'many, compressed': { method: 'GET', path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', headers: { 'accept-encoding': 'gzip' } },
  'discovery in one': { method: 'GET', path: '/apis/scheduling.k8s.io/', headers: { accept: 'application/yaml' } },
  'watch and go away': { method: 'GET', path: '/api/v1/namespaces/full/configmaps?watch=1', leaves: true },
  'watch over a WebSocket': {
    method: 'GET',
    path: '/api/v1/namespaces/full/configmaps?watch=1',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: 'http://localhost',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
    leaves: true,
  },
  head: { method: 'HEAD', path: '/api/v1/namespaces/full/configmaps' },
  'a method that is none': { method: 'OPTIONS', path: '/api/v1/namespaces/full/configmaps' },
  'put to a collection': { method: 'PUT', path: '/api/v1/namespaces/full/configmaps', body: configMap('x') },
  'a body that is too large': {
    method: 'POST',
    path: '/api/v1/namespaces/full/configmaps',
    body: configMap('large', { data: { a: 'x'.repeat(1_100_000) } }),
  },
};

const others: Record<string, AuditCase> = {
  'create a pod': { method: 'POST', path: pods, body: pod },
  'create an invalid pod': { method: 'POST', path: pods, body: { ...pod, metadata: { name: 'q' }, spec: { containers: [] } } },
  'patch status': { method: 'PATCH', path: `${pods}/p/status`, type: merge, body: { status: { phase: 'Running' } } },
  'get status': { method: 'GET', path: `${pods}/p/status` },
  'bind a pod': {
    method: 'POST',
    path: `${pods}/p/binding`,
    body: { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'none' } },
  },
  'evict a pod': {
    method: 'POST',
    path: `${pods}/p/eviction`,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
  },
  'delete a pod': { method: 'DELETE', path: `${pods}/p?gracePeriodSeconds=0` },
  'list pods everywhere': { method: 'GET', path: '/api/v1/pods?limit=1' },
  'create a deployment': { method: 'POST', path: deployments, body: deployment('named') },
  'get scale': { method: 'GET', path: `${deployments}/named/scale` },
  'patch scale': { method: 'PATCH', path: `${deployments}/named/scale`, type: merge, body: { spec: { replicas: 2 } } },
  'update scale': {
    method: 'PUT',
    path: `${deployments}/named/scale`,
    body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'named', namespace: 'full' }, spec: { replicas: 3 } },
  },
  'get a subresource that is none': { method: 'GET', path: `${deployments}/named/none` },
  'delete a deployment': { method: 'DELETE', path: `${deployments}/named` },
  'create a deprecated kind': {
    method: 'POST',
    path: '/api/v1/namespaces/full/endpoints',
    body: { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'e' } },
  },
  'list a deprecated kind': { method: 'GET', path: '/api/v1/namespaces/full/endpoints' },
  'create a token': {
    method: 'POST',
    path: '/api/v1/namespaces/full/serviceaccounts/default/token',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'] } },
  },
  'review access': { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', body: review('bob') },
  'review oneself': {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  },
  'create a namespace': {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } },
  },
  'get a namespace': { method: 'GET', path: '/api/v1/namespaces/fresh' },
  'list a resource that is none': { method: 'GET', path: '/api/v1/namespaces/full/nothings' },
  'list a group that is none': { method: 'GET', path: '/apis/none.example.com/v1/things' },
  'watch by the old path': { method: 'GET', path: '/api/v1/watch/namespaces/full/configmaps?timeoutSeconds=1' },
  'a secret that is not recorded': { method: 'GET', path: '/api/v1/namespaces/quiet/secrets' },
  'delete what is recorded by its verb': { method: 'DELETE', path: '/api/v1/namespaces/quiet/configmaps' },
  'as somebody who may not': { method: 'GET', path: '/api/v1/namespaces/full/secrets/s', headers: { 'impersonate-user': 'alice' } },
  'as somebody with groups': {
    method: 'GET',
    path: '/api/v1/namespaces/full/configmaps',
    headers: { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters', 'impersonate-extra-scopes': 'a', 'impersonate-uid': 'u1' },
  },
  'as a service account': {
    method: 'GET',
    path: '/apis/apps/v1/namespaces/full/deployments',
    headers: { 'impersonate-user': 'system:serviceaccount:full:default' },
  },
  'as a controller, by its role': {
    method: 'GET',
    path: '/apis/apps/v1/deployments',
    headers: { 'impersonate-user': 'system:serviceaccount:kube-system:deployment-controller' },
  },
  'as groups without a user': { method: 'GET', path: '/api/v1/namespaces', headers: { 'impersonate-group': 'g' } },
  'as nobody': { method: 'GET', path: '/api/v1/namespaces/full/configmaps', anonymous: true },
  'as nobody, what anybody may': { method: 'GET', path: '/livez', anonymous: true },
  'with a token that is none': { method: 'GET', path: '/api/v1/namespaces', anonymous: true, headers: { authorization: 'Bearer none' } },
  'with a password': { method: 'GET', path: '/version', anonymous: true, headers: { authorization: 'Basic YTpi' } },
  'by way of proxies': {
    method: 'GET',
    path: '/api/v1/namespaces/full/configmaps?limit=1',
    headers: { 'x-forwarded-for': '10.1.2.3, nonsense, 2001:DB8::1', 'x-real-ip': '10.9.9.9' },
  },
  'with a long name for itself': { method: 'GET', path: '/api/v1/namespaces/full/configmaps', headers: { 'user-agent': 'x'.repeat(1500) } },
  version: { method: 'GET', path: '/version' },
  health: { method: 'GET', path: '/healthz/ping?verbose' },
  'groups of the core': { method: 'GET', path: '/api' },
  resources: { method: 'GET', path: '/apis/scheduling.k8s.io/v1' },
  'a group': { method: 'GET', path: '/apis/scheduling.k8s.io' },
  'a path that is none': { method: 'GET', path: '/none?a=%20b' },
  'a post to what is read': { method: 'POST', path: '/version', body: {} },
};

export const cases: Readonly<Record<string, AuditCase>> = Object.fromEntries([
  ...ofEach.flatMap((namespace) => Object.entries(life(namespace)).map(([name, one]) => [`${namespace}: ${name}`, one] as const)),
  ...Object.entries(others),
  ...Object.entries(more),
]);
